//! Streamable HTTP: stateless, JSON answers, the caller read from each request.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use oaken_core::{Code, Error};
use oaken_gate::Gate;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tower::util::BoxCloneSyncService;
use tower::{ServiceBuilder, ServiceExt, service_fn};

use super::handler::Oaken;
use crate::http::{Problem, Served, bearer_caller};

/// The service mounted at `/mcp`. A session would not be bound to whoever opened it, so there are none.
pub fn over_http(gate: &Arc<Gate>, served: &Served) -> BoxCloneSyncService<Request, Response, Infallible> {
    let handler = Oaken {
        gate: gate.clone(),
        stdio_token: None,
    };
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(1024 * 1024)
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
            mcp.oneshot(request).await.map(|response| response.map(Body::new))
        }
    });
    BoxCloneSyncService::new(ServiceBuilder::new().service(service))
}

fn not_an_agent() -> Error {
    Error::new(Code::Unauthenticated, "MCP takes an agent's token.").next("oaken agents add NAME")
}
