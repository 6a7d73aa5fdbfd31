//! Secrets at rest: XChaCha20-Poly1305 under `vault.key`, which lies outside the data directory and every backup.
//!
//! A secret is sealed to its endpoint: account, host, port, TLS mode and login are associated data, so a ciphertext
//! that is moved to another row, or whose endpoint was changed, opens no more. This protects a stolen database, not
//! a host that somebody else controls. Deliberately absent: a secret in clear in any column, and a default key.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use oaken_core::{Code, Error, Result, Secret};

const FORMAT: u8 = 1;
const NONCE: usize = 24;

/// What a secret is sealed to.
#[derive(Clone, Copy, Debug)]
pub struct SealedTo<'a> {
    /// The account's id.
    pub account: &'a str,
    /// The host.
    pub host: &'a str,
    /// The port.
    pub port: u16,
    /// `implicit` or `starttls`.
    pub tls: &'a str,
    /// The login.
    pub login: &'a str,
}

impl SealedTo<'_> {
    /// Each field behind its length, so that no two endpoints give the same bytes.
    fn associated(&self) -> Vec<u8> {
        let mut data = vec![FORMAT];
        let port = self.port.to_string();
        for field in [self.account, self.host, &port, self.tls, self.login] {
            data.extend_from_slice(&(field.len() as u64).to_be_bytes());
            data.extend_from_slice(field.as_bytes());
        }
        data
    }
}

/// The key, ready to seal and to open.
pub struct Vault(XChaCha20Poly1305);

impl Vault {
    /// Reads `vault.key` in a folder: 32 bytes in hex. Makes it, mode 0600, where there is none.
    ///
    /// # Errors
    /// `refused` where the folder cannot be used or the key is damaged: it is never replaced in silence.
    pub fn load_or_create(dir: &Path) -> Result<Vault> {
        let path = dir.join("vault.key");
        let key = match fs::read_to_string(&path) {
            Ok(hex) => parse(hex.trim()).ok_or_else(damaged)?,
            Err(e) if e.kind() == ErrorKind::NotFound => create(dir, &path)?,
            Err(e) if e.kind() == ErrorKind::InvalidData => return Err(damaged()),
            Err(_) => return Err(unusable()),
        };
        Ok(Vault(XChaCha20Poly1305::new(Key::from_slice(&key))))
    }

    /// Seals a secret to its endpoint: format, nonce, ciphertext with its tag.
    ///
    /// # Errors
    /// `internal` where the system has no randomness.
    pub fn seal(&self, to: &SealedTo<'_>, secret: &Secret) -> Result<Vec<u8>> {
        let mut nonce = [0u8; NONCE];
        getrandom::fill(&mut nonce).map_err(|_| Error::internal())?;
        let aad = to.associated();
        let payload = Payload {
            msg: secret.reveal().as_bytes(),
            aad: &aad,
        };
        let sealed = self
            .0
            .encrypt(XNonce::from_slice(&nonce), payload)
            .map_err(|_| Error::internal())?;
        let mut out = Vec::with_capacity(1 + NONCE + sealed.len());
        out.push(FORMAT);
        out.extend_from_slice(&nonce);
        out.extend_from_slice(&sealed);
        Ok(out)
    }

    /// Opens a secret for the endpoint it was sealed to.
    ///
    /// # Errors
    /// `refused` for any other endpoint, key or bytes, and for what was never sealed.
    pub fn open(&self, to: &SealedTo<'_>, sealed: &[u8]) -> Result<Secret> {
        let (Some(&FORMAT), Some(nonce), Some(sealed)) =
            (sealed.first(), sealed.get(1..=NONCE), sealed.get(1 + NONCE..))
        else {
            return Err(unopened());
        };
        let aad = to.associated();
        let clear = self
            .0
            .decrypt(
                XNonce::from_slice(nonce),
                Payload {
                    msg: sealed,
                    aad: &aad,
                },
            )
            .map_err(|_| unopened())?;
        String::from_utf8(clear).map(Secret::new).map_err(|_| unopened())
    }
}

fn parse(hex: &str) -> Option<[u8; 32]> {
    let mut key = [0u8; 32];
    if hex.len() != 64 || !hex.is_ascii() {
        return None;
    }
    for (n, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * n..2 * n + 2)?, 16).ok()?;
    }
    Some(key)
}

