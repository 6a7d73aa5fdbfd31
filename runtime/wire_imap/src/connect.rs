//! The dial: DNS, TCP, TLS at once or by STARTTLS, and the greeting. There is no way to a session without TLS.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::net::{TcpStream, lookup_host};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::error::Fallible;
use crate::exec::{Stream, Wire};
use crate::response::{Hint, Word};
use crate::{Capabilities, Limits, Peer, Phase, Reason, TlsFault, WireError, starttls, tls};

/// How a connection becomes a secure one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TlsMode {
    /// From the first byte, usually on port 993 (RFC 8314).
    Implicit,
    /// In clear, then STARTTLS, usually on port 143. Required, never optional.
    StartTls,
}

impl TlsMode {
    /// As an error names it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            TlsMode::Implicit => "implicit TLS",
            TlsMode::StartTls => "STARTTLS",
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            TlsMode::Implicit => TlsMode::StartTls,
            TlsMode::StartTls => TlsMode::Implicit,
        }
    }
}

/// Where to and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// A DNS name or an IP address; the certificate must be for it.
    pub host: String,
    /// The port.
    pub port: u16,
    /// How it is secured.
    pub tls: TlsMode,
    /// Authorities in PEM, instead of the web's.
    pub ca_file: Option<PathBuf>,
    /// SHA-256 of the server's certificate in DER; if set it is the only one accepted, whoever signed it.
    pub pinned_sha256: Option<[u8; 32]>,
}

/// A secure connection that has greeted; nobody is logged in.
pub struct Connected {
    pub(crate) wire: Wire,
    /// As the greeting under TLS told them. Nothing from before TLS is kept.
    pub(crate) greeted: Option<Capabilities>,
}

/// Connects. No credential is asked for or sent.
///
/// # Errors
/// Unresolved, unreachable, timeouts, every fault of TLS, a greeting that refuses or is none.
pub async fn connect(endpoint: &Endpoint, limits: &Limits) -> Result<Connected, WireError> {
    let peer = Arc::new(Peer {
        host: endpoint.host.clone(),
        port: endpoint.port,
        tls: endpoint.tls,
    });
    establish(endpoint, limits, &peer)
        .await
        .map_err(|reason| WireError {
            reason,
            peer: Arc::clone(&peer),
            unconfirmed: false,
        })
}

async fn establish(endpoint: &Endpoint, limits: &Limits, peer: &Arc<Peer>) -> Fallible<Connected> {
    let name = ServerName::try_from(endpoint.host.clone()).map_err(|_| Reason::Argument("host"))?;
    let config = tls::config(endpoint)?;
    let tcp = dial(endpoint, limits).await?;
    match endpoint.tls {
        TlsMode::Implicit => {
            let wire = secure(Box::new(tcp), config, name, limits, peer).await?;
            greeted(wire).await
        }
        TlsMode::StartTls => {
            let mut plain = Wire::new(Box::new(tcp), limits, Arc::clone(peer));
            match plain.greeting(limits.greeting_probe).await {
                // Silence: a slow server, or one that waits for a TLS handshake. Ask on a connection of its own.
                Err(Reason::Timeout(Phase::Greeting)) => {
                    if speaks_tls(endpoint, limits, config.clone(), name.clone()).await {
                        return Err(Reason::Tls(TlsFault::TlsServer));
                    }
                    let left = limits.greeting.saturating_sub(limits.greeting_probe);
                    starttls::accept(&plain.greeting(left).await?)?;
                }
                greeting => starttls::accept(&greeting?)?,
            }
            let stream = starttls::upgrade(plain).await?;
            let wire = secure(stream, config, name, limits, peer)
                .await
                .map_err(|reason| match reason {
                    // It had agreed to TLS: clear text now is text that does not belong there.
                    Reason::Tls(TlsFault::PlainServer) => Reason::Tls(TlsFault::Injected),
                    other => other,
                })?;
            Ok(Connected { wire, greeted: None })
        }
    }
}

/// The first line under TLS. PREAUTH would be a session of who knows whom.
pub(crate) async fn greeted(mut wire: Wire) -> Fallible<Connected> {
    let wait = wire.limits().greeting;
    let outcome = wire.greeting(wait).await?;
    if outcome.word == Word::Preauth {
        return Err(Reason::Tls(TlsFault::Preauth));
    }
    let greeted = match outcome.hint {
        Some(Hint::Capability(c)) => Some(c),
        _ => None,
    };
    Ok(Connected { wire, greeted })
}

async fn secure(
    stream: Box<dyn Stream>,
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
    limits: &Limits,
    peer: &Arc<Peer>,
) -> Fallible<Wire> {
    let stream = timeout(limits.tls, tls::handshake(stream, config, name))
        .await
        .map_err(|_| Reason::Timeout(Phase::Tls))??;
    Ok(Wire::new(Box::new(stream), limits, Arc::clone(peer)))
}

/// How long one address is tried alone before the next is tried beside it (RFC 8305 §5).
const HEAD_START: Duration = Duration::from_millis(250);

/// Tries the host's addresses in order, the next one as soon as one failed or is slow. The last one's fate is the
/// answer.
async fn dial(endpoint: &Endpoint, limits: &Limits) -> Fallible<TcpStream> {
    let found = timeout(
        limits.connect,
        lookup_host((endpoint.host.as_str(), endpoint.port)),
    )
    .await
    .map_err(|_| Reason::Timeout(Phase::Resolve))?
    .map_err(|_| Reason::Unresolved)?;
    let (mut left, mut tries, wait) = (found.take(6), JoinSet::new(), limits.connect);
    let mut fate = Reason::Unresolved;
    loop {
        let next = left.next();
        if let Some(address) = next {
            tries.spawn(async move { timeout(wait, TcpStream::connect(address)).await });
        }
        let patience = if next.is_some() {
            HEAD_START
        } else {
            wait + HEAD_START
        };
        match timeout(patience, tries.join_next()).await {
            Ok(None) if next.is_none() => return Err(fate),
            Ok(Some(Ok(Ok(Ok(tcp))))) => {
                // Small commands wait for an answer each: Nagle would only delay them.
                let _ = tcp.set_nodelay(true);
                return Ok(tcp);
            }
            Ok(Some(Ok(Ok(Err(_))))) => fate = Reason::Unreachable,
            Ok(Some(Ok(Err(_)))) => fate = Reason::Timeout(Phase::Connect),
            Ok(_) | Err(_) => {}
        }
    }
}

/// Whether a port answers a TLS handshake with TLS, be it only an alert or a certificate that is not trusted.
async fn speaks_tls(
    endpoint: &Endpoint,
    limits: &Limits,
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
) -> bool {
    let Ok(tcp) = dial(endpoint, limits).await else {
        return false;
    };
    match timeout(limits.greeting_probe, tls::handshake(Box::new(tcp), config, name)).await {
        Ok(Ok(_)) => true,
        Ok(Err(Reason::Tls(fault))) => !matches!(fault, TlsFault::PlainServer | TlsFault::Handshake),
        _ => false,
    }
}
