//! Errors as problem documents (RFC 9457): the same object as at every door, with type, title and status.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use oaken_core::{Code, Error};
use serde_json::{Value, json};

/// An error on its way out over HTTP.
pub struct Problem {
    status: StatusCode,
    error: Error,
}

impl Problem {
    /// A problem with a status of HTTP's own: 405, 413, 415, 400.
    pub fn of_http(status: StatusCode, error: Error) -> Self {
        Problem { status, error }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let status = StatusCode::from_u16(error.code().http()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Problem { status, error }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        if let Some(place) = self.error.place() {
            tracing::error!(place, "internal");
        }
        let mut body = json!(self.error);
        if let Value::Object(map) = &mut body {
            map.insert("type".into(), "about:blank".into());
            map.insert(
                "title".into(),
                self.status.canonical_reason().unwrap_or("Error").into(),
            );
            map.insert("status".into(), self.status.as_u16().into());
        }
        let mut response = (self.status, body.to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        match self.error.code() {
            Code::Unauthenticated | Code::PresenceRequired => {
                headers.insert(
                    header::WWW_AUTHENTICATE,
                    HeaderValue::from_static("Bearer realm=\"oaken\""),
                );
            }
            Code::Busy => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            _ => {}
        }
        response
    }
}
