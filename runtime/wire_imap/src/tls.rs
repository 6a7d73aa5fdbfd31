//! TLS: whom to trust, and what a failed handshake means in words.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, InvalidMessage, RootCertStore,
    SignatureScheme,
};
use sha2::{Digest, Sha256};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::connect::Endpoint;
use crate::error::Fallible;
use crate::exec::Stream;
use crate::{Reason, TlsFault};

/// Bytes that a file of authorities may have; all of the web's are a fifth of it.
const CA_FILE: u64 = 1024 * 1024;

/// The configuration for an endpoint: the web's authorities, the authorities of a file, or one pinned certificate.
pub(crate) fn config(endpoint: &Endpoint) -> Fallible<Arc<ClientConfig>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|_| Reason::Tls(TlsFault::Handshake))?;
    let config = match endpoint.pinned_sha256 {
        Some(sha256) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Pinned { sha256, provider }))
            .with_no_client_auth(),
        None => builder
            .with_root_certificates(roots(endpoint.ca_file.as_deref())?)
            .with_no_client_auth(),
    };
    Ok(Arc::new(config))
}

fn roots(ca_file: Option<&Path>) -> Fallible<RootCertStore> {
    let mut store = RootCertStore::empty();
    let Some(path) = ca_file else {
        store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        return Ok(store);
    };
    let bad = Reason::Tls(TlsFault::CaFile);
    let pem = read_ca_file(path).map_err(|_| bad)?;
    for cert in CertificateDer::pem_slice_iter(&pem) {
        store.add(cert.map_err(|_| bad)?).map_err(|_| bad)?;
    }
    if store.is_empty() { Err(bad) } else { Ok(store) }
}

/// A regular file of a bounded size: a pipe or a device might never end. A link is followed, since a person named it.
fn read_ca_file(path: &Path) -> io::Result<Vec<u8>> {
    let unfit = || io::Error::from(io::ErrorKind::InvalidInput);
    let found = std::fs::metadata(path)?;
    if !found.is_file() || found.len() > CA_FILE {
        return Err(unfit());
    }
    let mut pem = Vec::new();
    std::fs::File::open(path)?
        .take(CA_FILE + 1)
        .read_to_end(&mut pem)?;
    if pem.len() as u64 > CA_FILE {
        Err(unfit())
    } else {
        Ok(pem)
    }
}

/// The handshake.
pub(crate) async fn handshake(
    stream: Box<dyn Stream>,
    config: Arc<ClientConfig>,
    host: ServerName<'static>,
) -> Fallible<TlsStream<Box<dyn Stream>>> {
    TlsConnector::from(config)
        .connect(host, stream)
        .await
        .map_err(|e| match read_fault(&e) {
            Reason::Eof => Reason::Tls(TlsFault::Handshake),
            other => other,
        })
}

/// What an error of a stream means; rustls hides its own inside an I/O error. Only the kind is kept.
pub(crate) fn read_fault(e: &io::Error) -> Reason {
    let Some(inner) = e.get_ref().and_then(|e| e.downcast_ref::<Error>()) else {
        return Reason::Eof;
    };
    Reason::Tls(match inner {
        Error::InvalidMessage(InvalidMessage::InvalidContentType) => TlsFault::PlainServer,
        Error::InvalidCertificate(fault) => certificate(fault),
        _ => TlsFault::Handshake,
    })
}

fn certificate(fault: &CertificateError) -> TlsFault {
    match fault {
        CertificateError::UnknownIssuer => TlsFault::UnknownIssuer,
        CertificateError::Expired
        | CertificateError::ExpiredContext { .. }
        | CertificateError::NotValidYet
        | CertificateError::NotValidYetContext { .. } => TlsFault::Expired,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            TlsFault::WrongHost
        }
        CertificateError::ApplicationVerificationFailure => TlsFault::NotPinned,
        _ => TlsFault::Certificate,
    }
}

/// Accepts one certificate and no other. Name, dates and issuer do not matter then: a person named this very one.
#[derive(Debug)]
struct Pinned {
    sha256: [u8; 32],
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if <[u8; 32]>::from(Sha256::digest(end_entity)) == self.sha256 {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(CertificateError::ApplicationVerificationFailure.into())
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(
            message,
            cert,
            dss,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(
            message,
            cert,
            dss,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ca_file_that_is_no_file_of_certificates_is_refused_and_never_waited_for() {
        let dir = std::env::temp_dir().join(format!("oaken-ca-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a folder");
        let (pipe, long, text) = (dir.join("pipe"), dir.join("long"), dir.join("text"));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|s| s.success()));
        std::fs::write(&long, vec![b'\n'; CA_FILE as usize + 1]).expect("written");
        std::fs::write(&text, "no certificate").expect("written");
        let device = Path::new("/dev/zero");
        for path in [&*pipe, &*long, &*text, &*dir, device, &dir.join("none")] {
            assert_eq!(
                roots(Some(path)).err(),
                Some(Reason::Tls(TlsFault::CaFile)),
                "{}",
                path.display()
            );
        }
        std::fs::remove_dir_all(&dir).expect("removed");
        assert!(!roots(None).expect("the web's").is_empty());
    }
}
