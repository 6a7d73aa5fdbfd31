//! Streamable HTTP: stateless, JSON answers, the caller read from each request.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use oaken_core::{Code, Error, Param};
use oaken_gate::Gate;
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tower::util::BoxCloneSyncService;
use tower::{ServiceBuilder, ServiceExt, service_fn};

use super::frame;
use super::handler::Oaken;
use crate::http::{Problem, Served, bearer_caller, is_json, json, no_json, read_body, wrong_method};

/// The header that names the protocol's version, and the latest one.
const VERSION: &str = "mcp-protocol-version";
const LATEST: &str = "2026-07-28";

/// The service mounted at `/mcp`. A session would not be bound to whoever opened it, so there are none.
pub fn over_http(gate: &Arc<Gate>, served: &Served) -> BoxCloneSyncService<Request, Response, Infallible> {
    let handler = Oaken {
        gate: gate.clone(),
        stdio_token: None,
    };
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(frame::MOST)
        .with_allowed_hosts(served.hosts().to_vec())
        .with_allowed_origins(served.origins().to_vec())
        .enforce_origin_validation();
    let mcp = StreamableHttpService::new(
        move || Ok(handler.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let gate = gate.clone();
    let service = service_fn(move |mut request: Request| {
        let (gate, mcp) = (gate.clone(), mcp.clone());
        async move {
            let caller = match bearer_caller(&gate, request.headers()) {
                Ok(caller) if caller.is_agent() => caller,
                Ok(_) => return Ok(Problem::from(not_an_agent()).into_response()),
                Err(e) => return Ok(Problem::from(e).into_response()),
            };
            request.extensions_mut().insert(caller);
            match looked_at(request).await {
                Ok(request) => mcp.oneshot(request).await.map(|response| response.map(Body::new)),
                Err(refusal) => Ok(refusal),
            }
        }
    });
    BoxCloneSyncService::new(ServiceBuilder::new().service(service))
}

/// The longest Mcp-Name or Mcp-Method, which rmcp repeats where they differ from the frame.
const LONGEST_WORD: usize = 128;

/// Looks at a request before rmcp does, whose own words could repeat what was sent.
async fn looked_at(request: Request) -> Result<Request, Response> {
    if request.method() != Method::POST {
        let mut refusal = wrong_method().await.into_response();
        refusal
            .headers_mut()
            .insert(header::ALLOW, HeaderValue::from_static("POST"));
        return Err(refusal);
    }
    if !is_json(request.headers()) {
        return Err(no_json().into_response());
    }
    let (parts, body) = request.into_parts();
    let bytes = read_body(body).await.map_err(IntoResponse::into_response)?;
    let frame = frame::check(&bytes).map_err(|refusal| json(StatusCode::BAD_REQUEST, &refusal))?;
    let long = |name: &str| parts.headers.get_all(name).iter().any(|v| v.len() > LONGEST_WORD);
    if long("mcp-name") || long("mcp-method") {
        let e = Error::new(
            Code::InvalidInput,
            "Mcp-Name and Mcp-Method are at most 128 bytes long.",
        );
        return Err(Problem::of_http(StatusCode::BAD_REQUEST, e).into_response());
    }
    let mut versions = parts.headers.get_all(VERSION).iter();
    if !versions.all(|v| is_served(v.as_bytes(), frame.names_version)) {
        let e = Error::new(
            Code::InvalidInput,
            "This MCP-Protocol-Version is not served here; the latest that is: {latest}.",
        )
        .with("latest", Param::Word(LATEST));
        return Err(Problem::of_http(StatusCode::BAD_REQUEST, e).into_response());
    }
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

/// Whether a version may reach rmcp: one it knows, or one of the right form where the frame has its say as well.
fn is_served(version: &[u8], frame_names_one: bool) -> bool {
    let of_the_form = || {
        version.len() <= 64
            && version
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || b"-._".contains(b))
    };
    ProtocolVersion::KNOWN_VERSIONS
        .iter()
        .any(|known| known.as_str().as_bytes() == version)
        || frame_names_one && of_the_form()
}

fn not_an_agent() -> Error {
    Error::new(Code::Unauthenticated, "MCP takes an agent's token.").next("oaken agents add NAME")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(version: &str, frame_names_one: bool, expected: bool) {
        assert_eq!(
            is_served(version.as_bytes(), frame_names_one),
            expected,
            "{version}"
        );
    }

    #[test]
    fn only_known_versions_reach_rmcp_but_where_the_frame_has_its_say() {
        assert_eq!(ProtocolVersion::LATEST.as_str(), LATEST);
        check(LATEST, false, true);
        check("2025-06-18", false, true);
        check("2099-01-01", false, false);
        check("2099-01-01", true, true);
        check("", false, false);
        check("2025-06-18, 2025-06-18", true, false);
        check(&"9".repeat(65), true, false);
    }
}
