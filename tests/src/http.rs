//! A small HTTP/1.1 client over one connection that is kept. It sends exactly what a test says, also what is wrong.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// A connection.
pub struct Http {
    connection: BufReader<TcpStream>,
    host: String,
    token: String,
}

/// A reply.
#[derive(Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Http {
    /// Connects to `127.0.0.1:PORT`.
    ///
    /// # Panics
    /// When nobody listens there.
    #[must_use]
    pub fn connect(address: &str, token: &str) -> Self {
        let stream = TcpStream::connect(address).expect("the daemon listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(120)))
            .expect("a timeout");
        stream.set_nodelay(true).expect("no delay");
        Http {
            connection: BufReader::new(stream),
            host: address.to_owned(),
            token: token.to_owned(),
        }
    }

    /// Calls an operation.
    ///
    /// # Panics
    /// When the connection breaks.
    pub fn call(&mut self, operation: &str, input: &Value) -> Reply {
        self.post(
            &format!("/api/v1/operations/{operation}"),
            &[],
            input.to_string().as_bytes(),
        )
    }

    /// Posts JSON with this connection's token and these headers besides.
    ///
    /// # Panics
    /// When the connection breaks.
    pub fn post(&mut self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let (host, bearer) = (self.host.clone(), format!("Bearer {}", self.token));
        let mut all = vec![
            ("Host", host.as_str()),
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
        ];
        all.extend_from_slice(headers);
        self.send("POST", path, &all, body)
    }

    /// Sends a request with these headers and no others but the length.
    ///
    /// # Panics
    /// When the connection breaks.
    pub fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut head = format!("{method} {path} HTTP/1.1\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        let stream = self.connection.get_mut();
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(body);
        stream.write_all(&bytes).expect("the request is taken");
        self.reply()
    }

    fn reply(&mut self) -> Reply {
        let first = self.line();
        let status = first
            .split(' ')
            .nth(1)
            .and_then(|s| s.parse().ok())
            .unwrap_or_else(|| panic!("no status: {first:?}"));
        let mut headers = vec![];
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let find = |name: &str| headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
        let body = match (find("content-length"), find("transfer-encoding")) {
            (Some(length), _) => self.bytes(length.parse().expect("a length")),
            (None, Some(_)) => self.chunks(),
            (None, None) => vec![],
        };
        Reply {
            status,
            headers,
            body,
        }
    }

    fn chunks(&mut self) -> Vec<u8> {
        let mut body = vec![];
        loop {
            let length = usize::from_str_radix(self.line().trim(), 16).expect("a chunk's length");
            body.extend(self.bytes(length));
            self.line();
            if length == 0 {
                return body;
            }
        }
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.connection.read_exact(&mut bytes).expect("the whole body");
        bytes
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.connection.read_line(&mut line).expect("a line of the reply");
        line.trim_end().to_owned()
    }
}

impl Reply {
    /// The body as JSON.
    ///
    /// # Panics
    /// When it is none.
    #[track_caller]
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| {
            panic!(
                "{}: no JSON: {}",
                self.status,
                String::from_utf8_lossy(&self.body)
            )
        })
    }

    /// The body of a 200.
    ///
    /// # Panics
    /// When it is another status.
    #[track_caller]
    pub fn done(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }

    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
    }
}
