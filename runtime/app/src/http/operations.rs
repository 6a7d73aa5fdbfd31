//! `POST /api/v1/operations/{name}`: one call of the gate.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use oaken_core::{Answer, Code, Error};
use oaken_gate::{Gate, Input};
use serde_json::Value;

use super::problem::Problem;
use super::server::Shared;
use super::{bearer, body};
use crate::calls;

/// Calls an operation. The body is its input; `confirm` and `proposal_token` may stand in it.
pub async fn call(
    State(shared): State<Shared>,
    name: Result<Path<String>, axum::extract::rejection::PathRejection>,
    headers: HeaderMap,
    content: Body,
) -> Result<Response, Problem> {
    let caller = bearer::caller(&shared.gate, &headers)?;
    let Ok(Path(name)) = name else {
        return Err(Error::not_available().into());
    };
    if !is_json(&headers) {
        return Err(no_json());
    }
    let bytes = body::read(content).await?;
    let mut input = oaken_gate::input::parse(&bytes)?;
    let confirmation = Gate::lift(&mut input)?;
    let answer = calls::detached(&shared.gate, caller, name, Input::Value(input), confirmation).await?;
    let status = match &answer {
        Answer::Done { .. } => StatusCode::OK,
        Answer::Proposed(_) => StatusCode::ACCEPTED,
    };
    Ok(json(status, &calls::as_json(&answer)))
}

/// A JSON response that nobody may store.
pub fn json(status: StatusCode, body: &Value) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, body.to_string()).into_response()
}

/// Whether a request says that its body is JSON.
pub fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|v| v.to_str().ok())
        .and_then(|v| v.split(';').next())
        .is_some_and(|t| t.trim().eq_ignore_ascii_case("application/json"))
}

/// 415.
pub fn no_json() -> Problem {
    let wrong = Error::new(
        Code::InvalidInput,
        "The Content-Type of the request has to be application/json.",
    );
    Problem::of_http(StatusCode::UNSUPPORTED_MEDIA_TYPE, wrong)
}
