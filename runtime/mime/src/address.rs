//! Addresses: what a header holds, and the one strict grammar for what is ever sent or confirmed.
//! Absent: quoted local parts, comments, domain literals, non-ASCII local parts (SMTPUTF8). RFC 5321 allows them;
//! each of them has carried an injection or a look-alike (trust notes §0, row 4; cases C26 and C27).

use crate::clean::is_unsafe;

/// A mail address with its display name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// The display name, decoded and in one line; empty if there is none.
    pub name: String,
    /// `local@domain` as written, in one line. In a [`crate::View`] it may be anything a stranger wrote.
    pub addr: String,
}

/// What is wrong with an address. The sentence never holds the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressFault {
    /// Nothing there.
    Empty,
    /// Over 254 bytes, or over 64 before the `@`.
    TooLong,
    /// No `@`, or more than one.
    At,
    /// A control character, a blank, or one of `<>()[],;:\"`.
    Forbidden,
    /// The part before the `@` has other characters, or a dot at an end or twice in a row.
    Local,
    /// The domain is not made of letters, digits and hyphens in at least two labels.
    Domain,
    /// The domain has non-ASCII letters.
    DomainNotAscii,
    /// A label that starts with `xn--` is no punycode.
    Punycode,
}

impl AddressFault {
    /// What would be accepted.
    #[must_use]
    pub const fn accepted(self) -> &'static str {
        match self {
            Self::Empty | Self::At => "an address such as name@example.org",
            Self::TooLong => "an address of at most 254 bytes, with at most 64 before the @",
            Self::Forbidden => "an address without blanks, quotes, brackets, commas and control characters",
            Self::Local => "letters, digits, dots between them, and !#$%&'*+-/=?^_`{|}~ before the @",
            Self::Domain => "a domain such as example.org: labels of letters, digits and hyphens",
            Self::DomainNotAscii => "the domain in its xn-- form",
            Self::Punycode => "a domain whose xn-- labels are valid punycode (RFC 3492)",
        }
    }
}

impl std::fmt::Display for AddressFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.accepted())
    }
}

impl std::error::Error for AddressFault {}

/// Reads a bare `local@domain` by the strict grammar; the domain comes back in lower case.
///
/// # Errors
/// The first fault found.
pub fn strict_address(address: &str) -> Result<Address, AddressFault> {
    if address.is_empty() {
        return Err(AddressFault::Empty);
    }
    if address.len() > 254 {
        return Err(AddressFault::TooLong);
    }
    let forbidden = |c: char| c.is_control() || c.is_whitespace() || "<>()[],;:\\\"".contains(c);
    if address.contains(forbidden) || address.chars().any(is_unsafe) {
        return Err(AddressFault::Forbidden);
    }
    let (local, domain) = address.split_once('@').ok_or(AddressFault::At)?;
    if domain.contains('@') {
        return Err(AddressFault::At);
    }
    if local.len() > 64 {
        return Err(AddressFault::TooLong);
    }
    if local
        .split('.')
        .any(|atom| atom.is_empty() || !atom.bytes().all(is_atext))
    {
        return Err(AddressFault::Local);
    }
    strict_domain(domain)?;
    Ok(Address {
        name: String::new(),
        addr: format!("{local}@{}", domain.to_ascii_lowercase()),
    })
}

/// RFC 5322 atext.
fn is_atext(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte)
}

fn strict_domain(domain: &str) -> Result<(), AddressFault> {
    if !domain.is_ascii() {
        return Err(AddressFault::DomainNotAscii);
    }
    let is_ldh = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let labels: Vec<&str> = domain.split('.').collect();
    let all_digits = |label: &&str| label.bytes().all(|b| b.is_ascii_digit());
    if labels.len() < 2 || !labels.iter().all(|l| is_ldh(l)) || labels.last().is_some_and(all_digits) {
        return Err(AddressFault::Domain);
    }
    unicode_domain(domain).map(|_| ()).ok_or(AddressFault::Punycode)
}

/// The domain with its `xn--` labels in their own letters, to be shown beside the ASCII form and never instead of
/// it: that is where look-alikes live. None if a label is no punycode or decodes to plain ASCII.
#[must_use]
pub fn unicode_domain(domain: &str) -> Option<String> {
    let mut labels = Vec::new();
    for label in domain.split('.') {
        let ace = label.get(..4).filter(|head| head.eq_ignore_ascii_case("xn--"));
        match ace.and(label.get(4..)) {
            Some(encoded) => labels.push(punycode(encoded).filter(|decoded| is_label(decoded))?),
            None => labels.push(label.to_owned()),
        }
    }
    Some(labels.join("."))
}

