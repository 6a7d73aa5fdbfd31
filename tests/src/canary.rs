//! The forms in which a secret could leak, and a search for all of them at once.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// A secret under a name that a failing test may print.
pub struct Canary {
    /// What it is.
    pub name: String,
    forms: Vec<(String, Vec<u8>)>,
}

impl Canary {
    /// A secret in all its forms: plain, in other case, reversed, base64 at each offset in both alphabets, hex, percent,
    /// UTF-16.
    ///
    /// # Panics
    /// When the secret is too short to be told from chance.
    #[must_use]
    pub fn new(name: &str, secret: &[u8]) -> Self {
        assert!(secret.len() >= 10, "{name} is too short for a search");
        let mut forms = vec![("plain".to_owned(), secret.to_vec())];
        forms.push(("reversed".into(), secret.iter().rev().copied().collect()));
        let hex: String = secret.iter().map(|b| format!("{b:02x}")).collect();
        forms.push(("hex".into(), hex.clone().into_bytes()));
        forms.push(("hex in capitals".into(), hex.to_uppercase().into_bytes()));
        forms.push((
            "percent".into(),
            secret
                .iter()
                .flat_map(|b| format!("%{b:02X}").into_bytes())
                .collect(),
        ));
        forms.push(("UTF-16".into(), secret.iter().flat_map(|b| [*b, 0]).collect()));
        forms.push(("lower case".into(), secret.to_ascii_lowercase()));
        forms.push(("upper case".into(), secret.to_ascii_uppercase()));
        for offset in 0..3 {
            for (alphabet, engine) in [("base64", STANDARD_NO_PAD), ("base64url", URL_SAFE_NO_PAD)] {
                forms.push((
                    format!("{alphabet} at offset {offset}"),
                    at_offset(&engine, secret, offset),
                ));
            }
        }
        Canary {
            name: name.to_owned(),
            forms,
        }
    }

    /// The names of the forms that occur.
    #[must_use]
    pub fn found_in(&self, bytes: &[u8]) -> Vec<&str> {
        self.forms
            .iter()
            .filter(|(_, form)| contains(bytes, form))
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// Each form, to plant it where a search has to find it.
    pub fn forms(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.forms
            .iter()
            .map(|(name, form)| (name.as_str(), form.as_slice()))
    }
}

/// The characters of base64 that depend on the secret alone when it begins `offset` bytes after a group of three.
fn at_offset(engine: &impl Engine, secret: &[u8], offset: usize) -> Vec<u8> {
    let mut padded = vec![0; offset];
    padded.extend_from_slice(secret);
    let encoded = engine.encode(&padded).into_bytes();
    let begin = (offset * 8).div_ceil(6);
    let end = padded.len() * 8 / 6;
    encoded[begin..end].to_vec()
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    let Some((first, rest)) = needle.split_first() else {
        return true;
    };
    let mut from = 0;
    while let Some(at) = haystack[from..].iter().position(|b| b == first) {
        let after = from + at + 1;
        if haystack[after..].starts_with(rest) {
            return true;
        }
        from = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_in_base64_of_whatever_surrounds_it() {
        let canary = Canary::new("password", b"Tr0ub4dor&3-xyz");
        for before in ["", "\0", "user\0", "\0alice@oak.test\0", "{\"password\":\""] {
            let login = format!("{before}Tr0ub4dor&3-xyz\"}}");
            let encoded = base64::engine::general_purpose::STANDARD.encode(&login);
            assert!(
                !canary.found_in(format!("log: {encoded}").as_bytes()).is_empty(),
                "{before:?}"
            );
        }
        assert!(
            canary
                .found_in(b"nothing of the kind is here, not even Tr0ub4dor&3")
                .is_empty()
        );
    }
}
