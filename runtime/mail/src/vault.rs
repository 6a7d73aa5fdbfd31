//! Secrets at rest: XChaCha20-Poly1305 under `vault.key`, which lies outside the data directory and every backup.
//!
//! A secret is sealed to its endpoint: account, host, port, TLS mode and login are associated data, so a ciphertext
//! that is moved to another row, or whose endpoint was changed, opens no more. This protects a stolen database, not
//! a host that somebody else controls. Deliberately absent: a secret in clear in any column, and a default key.

use std::path::Path;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use oaken_core::{Code, Error, Result, Secret};
use oaken_store::key_file;

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

/// The key, ready to seal and to open; nothing of it where it is missing although passwords are sealed under it.
pub struct Vault(Option<XChaCha20Poly1305>);

impl Vault {
    /// Reads `vault.key` in a folder. Makes it where there is none, unless it is `in_use`: something is sealed under it.
    /// Then no other key is made, whatever needs it is refused, and the rest works: so that a person can restore the
    /// key, or remove the accounts.
    ///
    /// # Errors
    /// `refused` where the folder cannot be used or the key is damaged: it is never replaced in silence.
    pub fn open_in(dir: &Path, in_use: bool) -> Result<Vault> {
        if in_use && matches!(dir.join("vault.key").try_exists(), Ok(false)) {
            tracing::warn!("vault.key is missing; no password can be opened");
            return Ok(Vault(None));
        }
        let key = key_file::read_or_create(dir, "vault.key")?;
        Ok(Vault(Some(XChaCha20Poly1305::new(Key::from_slice(&*key)))))
    }

    fn key(&self) -> Result<&XChaCha20Poly1305> {
        self.0.as_ref().ok_or_else(missing)
    }

    /// Seals a secret to its endpoint: format, nonce, ciphertext with its tag.
    ///
    /// # Errors
    /// `refused` where the key is missing, `internal` where the system has no randomness.
    pub fn seal(&self, to: &SealedTo<'_>, secret: &Secret) -> Result<Vec<u8>> {
        let key = self.key()?;
        let mut nonce = [0u8; NONCE];
        getrandom::fill(&mut nonce).map_err(|_| Error::internal())?;
        let aad = to.associated();
        let payload = Payload {
            msg: secret.reveal().as_bytes(),
            aad: &aad,
        };
        let sealed = key
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
    /// `refused` for any other endpoint, key or bytes, for what was never sealed, and where the key is missing.
    pub fn open(&self, to: &SealedTo<'_>, sealed: &[u8]) -> Result<Secret> {
        let key = self.key()?;
        let (Some(&FORMAT), Some(nonce), Some(sealed)) =
            (sealed.first(), sealed.get(1..=NONCE), sealed.get(1 + NONCE..))
        else {
            return Err(unopened());
        };
        let aad = to.associated();
        let clear = key
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

fn missing() -> Error {
    Error::new(
        Code::Refused,
        "The key file vault.key is missing, and passwords are sealed under it; no other one is made in its place. Restore it from where you keep it. To go on without it, remove the accounts whose passwords it held, and add them again.",
    )
    .next("oaken accounts remove")
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
        let vault = Vault::open_in(dir.path(), false).expect("a key");
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
        let again = Vault::open_in(dir.path(), false).expect("a key");
        assert!(again.open(&TO, &sealed).is_ok());
    }

    #[test]
    fn a_missing_key_is_not_made_anew_while_passwords_are_sealed() {
        let (dir, vault) = vault();
        let sealed = vault.seal(&TO, &Secret::new("hunter2".into())).expect("sealed");
        let (key, away) = (dir.path().join("vault.key"), dir.path().join("away"));
        std::fs::rename(&key, &away).expect("lost");
        let without = Vault::open_in(dir.path(), true).expect("opened all the same");
        assert!(!key.exists());
        for refused in [
            without.open(&TO, &sealed).err(),
            without.seal(&TO, &Secret::new("x".into())).err(),
        ] {
            let e = refused.expect("refused");
            assert_eq!(e.code(), Code::Refused);
            assert!(
                e.message().starts_with("The key file vault.key is missing"),
                "{e}"
            );
        }
        std::fs::rename(&away, &key).expect("restored");
        let again = Vault::open_in(dir.path(), true).expect("a key");
        assert_eq!(again.open(&TO, &sealed).expect("opened").reveal(), "hunter2");
    }
}