/// Whether a decoded label could be one: more than ASCII, and nothing that is no letter of some script.
fn is_label(decoded: &str) -> bool {
    let fits = |c: char| {
        if c.is_ascii() {
            c.is_ascii_alphanumeric() || c == '-'
        } else {
            !c.is_whitespace() && !is_unsafe(c)
        }
    };
    !decoded.is_ascii() && decoded.chars().all(fits)
}

/// RFC 3492 §6.2, for one label.
fn punycode(encoded: &str) -> Option<String> {
    let (basic, extended) = encoded.rsplit_once('-').unwrap_or(("", encoded));
    let mut out: Vec<char> = basic.to_ascii_lowercase().chars().collect();
    let (mut n, mut i, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = extended.bytes().peekable();
    while digits.peek().is_some() {
        let before = i;
        let (mut weight, mut k) = (1_u32, 36_u32);
        loop {
            let digit = match digits.next()? {
                b @ b'a'..=b'z' => u32::from(b - b'a'),
                b @ b'A'..=b'Z' => u32::from(b - b'A'),
                b @ b'0'..=b'9' => u32::from(b - b'0') + 26,
                _ => return None,
            };
            i = i.checked_add(digit.checked_mul(weight)?)?;
            let threshold = k.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(36 - threshold)?;
            k += 36;
        }
        let len = u32::try_from(out.len()).ok()?.checked_add(1)?;
        let mut delta = if before == 0 {
            (i - before) / 700
        } else {
            (i - before) / 2
        };
        delta += delta / len;
        let mut steps = 0;
        while delta > 455 {
            delta /= 35;
            steps += 36;
        }
        bias = steps + 36 * delta / (delta + 38);
        n = n.checked_add(i / len)?;
        i %= len;
        out.insert(usize::try_from(i).ok()?, char::from_u32(n)?);
        i += 1;
    }
    Some(out.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, expected: Result<&str, AddressFault>) {
        assert_eq!(
            strict_address(address).map(|a| a.addr),
            expected.map(str::to_owned),
            "{address:?}"
        );
    }

    #[test]
    fn plain_addresses_pass() {
        check("anna.lind+news@Example.ORG", Ok("anna.lind+news@example.org"));
        check("o'brien@mail.example.co.uk", Ok("o'brien@mail.example.co.uk"));
        check("x@xn--bcher-kva.example", Ok("x@xn--bcher-kva.example"));
    }

    #[test]
    fn each_fault_is_named() {
        check("", Err(AddressFault::Empty));
        check("anna", Err(AddressFault::At));
        check("a@b@c.example", Err(AddressFault::At));
        check("anna lind@example.org", Err(AddressFault::Forbidden));
        check(
            "anna@example.org\r\nBcc: eve@example.net",
            Err(AddressFault::Forbidden),
        );
        check("anna\0@example.org", Err(AddressFault::Forbidden));
        check("Anna <anna@example.org>", Err(AddressFault::Forbidden));
        check(
            "\"a@ok.example> ORCPT=x\"@evil.example",
            Err(AddressFault::Forbidden),
        );
        check("anna(comment)@example.org", Err(AddressFault::Forbidden));
        check("anna\u{202e}@example.org", Err(AddressFault::Forbidden));
        check("anna\u{200b}@example.org", Err(AddressFault::Forbidden));
        check("anna..lind@example.org", Err(AddressFault::Local));
        check(".anna@example.org", Err(AddressFault::Local));
        check("ännä@example.org", Err(AddressFault::Local));
        check("anna@[127.0.0.1]", Err(AddressFault::Forbidden));
        check("anna@127.0.0.1", Err(AddressFault::Domain));
        check("anna@localhost", Err(AddressFault::Domain));
        check("anna@-a.example", Err(AddressFault::Domain));
        check("anna@a..example", Err(AddressFault::Domain));
        check("anna@exаmple.org", Err(AddressFault::DomainNotAscii));
        check("anna@xn--a.example", Err(AddressFault::Punycode));
        check("anna@xn--.example", Err(AddressFault::Domain));
        check(
            &format!("{}@example.org", "a".repeat(65)),
            Err(AddressFault::TooLong),
        );
        check(
            &format!("a@{}.example", "b.".repeat(130)),
            Err(AddressFault::TooLong),
        );
        check(
            &format!("a@{}.example", "b".repeat(64)),
            Err(AddressFault::Domain),
        );
    }

    #[test]
    fn punycode_is_shown_in_its_letters() {
        assert_eq!(
            unicode_domain("xn--bcher-kva.example").as_deref(),
            Some("bücher.example")
        );
        assert_eq!(unicode_domain("xn--80ak6aa92e.com").as_deref(), Some("аррӏе.com"));
        assert_eq!(
            unicode_domain("xn--fiqs8s.example").as_deref(),
            Some("中国.example")
        );
        assert_eq!(unicode_domain("plain.example").as_deref(), Some("plain.example"));
        assert_eq!(unicode_domain("xn--99999999999.example"), None);
    }
}
