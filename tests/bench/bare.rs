//! The servers that Oaken's doors are compared with: the same libraries, answering a constant and checking nothing.

use std::sync::Arc;

use axum::Router;
use axum::routing::post;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

/// An axum server that parses its input and answers accounts that it makes up.
pub fn axum() {
    let answer = |body: axum::Json<Value>| async move {
        let _ = body;
        axum::Json(accounts())
    };
    serve(Router::new().route("/api/v1/operations/list_accounts", post(answer)));
}

/// An rmcp server with one tool.
pub fn rmcp() {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let service = StreamableHttpService::new(|| Ok(Bare), Arc::new(LocalSessionManager::default()), config);
    serve(Router::new().nest_service("/mcp", service));
}

fn serve(router: Router) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        println!("{}", listener.local_addr().expect("an address"));
        axum::serve(listener, router).await.expect("it serves");
    });
}

/// As long as what the demo's agent is answered.
fn accounts() -> Value {
    let account = |n: u8| json!({ "account_id": format!("a_000000000{n}"), "name": "An account of the demo", "address": "someone@harbour.example", "kind": "maildir", "workspace": "default" });
    json!({ "accounts": [account(1), account(2)] })
}

#[derive(Clone)]
struct Bare;

impl ServerHandler for Bare {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = json!({ "type": "object", "properties": {} })
            .as_object()
            .cloned()
            .unwrap_or_default();
        Ok(ListToolsResult::with_all_items(vec![Tool::new(
            "list_accounts",
            "Accounts.",
            Arc::new(schema),
        )]))
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResponse::Complete(CallToolResult::structured(accounts())))
    }
}
