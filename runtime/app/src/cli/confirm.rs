//! Asking a person for a yes. Never without a terminal, never when told not to.

use std::io::{BufRead, Write};

use oaken_core::Preview;
use serde_json::Value;

use super::output::How;

/// Shows what would change and asks. `None` when there is nobody to ask.
pub fn ask(how: &How, preview: &Preview) -> Option<bool> {
    if !how.may_ask {
        return None;
    }
    eprintln!(
        "This would make {} change{}:",
        preview.changes.len(),
        if preview.changes.len() == 1 { "" } else { "s" }
    );
    for change in preview.changes.iter().take(20) {
        let word = |v: &Value| match v {
            Value::String(s) => s.clone(),
            Value::Null => "-".into(),
            other => other.to_string(),
        };
        let change = serde_json::json!(change);
        eprintln!(
            "  {}  {}: {} -> {}",
            word(&change["of"]),
            word(&change["what"]),
            word(&change["before"]),
            word(&change["after"])
        );
    }
    if preview.changes.len() > 20 {
        eprintln!("  … and {} more (--json shows all)", preview.changes.len() - 20);
    }
    eprint!("Do it? [y/N] ");
    let _ = std::io::stderr().flush();
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).ok()?;
    Some(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
