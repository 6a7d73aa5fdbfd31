//! The server: what it listens on, its routes, how it stops.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use oaken_core::{Code, Error, Param, Result};
use oaken_gate::Gate;
use tokio::net::TcpListener;

use super::connections::{self, Limits};
use super::origin::Served;
use super::problem::Problem;
use super::{operations, origin};
use crate::mcp;
use crate::open::App;

/// What the routes share.
#[derive(Clone)]
pub struct Shared {
    /// The one way to every operation.
    pub gate: Arc<Gate>,
}

/// A listening server, not serving yet.
pub struct Listening {
    listener: TcpListener,
    /// Where it listens; the port is the one the system gave where 0 was asked for.
    pub address: SocketAddr,
}

impl Listening {
    /// Listens on a loopback address.
    ///
    /// # Errors
    /// When the address is taken, or is not loopback.
    pub async fn on(address: SocketAddr) -> Result<Self> {
        if !address.ip().is_loopback() {
            return Err(Error::new(
                Code::InvalidInput,
                "Oaken listens on loopback addresses only; put a proxy before it.",
            ));
        }
        let taken = || {
            Error::new(
                Code::Busy,
                "The port {port} is taken; name another with --listen.",
            )
            .with("port", Param::Int(i64::from(address.port())))
        };
        let listener = TcpListener::bind(address).await.map_err(|_| taken())?;
        let address = listener.local_addr().map_err(|_| taken())?;
        Ok(Listening { listener, address })
    }
}

/// Serves until `stop` resolves; requests under way are answered.
///
/// # Errors
/// When the settings cannot be read.
pub async fn serve(
    app: &App,
    listening: Listening,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<()> {
    let settings = app.gate.settings()?;
    let served = Arc::new(Served::new(
        listening.address,
        &settings.list("http.allowed_hosts"),
        settings.string("http.public_url"),
    ));
    connections::serve(listening.listener, router(app, &served), Limits::default(), stop).await;
    Ok(())
}

fn router(app: &App, served: &Arc<Served>) -> Router {
    let shared = Shared {
        gate: app.gate.clone(),
    };
    Router::new()
        .route("/api/v1/operations/{name}", post(operations::call))
        .route("/api/v1/openapi.json", get(openapi))
        .route("/livez", get(|| async { "ok" }))
        .route("/readyz", get(ready))
        .route_service("/mcp", mcp::over_http(&app.gate, served))
        .fallback(nothing_here)
        .method_not_allowed_fallback(wrong_method)
        .with_state(shared)
        .layer(axum::middleware::from_fn_with_state(
            served.clone(),
            origin::check,
        ))
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], super::OPENAPI).into_response()
}

/// Ready when the database answers; servers of mail do not count.
async fn ready(State(shared): State<Shared>) -> std::result::Result<&'static str, Problem> {
    shared.gate.settings()?;
    Ok("ok")
}

async fn nothing_here(_: Uri) -> Problem {
    Error::not_available().into()
}

/// 405.
pub async fn wrong_method() -> Problem {
    let wrong = Error::new(
        Code::InvalidInput,
        "This address takes another method; operations take POST.",
    );
    Problem::of_http(StatusCode::METHOD_NOT_ALLOWED, wrong)
}
