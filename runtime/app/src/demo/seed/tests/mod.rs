//! What the demo mailbox promises to those who build on it: counts, ids, dates, and no real name.
//!
//! Charsets and the planted stories have files of their own.

mod charsets;
mod stories;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::*;

const NOW: i64 = 888_580_800;
static MAILBOX: LazyLock<Vec<SeedMessage>> = LazyLock::new(|| messages(NOW));

/// A header field, unfolded; 8-bit bytes replaced.
fn field(message: &SeedMessage, name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(&message.bytes);
    let head = text
        .split("\r\n\r\n")
        .next()
        .unwrap_or("")
        .replace("\r\n ", " ")
        .replace("\r\n\t", " ");
    head.split("\r\n").find_map(|line| {
        let (key, value) = line.split_once(": ")?;
        key.eq_ignore_ascii_case(name).then(|| value.to_owned())
    })
}

#[track_caller]
fn with_id(id: &str) -> &'static SeedMessage {
    MAILBOX
        .iter()
        .find(|message| field(message, "Message-ID").as_deref() == Some(id))
        .expect(id)
}

fn ids(list: &str) -> Vec<String> {
    list.split_whitespace().map(str::to_owned).collect()
}

/// The text without the soft line breaks of quoted-printable; 8-bit bytes replaced.
fn unfolded(message: &SeedMessage) -> String {
    String::from_utf8_lossy(&message.bytes).replace("=\r\n", "")
}

fn holds(message: &SeedMessage, needle: &str) -> bool {
    unfolded(message).contains(needle)
}

#[test]
fn no_stanza_has_a_fault() {
    for account in ACCOUNTS {
        assert_eq!(stanzas(account.key).1, [], "{}", account.key);
    }
}

#[test]
fn every_answer_answers_a_message_that_exists() {
    for account in ACCOUNTS {
        let answers = stanzas(account.key)
            .0
            .iter()
            .filter(|stanza| stanza.re.is_some())
            .count();
        let own = MAILBOX.iter().filter(|message| message.account == account.key);
        assert_eq!(
            own.filter(|message| field(message, "In-Reply-To").is_some())
                .count(),
            answers
        );
    }
}

#[test]
fn about_200_messages_lie_in_three_accounts() {
    assert!((190..=230).contains(&MAILBOX.len()), "{}", MAILBOX.len());
    assert_eq!(ACCOUNTS.len(), 3);
    for account in ACCOUNTS {
        let own = MAILBOX.iter().filter(|message| message.account == account.key);
        assert!(own.count() >= 30, "{}", account.key);
    }
    for message in &*MAILBOX {
        let account = ACCOUNTS
            .iter()
            .find(|account| account.key == message.account)
            .unwrap();
        assert!(
            account.folders.contains(&message.folder),
            "{} {}",
            account.key,
            message.folder
        );
        let flags: Vec<u8> = message.flags.bytes().collect();
        assert!(
            flags.is_sorted() && flags.iter().all(|flag| b"DFPRST".contains(flag)),
            "{}",
            message.flags
        );
        assert_eq!(message.flags.contains('D'), message.folder == "Drafts");
    }
}

#[test]
fn exactly_41_newsletters_have_the_fields_of_a_list() {
    let lists: Vec<_> = MAILBOX
        .iter()
        .filter(|message| field(message, "List-Id").is_some())
        .collect();
    assert_eq!(lists.len(), 41);
    for message in &lists {
        assert_eq!((message.account, message.folder), ("work", "INBOX"));
        let leave = field(message, "List-Unsubscribe").unwrap();
        assert!(
            leave.starts_with("<https://") && leave.contains("<mailto:"),
            "{leave}"
        );
        assert_eq!(
            field(message, "List-Unsubscribe-Post").as_deref(),
            Some("List-Unsubscribe=One-Click")
        );
    }
    let names: BTreeSet<_> = lists.iter().map(|message| field(message, "List-Id")).collect();
    assert_eq!(names.len(), 6);
}

#[test]
fn thirty_messages_are_unread_all_in_inboxes() {
    let unread: Vec<_> = MAILBOX
        .iter()
        .filter(|message| !message.flags.contains(['S', 'D']))
        .collect();
    assert_eq!(unread.len(), 30);
    assert!(
        unread
            .iter()
            .all(|message| message.folder == "INBOX" && message.flags.is_empty())
    );
    for id in [
        "<station-4@veddelsund-havn.example>",
        "<parking@nordkai-house.example>",
    ] {
        assert_eq!(with_id(id).flags, "");
    }
}

#[test]
fn ids_are_unique_but_for_the_planted_ones() {
    let mut count: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let mut without = 0;
    for message in &*MAILBOX {
        match field(message, "Message-ID") {
            Some(id) => *count.entry((message.account, id)).or_default() += 1,
            None => without += 1,
        }
    }
    assert_eq!(without, 1);
    let twice: Vec<_> = count.iter().filter(|(_, count)| **count > 1).collect();
    let ticket = ("work", "<ticket.notice@hebewerk-lifts.example>".to_owned());
    assert_eq!(twice, [(&ticket, &2)]);
    let mut accounts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (account, id) in count.keys() {
        accounts.entry(id).or_default().push(account);
    }
    accounts.retain(|_, accounts| accounts.len() > 1);
    let shared = [("<strandmar-swap@strandmar.example>", vec!["support", "work"])];
    assert_eq!(accounts, BTreeMap::from(shared));
}

