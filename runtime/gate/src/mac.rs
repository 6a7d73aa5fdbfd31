//! HMAC-SHA-256 over parts, each with its length before it, so that no two lists of parts read alike.

use hmac::{Hmac, Mac};
use oaken_core::{Error, Result};
use sha2::{Digest, Sha256};

pub(crate) fn mac<'a>(key: &[u8; 32], parts: impl IntoIterator<Item = &'a [u8]>) -> Result<[u8; 32]> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(|_| Error::internal())?;
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    Ok(mac.finalize().into_bytes().into())
}

/// What is stored of a token.
pub(crate) fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
