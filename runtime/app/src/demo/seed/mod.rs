//! The demo mailbox: about 200 made-up messages in three accounts, as a function of the present moment.
//!
//! Text lives in `work/`, `private/` and `support/` as stanzas (see `stanza.rs` for the format), newsletters
//! in a table, and what no text file can hold in `special.rs`. Absent on purpose: any I/O, any randomness,
//! any date that would age. The same `now` gives the same bytes. All names and domains are invented, and
//! every domain ends in `.example` or `.test`, so nothing here can ever reach anybody.

mod attachment;
mod clock;
mod compose;
mod encode;
mod entity;
mod newsletters;
mod special;
mod stanza;
#[cfg(test)]
mod tests;
mod thread;

/// One account of the demo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeedAccount {
    /// Short key, the value of [`SeedMessage::account`].
    pub key: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Its own address.
    pub address: &'static str,
    /// The workspace it belongs to.
    pub workspace: &'static str,
    /// Every folder it has, also those without a message.
    pub folders: &'static [&'static str],
}

/// One message of the demo, ready to be written into a Maildir.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedMessage {
    /// Key of its account.
    pub account: &'static str,
    /// Name of its folder, `INBOX` for the inbox.
    pub folder: &'static str,
    /// Maildir info letters in ASCII order (`F` flagged, `R` replied, `S` seen …), empty for a new message.
    pub flags: &'static str,
    /// When it arrived, in Unix seconds; never later than the `now` it was made for.
    pub delivered: i64,
    /// The message as RFC 5322 bytes with CRLF line ends.
    pub bytes: Vec<u8>,
}

/// The three accounts of Mira Okafor, who runs operations at a maker of water sensors.
pub const ACCOUNTS: &[SeedAccount] = &[
    SeedAccount {
        key: "work",
        name: "Mira Okafor",
        address: "mira.okafor@tidewell.example",
        workspace: "default",
        folders: &["INBOX", "Archive", "Drafts", "Newsletters", "Sent", "Trash"],
    },
    SeedAccount {
        key: "support",
        name: "Tidewell Support",
        address: "support@tidewell.example",
        workspace: "default",
        folders: &["INBOX", "Archive", "Drafts", "Sent", "Trash"],
    },
    SeedAccount {
        key: "private",
        name: "Mira Okafor",
        address: "mira@okafor-home.example",
        workspace: "private",
        folders: &["INBOX", "Archive", "Drafts", "Sent", "Trash"],
    },
];

/// The stanza files of each account.
const STANZAS: &[(&str, &[&str])] = &[
    (
        "work",
        &[
            include_str!("work/projects.txt"),
            include_str!("work/customers.txt"),
            include_str!("work/suppliers.txt"),
            include_str!("work/office.txt"),
            include_str!("work/abroad.txt"),
            include_str!("work/planted.txt"),
        ],
    ),
    (
        "support",
        &[
            include_str!("support/tickets.txt"),
            include_str!("support/short.txt"),
        ],
    ),
    (
        "private",
        &[
            include_str!("private/family.txt"),
            include_str!("private/errands.txt"),
        ],
    ),
];

/// The whole demo mailbox as of `now` (Unix seconds), oldest first.
pub fn messages(now: i64) -> Vec<SeedMessage> {
    let clock = clock::Clock::new(now);
    let mut all = Vec::with_capacity(224);
    for account in ACCOUNTS {
        // A faulty stanza is left out rather than fatal; a test holds the number of faults at zero.
        let (stanzas, _faults) = stanzas(account.key);
        all.extend(thread::letters(account, &stanzas, &clock));
    }
    all.extend(newsletters::issues(&clock));
    all.extend(special::planted(&clock));
    all.sort_by_key(|message| message.delivered);
    all
}

fn stanzas(account: &str) -> (Vec<stanza::Stanza>, Vec<stanza::Fault>) {
    let mut parsed = (Vec::new(), Vec::new());
    for (key, files) in STANZAS {
        if *key == account {
            for file in *files {
                let (mut good, mut faults) = stanza::parse(file);
                parsed.0.append(&mut good);
                parsed.1.append(&mut faults);
            }
        }
    }
    parsed
}
