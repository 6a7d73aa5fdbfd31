//! The form of settings that are more than a string: a time zone, a URL, hosts.
//!
//! Absent on purpose: whether a host can be reached. That is not what a setting says.

use oaken_core::settings::SettingSpec;
use serde_json::Value;

/// Whether a value has the form that this setting needs; every value of a setting that needs none has it.
pub(crate) fn is_well_formed(spec: &SettingSpec, value: &Value) -> bool {
    let string = value.as_str().unwrap_or_default();
    match spec.key {
        "general.time_zone" => is_zone(string),
        "http.public_url" => string.is_empty() || is_url(string),
        "http.allowed_hosts" => value
            .as_array()
            .is_some_and(|hosts| hosts.iter().all(|h| h.as_str().is_some_and(is_host))),
        _ => true,
    }
}

/// Whether what a well-formed value names is there.
pub(crate) fn is_there(spec: &SettingSpec, value: &Value) -> bool {
    spec.key != "general.time_zone"
        || value
            .as_str()
            .is_some_and(|name| jiff::tz::TimeZone::get(name).is_ok())
}

/// What such a setting takes, in words.
pub(crate) fn accepts(spec: &SettingSpec) -> Option<&'static str> {
    match spec.key {
        "general.time_zone" => Some("the name of an IANA time zone, as Europe/Berlin"),
        "http.public_url" => Some("https://HOST or http://HOST, with a port where it has one; or nothing"),
        "http.allowed_hosts" => Some("HOST or HOST:PORT, parted by commas"),
        _ => None,
    }
}

/// A name that can be no path out of the folder of time zones.
fn is_zone(name: &str) -> bool {
    name.len() <= 64
        && name.split('/').all(|part| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"_+-".contains(&b))
        })
}

/// Scheme and authority, and at most the one slash after it: Oaken is not served under a path.
fn is_url(url: &str) -> bool {
    let (scheme, rest) = url.split_once("://").unwrap_or_default();
    let is_web = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    is_web && is_host(rest.strip_suffix('/').unwrap_or(rest))
}

/// A name, an IPv4 address or an IPv6 address in brackets, and a port where one is given (RFC 3986 §3.2).
fn is_host(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, after)) => {
            let port = after.strip_prefix(':');
            if address.parse::<std::net::Ipv6Addr>().is_err() || (port.is_none() && !after.is_empty()) {
                return false;
            }
            return port.is_none_or(is_port);
        }
        None => host
            .split_once(':')
            .map_or((host, None), |(name, port)| (name, Some(port))),
    };
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
    };
    name.len() <= 253 && name.split('.').all(is_label) && port.is_none_or(is_port)
}

fn is_port(port: &str) -> bool {
    port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|p| p > 0)
}

#[cfg(test)]
mod tests {
    use oaken_core::settings::find;
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(key: &str, value: &Value, expected: bool) {
        let spec = find(key).expect("a setting");
        assert_eq!(
            is_well_formed(spec, value) && is_there(spec, value),
            expected,
            "{key} {value}"
        );
    }

    #[test]
    fn a_time_zone_is_one_that_there_is() {
        check("general.time_zone", &json!("UTC"), true);
        for no in [
            "",
            "Nowhere/Atlantis",
            "../../etc/passwd",
            "/etc/localtime",
            "Europe//Berlin",
            "Europe/Berlin\n",
        ] {
            check("general.time_zone", &json!(no), false);
        }
        let spec = find("general.time_zone").expect("a setting");
        assert!(is_well_formed(spec, &json!("America/Argentina/Buenos_Aires")));
        assert!(is_well_formed(spec, &json!("Etc/GMT+5")));
    }

    #[test]
    fn a_url_is_of_the_web_and_of_a_host() {
        for yes in [
            "",
            "https://mail.example",
            "https://mail.example/",
            "http://10.0.0.7:8080",
            "HTTPS://[::1]:443",
        ] {
            check("http.public_url", &json!(yes), true);
        }
        for no in [
            "javascript:alert(1)",
            "ftp://mail.example",
            "https://",
            "https:///",
            "https://me@mail.example",
            "https://mail.example/oaken",
            "https://mail.example?x",
            "https://mail example",
            "mail.example",
        ] {
            check("http.public_url", &json!(no), false);
        }
    }

    #[test]
    fn a_host_is_a_name_or_an_address_with_or_without_a_port() {
        check("http.allowed_hosts", &json!([]), true);
        check(
            "http.allowed_hosts",
            &json!(["mail.lan:7624", "localhost", "[fe80::1]:80", "10.0.0.7"]),
            true,
        );
        for no in [
            "*",
            "*.lan",
            "",
            "mail.lan:",
            "mail.lan:0",
            "mail.lan:70000",
            "mail.lan:+80",
            "http://mail.lan",
            "mail.lan/x",
            "[::1",
            "[::1]x",
            "a..b",
            "-a.lan",
        ] {
            check("http.allowed_hosts", &json!(["mail.lan", no]), false);
        }
    }

    #[test]
    fn a_setting_without_a_form_takes_any_string() {
        check("mcp.workspaces", &json!(["*"]), true);
    }
}
