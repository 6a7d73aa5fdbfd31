//! Asking a person for a yes. Never without a terminal, never when told not to.

use std::io::{BufRead, Write};

use oaken_core::{Descriptor, Error, Preview, Result};
use serde_json::Value;

use super::output::How;

/// Changes shown before a question; `--json` shows all.
const SHOWN: usize = 20;

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// A yes.
    Yes,
    /// Anything else.
    No,
    /// Nothing would change, so nothing was asked.
    Nothing,
    /// There is nobody to ask.
    Nobody,
}

/// Shows what would change and asks. Reads in a thread of its own, so that Ctrl-C ends the wait.
///
/// # Errors
/// When that thread cannot be had.
pub async fn ask(how: &How, d: &'static Descriptor, preview: &Preview) -> Result<Said> {
    if !how.may_ask {
        return Ok(Said::Nobody);
    }
    if d.preview && preview.changes.is_empty() {
        eprintln!("Nothing to do: it would change nothing.");
        return Ok(Said::Nothing);
    }
    eprint!("{}Do it? [y/N] ", what(d, preview));
    let _ = std::io::stderr().flush();
    tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        // Where the input ended, the cursor still stands behind the question.
        if !line.ends_with('\n') {
            eprintln!();
        }
        let yes = read.is_ok() && matches!(line.trim().to_lowercase().as_str(), "y" | "yes");
        if yes { Said::Yes } else { Said::No }
    })
    .await
    .map_err(|_| Error::internal())
}

fn what(d: &Descriptor, preview: &Preview) -> String {
    let mut text = if d.preview {
        let changes = preview.changes.len();
        format!(
            "This would make {changes} change{}:\n",
            if changes == 1 { "" } else { "s" }
        )
    } else {
        format!("{}\n", d.summary)
    };
    for change in preview.changes.iter().take(SHOWN) {
        let word = |v: &Value| match v {
            Value::String(s) => s.replace('_', " "),
            Value::Null => "-".into(),
            other => other.to_string(),
        };
        let change = serde_json::json!(change);
        text.push_str(&format!(
            "  {}  {}: {} -> {}\n",
            change["of"]
                .as_str()
                .map_or_else(|| word(&change["of"]), str::to_owned),
            word(&change["what"]),
            word(&change["before"]),
            word(&change["after"])
        ));
    }
    if preview.changes.len() > SHOWN {
        text.push_str(&format!(
            "  … and {} more (--json shows all)\n",
            preview.changes.len() - SHOWN
        ));
    }
    if d.destroys {
        text.push_str("It cannot be undone.\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use oaken_core::Change;

    use super::*;

    #[track_caller]
    fn check(name: &str, changes: Vec<Change>, expected: &str) {
        let d = crate::open::descriptors()
            .into_iter()
            .find(|d| d.name == name)
            .unwrap();
        assert_eq!(what(d, &Preview { changes }), expected);
    }

    #[test]
    fn a_question_says_what_it_is_about() {
        check(
            "add_agent",
            vec![],
            "Add an agent and issue its token, shown once.\n",
        );
        check(
            "mark_unread",
            vec![Change::new("m_1", "flagged", "not_flagged", "flagged")],
            "This would make 1 change:\n  m_1  flagged: not flagged -> flagged\n",
        );
    }
}
