//! How much and how long. A server may be slow, broken or hostile; none of the three may hang or fill the process.

use std::time::Duration;

/// Bounds of one connection. The defaults are for real servers over slow lines; tests make them smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For one TCP dial, each address of the host by itself.
    pub connect: Duration,
    /// For the TLS handshake.
    pub tls: Duration,
    /// For the server's greeting.
    pub greeting: Duration,
    /// Silence instead of a greeting, after which a plain connection asks whether the port speaks TLS.
    pub greeting_probe: Duration,
    /// For a command, from its first byte to its tagged answer. Data that flows prolongs it: see `slowest`.
    pub command: Duration,
    /// The longest silence within a command.
    pub inactivity: Duration,
    /// Bytes a second above which an answer may take longer than `command`.
    pub slowest: u64,
    /// Bytes of one line of a response, literals not counted.
    pub line: usize,
    /// Bytes of one literal.
    pub literal: u64,
    /// Literals in one response.
    pub literals: usize,
    /// Bytes of all the answers to one command.
    pub answer: u64,
    /// Folders in one listing.
    pub folders: usize,
    /// Bytes of one command line (RFC 2683 §3.2.1.5 asks for about 1,000).
    pub command_line: usize,
    /// Messages whose header is asked for in one command.
    pub headers_at_once: usize,
    /// Messages whose body is asked for in one command.
    pub bodies_at_once: usize,
    /// Bytes of a header that are asked for.
    pub header: u32,
    /// Bytes of one piece of a message that is streamed.
    pub piece: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connect: Duration::from_secs(10),
            tls: Duration::from_secs(10),
            greeting: Duration::from_secs(20),
            greeting_probe: Duration::from_secs(4),
            command: Duration::from_secs(60),
            inactivity: Duration::from_secs(30),
            slowest: 8 * 1024,
            line: 4 * 1024 * 1024,
            literal: 32 * 1024 * 1024,
            literals: 256,
            answer: 256 * 1024 * 1024,
            folders: 10_000,
            command_line: 1_000,
            headers_at_once: 200,
            bodies_at_once: 20,
            header: 256 * 1024,
            piece: 1024 * 1024,
        }
    }
}