/// Written beside and linked into place: nobody reads half a key, and of two processes one wins.
fn create(dir: &Path, path: &Path) -> Result<[u8; 32]> {
    fs::create_dir_all(dir).map_err(|_| unusable())?;
    let mut bytes = [0u8; 40];
    getrandom::fill(&mut bytes).map_err(|_| Error::internal())?;
    let hex = |b: &[u8]| b.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let beside = path.with_extension(hex(&bytes[32..]));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&beside).map_err(|_| unusable())?;
    let placed = file
        .write_all(hex(&bytes[..32]).as_bytes())
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::hard_link(&beside, path));
    let _ = fs::remove_file(&beside);
    match placed {
        Ok(()) => {}
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
        Err(_) => return Err(unusable()),
    }
    parse(fs::read_to_string(path).map_err(|_| unusable())?.trim()).ok_or_else(damaged)
}

fn damaged() -> Error {
    Error::new(
        Code::Refused,
        "The key file vault.key is damaged. Restore it from where you keep it; it is not made anew in silence.",
    )
}

fn unusable() -> Error {
    Error::new(
        Code::Refused,
        "The folder of the keys cannot be read or written. Check who owns it and its rights.",
    )
}

fn unopened() -> Error {
    Error::new(
        Code::Refused,
        "The stored password does not belong to this account's server and login, or vault.key is another one. Remove the account and add it again.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TO: SealedTo<'static> = SealedTo {
        account: "a_0123456789",
        host: "imap.example.org",
        port: 993,
        tls: "implicit",
        login: "ada",
    };

    fn vault() -> (tempfile::TempDir, Vault) {
        let dir = tempfile::tempdir().expect("a folder");
        let vault = Vault::load_or_create(dir.path()).expect("a key");
        (dir, vault)
    }

    #[test]
    fn a_secret_opens_for_its_endpoint_and_no_other() {
        let (_dir, vault) = vault();
        let sealed = vault.seal(&TO, &Secret::new("hunter2".into())).expect("sealed");
        assert_eq!(vault.open(&TO, &sealed).expect("opened").reveal(), "hunter2");
        let others = [
            SealedTo {
                account: "a_0123456788",
                ..TO
            },
            SealedTo {
                host: "imap.example.com",
                ..TO
            },
            SealedTo { port: 143, ..TO },
            SealedTo {
                tls: "starttls",
                ..TO
            },
            SealedTo { login: "bob", ..TO },
            // the same letters, cut elsewhere
            SealedTo {
                tls: "implici",
                login: "tada",
                ..TO
            },
        ];
        for other in others {
            let refused = vault.open(&other, &sealed).err().map(|e| e.code());
            assert_eq!(refused, Some(Code::Refused), "{other:?}");
        }
    }

    #[test]
    fn a_flipped_bit_a_cut_and_clear_text_do_not_open() {
        let (_dir, vault) = vault();
        let sealed = vault.seal(&TO, &Secret::new("hunter2".into())).expect("sealed");
        for at in 0..sealed.len() {
            let mut bytes = sealed.clone();
            bytes[at] ^= 1;
            assert!(vault.open(&TO, &bytes).is_err(), "byte {at}");
        }
        for bytes in [&sealed[..sealed.len() - 1], &sealed[..10], b"hunter2", b""] {
            assert!(vault.open(&TO, bytes).is_err());
        }
    }

    #[test]
    fn another_key_does_not_open_and_the_same_file_does() {
        let (dir, vault) = vault();
        let sealed = vault.seal(&TO, &Secret::new("hunter2".into())).expect("sealed");
        let (_other_dir, other) = self::vault();
        assert!(other.open(&TO, &sealed).is_err());
        let again = Vault::load_or_create(dir.path()).expect("a key");
        assert!(again.open(&TO, &sealed).is_ok());
    }

    #[test]
    fn a_damaged_key_is_refused_and_left_as_it_is() {
        let (dir, _) = vault();
        fs::write(dir.path().join("vault.key"), "00").expect("written");
        assert_eq!(
            Vault::load_or_create(dir.path()).err().map(|e| e.code()),
            Some(Code::Refused)
        );
        assert_eq!(
            fs::read_to_string(dir.path().join("vault.key")).expect("read"),
            "00"
        );
    }

    #[cfg(unix)]
    #[test]
    fn the_key_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let (dir, _) = vault();
        let mode = fs::metadata(dir.path().join("vault.key"))
            .expect("there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(dir.path()).expect("listed").count(), 1);
    }
}
