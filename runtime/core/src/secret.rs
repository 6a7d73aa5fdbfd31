//! Secrets. They can be read at the moment of use and can be neither printed nor serialised by accident.

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A secret that came in: a password, a token. No `Debug`, no `Serialize`; wiped when dropped.
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// Takes a secret in.
    #[must_use]
    pub fn new(secret: String) -> Self {
        Self(SecretString::from(secret))
    }

    /// The secret in clear, for the endpoint it was given for and nothing else.
    #[must_use]
    pub fn reveal(&self) -> &str {
        self.0.expose_secret()
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d).map(Secret::new)
    }
}

/// A secret that Oaken made and shows once, to a person's door. Stored only as a hash.
pub struct IssuedSecret(SecretString);

impl IssuedSecret {
    /// A new secret of 32 random bytes in hex behind a prefix that says what it is: `oak_agent_…`.
    ///
    /// # Panics
    /// When the operating system has no randomness to give.
    #[must_use]
    pub fn random(prefix: &'static str) -> Self {
        let mut bytes = [0u8; 32];
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        Self(SecretString::from(format!("{prefix}_{hex}")))
    }

    /// The secret in clear, to hash it or to hand it out.
    #[must_use]
    pub fn reveal(&self) -> &str {
        self.0.expose_secret()
    }
}

/// Serialises in clear: this type exists only in the one answer that hands it out.
impl Serialize for IssuedSecret {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.reveal())
    }
}
