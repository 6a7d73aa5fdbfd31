//! The password of an account, at the moment it is used: opened from the vault, printed by a command, or read from a
//! file. It is never kept, and what a command or a file said is never logged.

use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use oaken_core::{Code, Error, Result, Secret};
use tokio::io::AsyncReadExt;

use super::row::{Account, Credential, Place};
use crate::vault::Vault;

/// Seconds that a command may take.
const COMMAND: Duration = Duration::from_secs(10);
/// Bytes that a command may print, and that a file may hold.
const MOST: u64 = 64 * 1024;

/// The password of an account.
///
/// # Errors
/// `refused` where there is none, or the command or the file does not give one.
pub(crate) async fn password(vault: &Vault, account: &Account) -> Result<Secret> {
    let Place::Imap(place) = &account.place else {
        return Err(none());
    };
    match &account.credential {
        Credential::None => Err(none()),
        Credential::Sealed(sealed) => vault.open(&place.sealed_to(&account.id), sealed),
        Credential::Command(line) => from_command(line).await,
        Credential::File(path) => from_file(path),
    }
}

fn none() -> Error {
    Error::new(
        Code::Refused,
        "There is no password for this account. Remove the account and add it again.",
    )
    .next("oaken accounts add")
}

/// Runs a command without a shell and takes its first line.
pub(super) async fn from_command(line: &str) -> Result<Secret> {
    let argv = split(line)?;
    let Some((program, arguments)) = argv.split_first() else {
        return Err(bad_command());
    };
    let mut child = tokio::process::Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|_| Error::new(Code::Refused, "The password command cannot be started."))?;
    let run = async {
        let mut printed = Vec::new();
        if let Some(out) = child.stdout.take() {
            out.take(MOST).read_to_end(&mut printed).await.ok()?;
        }
        child
            .wait()
            .await
            .ok()
            .filter(std::process::ExitStatus::success)?;
        Some(printed)
    };
    match tokio::time::timeout(COMMAND, run).await {
        Err(_) => Err(Error::new(
            Code::Refused,
            "The password command took longer than {seconds} seconds.",
        )
        .with("seconds", oaken_core::Param::Int(COMMAND.as_secs() as i64))),
        Ok(None) => Err(Error::new(Code::Refused, "The password command failed.")),
        Ok(Some(printed)) => first_line(&printed).ok_or_else(|| {
            Error::new(
                Code::Refused,
                "The password command printed no password on its first line.",
            )
        }),
    }
}

/// Reads the first line of a regular file. A link is followed: secrets are often mounted as one.
pub(super) fn from_file(path: &Path) -> Result<Secret> {
    let refused = || {
        Error::new(
            Code::Refused,
            "The password file cannot be read, or is no regular file.",
        )
    };
    let found = std::fs::metadata(path).map_err(|_| refused())?;
    if !found.is_file() {
        return Err(refused());
    }
    if found.len() > MOST {
        return Err(Error::new(
            Code::Refused,
            "The password file is larger than 64 KiB.",
        ));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|f| f.take(MOST).read_to_end(&mut bytes))
        .map_err(|_| refused())?;
    first_line(&bytes).ok_or_else(|| {
        Error::new(
            Code::Refused,
            "The password file has no password on its first line.",
        )
    })
}

fn first_line(bytes: &[u8]) -> Option<Secret> {
    let line = bytes.split(|b| *b == b'\n').next()?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = std::str::from_utf8(line).ok()?;
    (!line.is_empty()).then(|| Secret::new(line.to_owned()))
}

/// Splits a command line at blanks. Single quotes keep everything, double quotes all but a backslash before `"` or
/// `\`, a backslash outside quotes the next character. There are no variables, globs, pipes or substitutions.
pub(super) fn split(line: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(c) => word.push(c),
                        None => return Err(bad_command()),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') if matches!(chars.peek(), Some('"' | '\\')) => word.extend(chars.next()),
                        Some(c) => word.push(c),
                        None => return Err(bad_command()),
                    }
                }
            }
            '\\' => match chars.next() {
                Some(c) => word.get_or_insert_default().push(c),
                None => return Err(bad_command()),
            },
            '\0' | '\n' | '\r' => return Err(bad_command()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if words.first().is_none_or(String::is_empty) {
        return Err(bad_command());
    }
    Ok(words)
}

fn bad_command() -> Error {
    Error::invalid_field(
        "/password_command",
        "is no command: a program and its arguments, with quotes closed, without a shell's syntax",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<&[&str]>) {
        let words = split(line).ok();
        let expected = expected.map(|w| w.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>());
        assert_eq!(words, expected, "{line}");
    }

    #[test]
    fn a_command_line_is_split_without_a_shell() {
        check("pass show mail", Some(&["pass", "show", "mail"]));
        check("  pass\tshow ", Some(&["pass", "show"]));
        check(
            r#"gpg -d "my file" 'it''s'"#,
            Some(&["gpg", "-d", "my file", "its"]),
        );
        check(r#"a "b\"c\\d\e" \ x"#, Some(&["a", r#"b"c\d\e"#, " x"]));
        check(
            "echo '' $HOME `id` ; rm",
            Some(&["echo", "", "$HOME", "`id`", ";", "rm"]),
        );
        for bad in ["", "  ", "'open", "\"open", "a\\", "a\nb", "''"] {
            check(bad, None);
        }
    }

    #[tokio::test]
    async fn a_command_gives_its_first_line_or_a_stable_error() {
        assert_eq!(
            from_command("printf 'hunter2\\nmore'")
                .await
                .expect("printed")
                .reveal(),
            "hunter2"
        );
        for (line, sentence) in [
            ("false", "The password command failed."),
            (
                "true",
                "The password command printed no password on its first line.",
            ),
            ("/nowhere/at/all", "The password command cannot be started."),
        ] {
            let e = from_command(line).await.err().expect("an error");
            assert_eq!((e.code(), e.message().as_str()), (Code::Refused, sentence));
        }
    }

    #[test]
    fn a_file_gives_its_first_line_or_a_stable_error() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("secret");
        std::fs::write(&file, "hunter2\r\nmore").expect("written");
        assert_eq!(from_file(&file).expect("read").reveal(), "hunter2");
        std::fs::write(&file, "\n").expect("written");
        assert!(from_file(&file).is_err());
        std::fs::write(&file, vec![b'x'; 70_000]).expect("written");
        assert!(from_file(&file).is_err());
        assert!(from_file(dir.path()).is_err());
        assert!(from_file(&dir.path().join("none")).is_err());
    }
}
