//! Who calls: the bearer token of a request, read for each request anew.

use axum::http::{HeaderMap, header};
use oaken_core::{Code, Door, Error, Result};
use oaken_gate::{Caller, Gate};

/// The caller of a request: an agent by its token, a person by a personal token.
///
/// # Errors
/// `unauthenticated`, in the same words whether the token is missing, malformed, unknown, revoked or expired.
pub fn caller(gate: &Gate, headers: &HeaderMap) -> Result<Caller> {
    let refused = || {
        Error::new(
            Code::Unauthenticated,
            "Give a valid token as Authorization: Bearer.",
        )
        .next("oaken tokens create NAME")
    };
    let mut given = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (given.next(), given.next()) else {
        return Err(refused());
    };
    let token = value
        .to_str()
        .ok()
        .and_then(|v| v.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token.trim())
        .ok_or_else(refused)?;
    gate.authenticate(token, Door::Ui).map_err(|e| {
        if e.code() == Code::Unauthenticated {
            refused()
        } else {
            e
        }
    })
}
