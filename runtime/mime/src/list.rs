//! Mailing list fields: List-Id (RFC 2919), List-Unsubscribe (RFC 2369), one-click (RFC 8058).
//! Absent: any request. That a list offers one-click says nothing about whether it may be used.

use crate::clean::clean_line;

/// At most so many unsubscribe addresses are kept.
const MAX_UNSUBSCRIBE: usize = 20;

/// What a message says about its mailing list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListInfo {
    /// The identifier between the angle brackets of List-Id, in lower case; empty if there is none.
    pub list_id: String,
    /// The `https:`, `http:` and `mailto:` addresses of List-Unsubscribe, in the sender's order.
    pub unsubscribe: Vec<String>,
    /// An https address takes a POST without further questions (RFC 8058).
    pub one_click: bool,
}

/// Reads the three fields; none if the message has neither an id nor a way out.
pub(crate) fn read(id: Option<&str>, unsubscribe: Option<&str>, post: Option<&str>) -> Option<ListInfo> {
    let list_id = id.map(list_id).unwrap_or_default();
    let unsubscribe = unsubscribe.map(addresses).unwrap_or_default();
    if list_id.is_empty() && unsubscribe.is_empty() {
        return None;
    }
    let one_click = unsubscribe.iter().any(|u| has_scheme(u, "https:"))
        && post.is_some_and(|p| p.trim().eq_ignore_ascii_case("List-Unsubscribe=One-Click"));
    Some(ListInfo {
        list_id,
        unsubscribe,
        one_click,
    })
}

fn list_id(value: &str) -> String {
    let inner = value
        .rsplit_once('<')
        .and_then(|(_, rest)| rest.split_once('>'))
        .map(|(id, _)| id);
    clean_line(inner.unwrap_or(value)).text.to_lowercase()
}

fn addresses(value: &str) -> Vec<String> {
    let mut found = Vec::new();
    for piece in value.split('<').skip(1) {
        let Some((address, _)) = piece.split_once('>') else {
            continue;
        };
        let address: String = clean_line(address).text.split_whitespace().collect();
        let usable = ["https:", "http:", "mailto:"]
            .iter()
            .any(|scheme| has_scheme(&address, scheme));
        if usable && found.len() < MAX_UNSUBSCRIBE {
            found.push(address);
        }
    }
    found
}

fn has_scheme(address: &str, scheme: &str) -> bool {
    address
        .get(..scheme.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_addresses_and_one_click_are_read() {
        let list = read(
            Some("The Gardeners <Gardeners.Lists.Example>"),
            Some("<mailto:leave@lists.example?subject=x>,\r\n <https://lists.example/u/1 2>"),
            Some(" List-Unsubscribe=One-Click\r\n"),
        );
        let expected = ListInfo {
            list_id: "gardeners.lists.example".into(),
            unsubscribe: vec![
                "mailto:leave@lists.example?subject=x".into(),
                "https://lists.example/u/12".into(),
            ],
            one_click: true,
        };
        assert_eq!(list, Some(expected));
    }

    #[test]
    fn one_click_needs_https_and_other_schemes_are_dropped() {
        let list = read(
            None,
            Some("<http://a.example>, <javascript:x>"),
            Some("List-Unsubscribe=One-Click"),
        );
        let expected = ListInfo {
            unsubscribe: vec!["http://a.example".into()],
            ..ListInfo::default()
        };
        assert_eq!(list, Some(expected));
        assert_eq!(read(None, None, Some("List-Unsubscribe=One-Click")), None);
        assert_eq!(
            read(Some("plain.example"), None, None).map(|l| l.list_id),
            Some("plain.example".into())
        );
    }
}
