//! Which Host and Origin are served: exact matches only, so that a page elsewhere cannot reach this machine's Oaken
//! by a name of its own (DNS rebinding) or by a request of its own.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use oaken_core::{Code, Error};

use super::problem::Problem;

/// The hosts and origins that are served.
#[derive(Debug)]
pub struct Served {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Served {
    /// Loopback names at the port listened on, what the settings add, and the public URL.
    pub fn new(listening: SocketAddr, allowed_hosts: &[String], public_url: &str) -> Self {
        let port = listening.port();
        let mut hosts: Vec<String> = ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .map(|name| format!("{name}:{port}"))
            .collect();
        let mut origins: Vec<String> = hosts.iter().map(|host| format!("http://{host}")).collect();
        hosts.extend(allowed_hosts.iter().map(|h| h.to_ascii_lowercase()));
        if let Some((scheme, rest)) = public_url.split_once("://") {
            let host = rest.split('/').next().unwrap_or_default().to_ascii_lowercase();
            origins.push(format!("{}://{host}", scheme.to_ascii_lowercase()));
            hosts.push(host);
        }
        Served { hosts, origins }
    }

    /// The hosts, for what checks them itself.
    pub fn hosts(&self) -> &[String] {
        &self.hosts
    }

    /// The origins, for what checks them itself.
    pub fn origins(&self) -> &[String] {
        &self.origins
    }

    fn serves(&self, request: &Request) -> bool {
        let one = |name| {
            let mut all = request.headers().get_all(name).iter();
            let first = all
                .next()
                .map(|v| v.to_str().unwrap_or_default().to_ascii_lowercase());
            (first, all.next().is_some())
        };
        let (host, more_hosts) = one(header::HOST);
        let (origin, more_origins) = one(header::ORIGIN);
        // A request may name whom it is for in its target as well (RFC 9112 §3.2.2); that name would hold before Host.
        let named = request.uri().authority().map(|a| a.as_str().to_ascii_lowercase());
        let host_fits = host.is_some_and(|h| self.hosts.contains(&h) && named.is_none_or(|n| n == h));
        let origin_fits = origin.is_none_or(|o| self.origins.contains(&o));
        host_fits && origin_fits && !more_hosts && !more_origins
    }
}

/// Refuses what comes under another name or from another place, before anything else is looked at.
pub async fn check(State(served): State<Arc<Served>>, request: Request, next: Next) -> Response {
    if served.serves(&request) {
        return next.run(request).await;
    }
    let refused = Error::new(
        Code::Refused,
        "This Host or Origin is not served; see the settings http.allowed_hosts and http.public_url.",
    );
    Problem::of_http(StatusCode::FORBIDDEN, refused).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(host: Option<&str>, origin: Option<&str>, expected: bool) {
        let served = Served::new(
            ([127, 0, 0, 1], 7625).into(),
            &["mail.lan:7625".into()],
            "https://oaken.example/",
        );
        let mut request = Request::builder();
        if let Some(h) = host {
            request = request.header(header::HOST, h);
        }
        if let Some(o) = origin {
            request = request.header(header::ORIGIN, o);
        }
        assert_eq!(
            served.serves(&request.body(axum::body::Body::empty()).unwrap()),
            expected,
            "{host:?} {origin:?}"
        );
    }

    #[track_caller]
    fn check_target(target: &str, expected: bool) {
        let served = Served::new(([127, 0, 0, 1], 7625).into(), &[], "");
        let request = Request::builder()
            .uri(target)
            .header(header::HOST, "localhost:7625")
            .body(axum::body::Body::empty())
            .unwrap();
        assert_eq!(served.serves(&request), expected, "{target}");
    }

    #[test]
    fn a_target_names_no_other_host() {
        check_target("/api/v1/openapi.json", true);
        check_target("http://localhost:7625/api/v1/openapi.json", true);
        check_target("http://LOCALHOST:7625/", true);
        check_target("http://evil.example/api/v1/openapi.json", false);
        check_target("http://localhost/", false);
        check_target("http://me@localhost:7625/", false);
        check_target("http://127.0.0.1:7625/", false);
    }

    #[test]
    fn hosts_and_origins_are_exact() {
        check(Some("127.0.0.1:7625"), None, true);
        check(Some("localhost:7625"), Some("http://localhost:7625"), true);
        check(Some("[::1]:7625"), None, true);
        check(Some("mail.lan:7625"), None, true);
        check(Some("oaken.example"), Some("https://oaken.example"), true);
        check(Some("127.0.0.1:7625"), Some("http://evil.example"), false);
        check(Some("127.0.0.1:7625"), Some("null"), false);
        check(Some("127.0.0.1:7625"), Some("http://127.0.0.1:7626"), false);
        check(Some("127.0.0.1:7625"), Some("https://127.0.0.1:7625"), false);
        check(Some("127.0.0.1"), None, false);
        check(Some("127.0.0.1:80"), None, false);
        check(Some("0.0.0.0:7625"), None, false);
        check(Some("evil.example:7625"), None, false);
        check(Some("127.0.0.1:7625.evil.example"), None, false);
        check(None, None, false);
    }
}
