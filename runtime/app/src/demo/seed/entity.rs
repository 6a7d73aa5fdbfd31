//! MIME entities (RFC 2045, 2046): a text, an attachment, several as one. Absent: parsing.

use super::encode::{Charset, base64, crlf, fingerprint, quoted_printable};

/// The `Content-*` lines of an entity, with CRLF, and its body.
#[derive(Debug, Clone)]
pub struct Entity {
    pub head: String,
    pub body: Vec<u8>,
}

/// A text part. Without a transfer encoding asked for, the gentlest that carries the bytes is taken.
pub fn text(subtype: &str, text: &str, charset: Charset, transfer: Option<&str>) -> Entity {
    let bytes = charset.encode(text);
    let ascii = bytes.is_ascii() && text.lines().all(|line| line.len() < 998);
    // Quoted-printable keeps Latin letters legible; for scripts of two bytes a letter it would triple them.
    let many_high = bytes.iter().filter(|byte| !byte.is_ascii()).count() * 4 > bytes.len();
    let transfer = transfer.unwrap_or(match (ascii, many_high) {
        (true, _) => "7bit",
        (false, true) => "base64",
        (false, false) => "quoted-printable",
    });
    let body = match transfer {
        "base64" => base64(&crlf(&bytes)),
        "quoted-printable" => quoted_printable(&bytes),
        _ => crlf(&bytes),
    };
    let label = charset.label;
    Entity {
        head: format!(
            "Content-Type: text/{subtype}; charset={label}\r\nContent-Transfer-Encoding: {transfer}\r\n"
        ),
        body,
    }
}

/// A file to save, in base64.
pub fn attachment(name: &str, media_type: &str, bytes: &[u8]) -> Entity {
    let file_name = if name.is_ascii() {
        format!("filename=\"{name}\"")
    } else {
        // RFC 2231: the only form for other letters that is not a bug somewhere.
        let escaped: String = name
            .bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' => char::from(byte).to_string(),
                _ => format!("%{byte:02X}"),
            })
            .collect();
        format!("filename*=utf-8''{escaped}")
    };
    Entity {
        head: format!(
            "Content-Type: {media_type}\r\nContent-Disposition: attachment;\r\n {file_name}\r\n\
             Content-Transfer-Encoding: base64\r\n"
        ),
        body: base64(bytes),
    }
}

/// Several entities as one; `seed` makes the boundary.
pub fn multipart(subtype: &str, seed: &str, parts: &[Entity]) -> Entity {
    let boundary = format!("=_{subtype}_{:016x}", fingerprint(seed));
    let size: usize = parts
        .iter()
        .map(|part| part.head.len() + part.body.len() + 64)
        .sum();
    let mut body = Vec::with_capacity(size + 64);
    for part in parts {
        body.extend_from_slice(format!("--{boundary}\r\n{}\r\n", part.head).as_bytes());
        body.extend_from_slice(&part.body);
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Entity {
        head: format!("Content-Type: multipart/{subtype};\r\n boundary=\"{boundary}\"\r\n"),
        body,
    }
}
