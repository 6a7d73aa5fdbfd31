//! Certificates of an authority of their own, made by openssl.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::program;

/// Writes an authority (`ca.pem`) and a certificate signed by it (`cert.pem`, `key.pem`) for `localhost` and
/// 127.0.0.1; rustls refuses one that is both.
///
/// # Panics
/// When openssl is missing or fails.
pub fn certificate(dir: &Path) {
    certificate_for(dir, "DNS:localhost,IP:127.0.0.1", 30);
}

/// The same for other names and another number of days; a negative one makes an expired certificate.
///
/// # Panics
/// When openssl is missing or fails.
pub fn certificate_for(dir: &Path, names: &str, days: i32) {
    let openssl = |args: &[&str]| {
        let out = Command::new(program("openssl"))
            .current_dir(dir)
            .args(args)
            .output()
            .expect("openssl runs");
        assert!(
            out.status.success(),
            "openssl: {}",
            String::from_utf8_lossy(&out.stderr)
        );
    };
    let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    let authority = [
        "-days",
        "30",
        "-subj",
        "/CN=test CA",
        "-addext",
        "basicConstraints=critical,CA:TRUE",
    ];
    let usage = [
        "-addext",
        "keyUsage=critical,keyCertSign",
        "-keyout",
        "ca.key",
        "-out",
        "ca.pem",
    ];
    openssl(&[&["req", "-x509"], &curve[..], &authority, &usage].concat());
    openssl(
        &[
            &["req"],
            &curve[..],
            &["-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "leaf.csr"],
        ]
        .concat(),
    );
    fs::write(
        dir.join("leaf.ext"),
        format!("subjectAltName={names}\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n"),
    )
    .expect("the extensions");
    let days = days.to_string();
    let signing = [
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        &days,
        "-extfile",
        "leaf.ext",
    ];
    openssl(
        &[
            &["x509", "-req", "-in", "leaf.csr", "-out", "cert.pem"][..],
            &signing,
        ]
        .concat(),
    );
}