#[test]
fn every_reference_names_an_older_message_of_the_account_at_any_hour() {
    for hour in 0..24 {
        let now = NOW + hour * 3600;
        let all = messages(now);
        let known: BTreeMap<_, _> = all
            .iter()
            .filter_map(|message| {
                Some((
                    (message.account, field(message, "Message-ID")?),
                    message.delivered,
                ))
            })
            .collect();
        for message in &all {
            assert!(message.delivered <= now);
            let date = field(message, "Date").unwrap();
            let date = jiff::fmt::rfc2822::parse(&date).unwrap().timestamp().as_second();
            assert!(
                date <= message.delivered && message.delivered - date < 120,
                "{date}"
            );
            let Some(chain) = field(message, "References") else {
                continue;
            };
            let chain = ids(&chain);
            assert_eq!(field(message, "In-Reply-To").as_ref(), chain.last());
            for id in chain {
                let before = known
                    .get(&(message.account, id.clone()))
                    .unwrap_or_else(|| panic!("{id}"));
                assert!(*before < message.delivered, "{id} at {hour}");
            }
        }
    }
}

#[test]
fn eight_threads_and_more_have_three_to_seven_messages() {
    let mut threads: BTreeMap<(&str, String), Vec<&SeedMessage>> = BTreeMap::new();
    for message in &*MAILBOX {
        let root = field(message, "References").and_then(|chain| ids(&chain).first().cloned());
        if let Some(root) = root.or_else(|| field(message, "Message-ID")) {
            threads.entry((message.account, root)).or_default().push(message);
        }
    }
    let long: Vec<_> = threads
        .values()
        .filter(|thread| (3..=7).contains(&thread.len()))
        .collect();
    assert!(long.len() >= 8, "{}", long.len());
    assert!(threads.values().all(|thread| thread.len() <= 7));
    assert!(
        long.iter()
            .all(|thread| thread.iter().any(|message| message.folder == "Sent"))
    );
}

#[test]
fn the_bytes_depend_on_the_present_alone() {
    assert!(messages(NOW) == *MAILBOX);
    let later = messages(NOW + 86_400 * 400);
    let moved = later.iter().map(|message| message.delivered - 86_400 * 400);
    assert!(moved.eq(MAILBOX.iter().map(|message| message.delivered)));
}

#[test]
fn an_absurd_present_is_answered_all_the_same() {
    for now in [i64::MIN, -1, 0, i64::MAX] {
        assert_eq!(messages(now).len(), MAILBOX.len());
    }
}

#[test]
fn lines_end_in_crlf_and_fit() {
    for message in &*MAILBOX {
        let name = field(message, "Subject").unwrap_or_default();
        let lines: Vec<&[u8]> = message.bytes.split(|byte| *byte == b'\n').collect();
        for line in &lines[..lines.len() - 1] {
            assert!(line.len() <= 999 && line.ends_with(b"\r"), "{name}");
            assert_eq!(line.iter().filter(|byte| **byte == b'\r').count(), 1, "{name}");
        }
    }
}

/// The hosts after each `@` and `://` of a text.
fn hosts(text: &str) -> Vec<String> {
    let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || b".-".contains(byte);
    let mut found = Vec::new();
    for (at, mark) in text.match_indices('@').chain(text.match_indices("://")) {
        let host = text.as_bytes()[at + mark.len()..]
            .iter()
            .take_while(|byte| is_host(byte));
        found.push(
            host.map(|byte| char::from(*byte))
                .collect::<String>()
                .trim_end_matches('.')
                .to_owned(),
        );
    }
    found
}

#[test]
fn every_host_is_reserved_for_examples() {
    let mut seen = 0;
    for message in &*MAILBOX {
        // In these two an `@` may be half of a letter; their text is checked in the stanza files below.
        let kind = field(message, "Content-Type").unwrap_or_default();
        let letters = kind.contains("iso-2022-jp") || kind.contains("gb18030");
        let text = unfolded(message);
        let text = if letters {
            text.split("\r\n\r\n").next().unwrap_or("")
        } else {
            &text
        };
        for host in hosts(text) {
            assert!(host.ends_with(".example") || host.ends_with(".test"), "{host:?}");
            seen += 1;
        }
    }
    assert!(seen > 600, "{seen}");
    for host in STANZAS
        .iter()
        .flat_map(|(_, files)| files.iter())
        .flat_map(|file| hosts(file))
    {
        assert!(host.ends_with(".example") || host.ends_with(".test"), "{host:?}");
    }
}

#[test]
fn no_data_file_names_a_year() {
    for file in STANZAS.iter().flat_map(|(_, files)| files.iter()) {
        // The name of a charset is no year.
        let text = file.replace("iso-2022-jp", "");
        let numbers = text.split(|letter: char| !letter.is_ascii_digit());
        let years: Vec<_> = numbers
            .filter(|word| word.len() == 4 && (word.starts_with("19") || word.starts_with("20")))
            .collect();
        assert!(years.is_empty(), "{years:?}");
    }
}

#[test]
fn no_date_word_is_left_standing() {
    for message in &*MAILBOX {
        for word in [
            "{day",
            "{weekday",
            "{month",
            "{iso",
            "{year",
            "{tag",
            "{wochentag",
            "{monat",
        ] {
            assert!(!holds(message, word), "{word} in {:?}", field(message, "Subject"));
        }
    }
}
