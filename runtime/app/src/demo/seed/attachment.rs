//! The content of the demo's attachments, made from their name: a page of PDF, a table, a picture, noise.
//!
//! Nothing of it lies in the repository; each is a pure function of the declaration.

use super::encode::fingerprint;
use super::entity::{Entity, attachment};

/// An attachment from its declaration: `plan.pdf a line | another`, `levels.csv 40` (rows),
/// `site.jpg 1048576` (bytes). Other extensions are text.
pub fn declared(declaration: &str) -> Entity {
    let (name, rest) = declaration.split_once(' ').unwrap_or((declaration, ""));
    let number = || rest.trim().parse::<usize>().unwrap_or(0);
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "pdf" => attachment(
            name,
            "application/pdf",
            &pdf(&rest.split(" | ").collect::<Vec<_>>()),
        ),
        "csv" => attachment(name, "text/csv; charset=utf-8", readings(number()).as_bytes()),
        "jpg" => attachment(name, "image/jpeg", &picture(name, number())),
        _ => attachment(
            name,
            "text/plain; charset=utf-8",
            rest.replace(" | ", "\r\n").as_bytes(),
        ),
    }
}

/// A valid PDF of one page with these lines of text.
fn pdf(lines: &[&str]) -> Vec<u8> {
    let mut page = String::from("BT /F1 12 Tf 14 TL 60 780 Td\n");
    for line in lines {
        let line = line.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        page.push_str(&format!("({line}) Tj T*\n"));
    }
    page.push_str("ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{page}\nendstream", page.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let mut out = String::from("%PDF-1.4\n");
    let mut table = String::from("0000000000 65535 f \n");
    for (index, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", out.len()));
        out.push_str(&format!("{} 0 obj\n{object}\nendobj\n", index + 1));
    }
    let start = out.len();
    let count = objects.len() + 1;
    out.push_str(&format!(
        "xref\n0 {count}\n{table}trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    ));
    out.into_bytes()
}

/// Rows of a sensor's readings.
fn readings(rows: usize) -> String {
    let mut out = String::from("minute,level_cm,salinity_psu,temperature_c\r\n");
    for row in 0..rows {
        let (level, salt, warmth) = (row * 37 % 91, row * 13 % 17, row * 7 % 23);
        out.push_str(&format!(
            "{},{},{}.{},{}.{}\r\n",
            row * 15,
            140 + level,
            18,
            salt % 10,
            7,
            warmth % 10
        ));
    }
    out
}

/// Bytes that begin like a JPEG and do not compress.
fn picture(name: &str, size: usize) -> Vec<u8> {
    let mut out = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00".to_vec();
    out.reserve(size);
    let mut state = fingerprint(name) | 1;
    while out.len() < size.saturating_sub(2) {
        // xorshift64: the same noise on every machine.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        out.extend_from_slice(&state.to_le_bytes());
    }
    out.truncate(size.saturating_sub(2));
    out.extend_from_slice(b"\xff\xd9");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pdf_has_its_cross_reference_where_it_says() {
        let bytes = pdf(&["Invoice (copy)", "Total"]);
        let text = String::from_utf8(bytes).unwrap();
        let start: usize = text
            .rsplit("startxref\n")
            .next()
            .unwrap()
            .lines()
            .next()
            .unwrap()
            .parse()
            .unwrap();
        assert!(text[start..].starts_with("xref\n0 6\n"));
        assert!(text.contains("(Invoice \\(copy\\)) Tj"));
        for (number, line) in text[start..].lines().skip(3).take(5).enumerate() {
            let at: usize = line[..10].parse().unwrap();
            assert!(text[at..].starts_with(&format!("{} 0 obj", number + 1)));
        }
    }

    #[test]
    fn a_picture_has_the_size_asked_for() {
        assert_eq!(picture("a.jpg", 10_000).len(), 10_000);
        assert_ne!(picture("a.jpg", 10_000), picture("b.jpg", 10_000));
    }

    #[test]
    fn readings_have_a_heading_and_rows() {
        assert_eq!(readings(3).lines().count(), 4);
        assert_eq!(readings(2).lines().nth(2), Some("15,177,18.3,7.7"));
    }
}
