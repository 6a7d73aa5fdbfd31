//! The body of a request, whole, within a size and a time.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use oaken_core::{Code, Error, Fault};

use super::problem::Problem;

/// The most bytes of a request.
pub const MOST: usize = 1024 * 1024;
/// How long a body may take.
const TIME: Duration = Duration::from_secs(30);

/// Reads a body.
///
/// # Errors
/// 413 where it is over [`MOST`], 408 where it does not come in time, 400 where it breaks off or is not framed as
/// HTTP/1.1 says.
pub async fn read(body: Body) -> Result<Bytes, Problem> {
    within(body, TIME).await
}

async fn within(body: Body, time: Duration) -> Result<Bytes, Problem> {
    let problem = |status, text| Err(Problem::of_http(status, Error::new(Code::InvalidInput, text)));
    match tokio::time::timeout(time, Limited::new(body, MOST).collect()).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(e)) if e.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => problem(
            StatusCode::BAD_REQUEST,
            "The body of the request broke off or is not framed as HTTP/1.1 says.",
        ),
        Err(_) => problem(
            StatusCode::REQUEST_TIMEOUT,
            "The body of the request did not come in time.",
        ),
    }
}

fn too_large() -> Problem {
    let error = Error::new(Code::InvalidInput, "The request is larger than Oaken takes.")
        .fault(Fault::new("", "is larger than 1 MiB"));
    Problem::of_http(StatusCode::PAYLOAD_TOO_LARGE, error)
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use axum::response::IntoResponse;
    use hyper::body::Frame;

    use super::*;

    /// A body that fails, or never comes.
    struct Odd {
        fails: bool,
    }

    impl hyper::body::Body for Odd {
        type Data = Bytes;
        type Error = std::io::Error;
        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
            match self.fails {
                true => Poll::Ready(Some(Err(std::io::ErrorKind::InvalidInput.into()))),
                false => Poll::Pending,
            }
        }
    }

    async fn check(body: Body, expected: Result<usize, u16>) {
        let got = within(body, Duration::from_millis(50)).await;
        let got = got
            .map(|bytes| bytes.len())
            .map_err(|problem| problem.into_response().status().as_u16());
        assert_eq!(got, expected);
    }

    #[tokio::test]
    async fn each_way_to_fail_has_its_own_status() {
        check(Body::from("{}"), Ok(2)).await;
        check(Body::from(vec![b' '; MOST]), Ok(MOST)).await;
        check(Body::from(vec![b' '; MOST + 1]), Err(413)).await;
        check(Body::new(Odd { fails: true }), Err(400)).await;
        check(Body::new(Odd { fails: false }), Err(408)).await;
    }
}
