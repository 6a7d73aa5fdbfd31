//! Connections: how many at once, how long a client may take to ask, how they end.
//!
//! Absent on purpose: TLS and HTTP/2; a proxy before Oaken speaks those.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tower::ServiceExt;

/// How much a client may take up.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Connections at once; further ones wait to be accepted.
    pub connections: usize,
    /// How long the head of a request may take, counted from when one may come: an idle connection ends then too.
    pub head: Duration,
    /// How long a connection takes requests, and how long the last answer may take to be read.
    pub life: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 256,
            head: Duration::from_secs(30),
            life: Duration::from_secs(600),
        }
    }
}

/// Serves connections until `stop` resolves, then lets requests under way be answered.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, stop: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let (end, ends) = watch::channel(false);
    let mut open = JoinSet::new();
    tokio::pin!(stop);
    loop {
        let next = async {
            let place = places.clone().acquire_owned().await.ok();
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            () = &mut stop => break,
            next = next => next,
        };
        match accepted {
            Ok((stream, _)) => {
                open.spawn(connection(stream, router.clone(), limits, ends.clone(), place));
            }
            // Too many open files, mostly: some may be closed soon.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
        while open.try_join_next().is_some() {}
    }
    drop(listener);
    let _ = end.send(true);
    while open.join_next().await.is_some() {}
}

async fn connection(
    stream: TcpStream,
    router: Router,
    limits: Limits,
    mut ends: watch::Receiver<bool>,
    _place: Option<OwnedSemaphorePermit>,
) {
    let service = router.map_request(|request: Request<Incoming>| request.map(Body::new));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        // A client that has sent its request may close its side and still gets the answer.
        .half_close(true)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    tokio::pin!(connection);
    // How a client broke off is its own affair.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = ends.wait_for(|end| *end) => {}
        () = tokio::time::sleep(limits.life) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = tokio::time::timeout(limits.life, connection).await;
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::oneshot;
    use tokio::time::timeout;

    use super::*;

    const SOON: Duration = Duration::from_secs(20);
    const ASK: &[u8] = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    async fn started(
        limits: Limits,
    ) -> (
        std::net::SocketAddr,
        oneshot::Sender<()>,
        tokio::task::JoinHandle<()>,
    ) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel::<()>();
        let slow = get(|| async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            "late"
        });
        let router = Router::new()
            .route("/", get(|| async { "ok" }))
            .route("/slow", slow);
        let serving = tokio::spawn(serve(listener, router, limits, async {
            let _ = stopped.await;
        }));
        (address, stop, serving)
    }

    /// What comes back until the connection ends.
    async fn all(mut stream: TcpStream) -> String {
        let mut said = Vec::new();
        let _ = timeout(SOON, stream.read_to_end(&mut said))
            .await
            .expect("the end");
        String::from_utf8_lossy(&said).into_owned()
    }

    #[tokio::test]
    async fn a_client_that_does_not_finish_its_question_is_let_go_and_frees_its_place() {
        let limits = Limits {
            connections: 2,
            head: Duration::from_millis(400),
            ..Limits::default()
        };
        let (address, _stop, _) = started(limits).await;
        let mut slow = Vec::new();
        for _ in 0..2 {
            let mut stream = TcpStream::connect(address).await.expect("a connection");
            stream.write_all(b"GET / HTTP/1.1\r\nHos").await.expect("sent");
            slow.push(stream);
        }
        let mut third = TcpStream::connect(address).await.expect("a connection");
        third.write_all(ASK).await.expect("sent");
        let mut first = [0; 1];
        let early = timeout(Duration::from_millis(100), third.read(&mut first)).await;
        assert!(
            early.is_err(),
            "a third connection is served while two hold the places"
        );
        for stream in slow {
            assert!(!all(stream).await.contains("ok"));
        }
        assert!(all(third).await.ends_with("ok"));
    }

    #[tokio::test]
    async fn a_client_that_closes_its_side_still_gets_its_answer() {
        let (address, _stop, _) = started(Limits::default()).await;
        let mut client = TcpStream::connect(address).await.expect("a connection");
        client
            .write_all(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            .await
            .expect("sent");
        client.shutdown().await.expect("closed");
        assert!(all(client).await.ends_with("late"));
    }

    #[tokio::test]
    async fn a_client_that_asks_and_never_reads_is_let_go() {
        let limits = Limits {
            connections: 1,
            life: Duration::from_millis(300),
            ..Limits::default()
        };
        let (address, _stop, _) = started(limits).await;
        let mut deaf = TcpStream::connect(address).await.expect("a connection");
        // Until no buffer on the way takes any more: the server waits for its answers to be read.
        let many = ASK.repeat(1000);
        while timeout(Duration::from_millis(100), deaf.write_all(&many))
            .await
            .is_ok_and(|sent| sent.is_ok())
        {}
        let mut next = TcpStream::connect(address).await.expect("a connection");
        next.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            .await
            .expect("sent");
        assert!(all(next).await.ends_with("ok"));
    }

    #[tokio::test]
    async fn a_request_under_way_is_answered_at_the_end_and_idle_connections_close() {
        let (address, stop, serving) = started(Limits::default()).await;
        let idle = TcpStream::connect(address).await.expect("a connection");
        let mut busy = TcpStream::connect(address).await.expect("a connection");
        busy.write_all(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            .await
            .expect("sent");
        tokio::time::sleep(Duration::from_millis(100)).await;
        stop.send(()).expect("told");
        assert!(all(busy).await.ends_with("late"));
        assert_eq!(all(idle).await, "");
        timeout(SOON, serving).await.expect("in time").expect("the end");
    }
}
