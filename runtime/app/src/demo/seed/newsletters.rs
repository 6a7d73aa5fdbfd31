//! The 41 newsletters in Mira's inbox: six lists, their issues as a table, RFC 2369 and RFC 8058 fields.
//!
//! Absent: any other mail with a `List-Id`, so that "all newsletters" has one right answer.

use super::clock::{Clock, When};
use super::compose::{Letter, render};
use super::encode::{UTF8, fingerprint};
use super::entity::{multipart, text};
use super::thread::html;
use super::{ACCOUNTS, SeedMessage};

/// A list Mira is on. Its domain is `<key>.example`.
struct List {
    key: &'static str,
    title: &'static str,
    local_part: &'static str,
    hour: i8,
    /// Days ago, flags, subject, and what the issue says; newest first.
    issues: &'static [(u16, &'static str, &'static str, &'static str)],
}

const LISTS: &[List] = &[
    List {
        key: "tidetable-weekly",
        title: "The Tide Table",
        local_part: "editor",
        hour: 6,
        issues: &[
            (
                2,
                "",
                "Why harbours silt up from the wrong end",
                "A short history of dredging, and a town that stopped.",
            ),
            (
                9,
                "S",
                "The gauge that was right",
                "Forty years of doubt about one station, settled by a diver.",
            ),
            (
                16,
                "S",
                "Spring tides, explained with soup",
                "Two bowls, one spoon, and the Moon.",
            ),
            (
                23,
                "S",
                "A lighthouse for sale",
                "It comes with the stairs. It does not come with the light.",
            ),
            (
                30,
                "S",
                "Reading old tide tables",
                "What a clerk's handwriting says about the sea.",
            ),
            (
                37,
                "S",
                "Salt wedges and other desserts",
                "How a river hides under itself at high water.",
            ),
            (
                44,
                "S",
                "The pilots' strike that lasted a tide",
                "Six hours, eleven ships, one handshake.",
            ),
            (
                51,
                "S",
                "Sensors that grow barnacles",
                "Five ways to keep a probe clean, one of them paint.",
            ),
        ],
    },
    List {
        key: "rust-and-rope",
        title: "Rust & Rope",
        local_part: "crew",
        hour: 9,
        issues: &[
            (
                4,
                "",
                "Splicing without tears",
                "An eye splice in seven pictures, and the eighth that shows what went wrong.",
            ),
            (18, "S", "Paint or patience", "When to scrape, when to look away."),
            (
                32,
                "S",
                "Winter covers compared",
                "Nine covers, one storm, three survivors.",
            ),
            (
                46,
                "S",
                "The tool you lend and never see again",
                "Readers name theirs.",
            ),
            (
                60,
                "S",
                "Varnish in the rain",
                "It can be done. It should not be done.",
            ),
            (
                74,
                "S",
                "A shed tour with a view",
                "Twelve square metres, four boats.",
            ),
            (
                88,
                "S",
                "Spring list, free to print",
                "Thirty jobs in the order in which they will annoy you.",
            ),
        ],
    },
    List {
        key: "shopfloor-notes",
        title: "Shopfloor Notes",
        local_part: "notes",
        hour: 12,
        issues: &[
            (
                3,
                "",
                "The second shift nobody asked for",
                "Three plants tell what broke first. It was never the machines.",
            ),
            (
                10,
                "",
                "Counting returns honestly",
                "A returned part is an answer. What was the question?",
            ),
            (
                24,
                "S",
                "Kanban for people who hate kanban",
                "One board, three columns, no stickers.",
            ),
            (38, "S", "When the auditor is right", "A confession."),
            (
                52,
                "S",
                "Calibration days",
                "Why Monday is the worst day to calibrate anything.",
            ),
            (
                66,
                "S",
                "The label printer, again",
                "Forty comments from readers, all of them angry.",
            ),
            (80, "S", "Torque, written down", "A page for the wall."),
        ],
    },
    List {
        key: "kleine-kantine",
        title: "Kleine Kantine",
        local_part: "rezepte",
        hour: 16,
        issues: &[
            (
                1,
                "",
                "Linsen für müde Leute",
                "Zwanzig Minuten, ein Topf, kein Abwasch, der zählt.",
            ),
            (8, "", "Rote Bete, endlich", "Mit Meerrettich, und mit Nachsicht."),
            (15, "S", "Brot ohne Kneten", "Der Teig arbeitet, Sie schlafen."),
            (29, "S", "Suppe aus dem, was da ist", "Eine Anleitung zum Mut."),
            (
                43,
                "S",
                "Apfelkuchen, drei Meinungen",
                "Wir haben gestritten. Alle drei sind gut.",
            ),
            (
                57,
                "S",
                "Kürbis, süß und sauer",
                "Das Glas hält bis zum Frühling.",
            ),
            (
                71,
                "S",
                "Fisch am Freitag",
                "Wie man auf dem Markt die richtige Frage stellt.",
            ),
        ],
    },
    List {
        key: "open-water-data",
        title: "Open Water Data",
        local_part: "digest",
        hour: 7,
        issues: &[
            (
                5,
                "",
                "Twelve new stations, one retired",
                "The estuary set has a gap of nine days; we say how we filled it.",
            ),
            (
                19,
                "S",
                "A format that outlived its authors",
                "Reading level files from tape.",
            ),
            (
                35,
                "S",
                "Quality flags, revisited",
                "Flag 4 now means what people thought it meant.",
            ),
            (
                49,
                "S",
                "Who uses the pier series?",
                "Eleven papers and a brewery.",
            ),
            (
                63,
                "S",
                "Call for talks",
                "Ten minutes on something that did not work.",
            ),
            (
                77,
                "S",
                "Gaps and how to admit them",
                "A line that stops is better than a line that lies.",
            ),
        ],
    },
    List {
        key: "nordkai-kultur",
        title: "Nordkai Kultur",
        local_part: "programm",
        hour: 10,
        issues: &[
            (
                6,
                "",
                "Im Speicher: Chor und Kran",
                "Ein Konzert für Stimmen und Hafenkran, Eintritt frei.",
            ),
            (
                13,
                "",
                "Lange Nacht der Werkstätten",
                "Vierzig Türen offen, eine davon klemmt.",
            ),
            (
                27,
                "S",
                "Lesung: Das Salz der anderen",
                "Mit Tee, danach Gespräch.",
            ),
            (
                41,
                "S",
                "Flohmarkt auf der Fähre",
                "Wer zu spät kommt, fährt mit.",
            ),
            (55, "S", "Kino im Dock", "Bitte warm anziehen, der Film ist lang."),
            (69, "S", "Saisonstart", "Das ganze Programm auf zwei Seiten."),
        ],
    },
];

/// All issues of all lists.
pub fn issues(clock: &Clock) -> Vec<SeedMessage> {
    let Some(account) = ACCOUNTS.first() else {
        return Vec::new();
    };
    LISTS
        .iter()
        .flat_map(|list| {
            list.issues
                .iter()
                .map(|issue| message(list, issue, account.address, clock))
        })
        .collect()
}

fn message(
    list: &List,
    &(days, flags, subject, blurb): &(u16, &'static str, &'static str, &'static str),
    reader: &str,
    clock: &Clock,
) -> SeedMessage {
    let List {
        key,
        title,
        local_part,
        ..
    } = list;
    let mark = fingerprint(&format!("{key} {subject}"));
    let minute = i8::try_from(mark % 50).unwrap_or(0);
    let date = clock.at(
        When::DaysAgo(days, list.hour, minute),
        60,
        i8::try_from(mark % 60).unwrap_or(0),
    );
    let leave = format!("https://{key}.example/leave/{:012x}", mark & 0xffff_ffff_ffff);
    let body = format!(
        "{title}\n\n{subject}\n\n{blurb}\n\nhttps://{key}.example/read/{:06x}\n\n\
         --\nFor {reader}. To leave the list: {leave}",
        mark & 0xff_ffff
    );
    let fields = [
        format!("List-Id: {title} <news.{key}.example>"),
        format!("List-Unsubscribe: <{leave}>,\r\n <mailto:leave@{key}.example?subject=leave>"),
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click".to_owned(),
        "Precedence: bulk".to_owned(),
    ];
    let message_id = format!("issue.{:08x}@{key}.example", mark & 0xffff_ffff);
    let bytes = render(&Letter {
        date: &date,
        from: &format!("{title} <{local_part}@{key}.example>"),
        to: reader,
        cc: None,
        subject,
        charset: UTF8,
        message_id: &message_id,
        references: &[],
        fields: &fields,
        received_by: Some("tidewell.example"),
        entity: multipart(
            "alternative",
            &message_id,
            &[
                text("plain", &body, UTF8, None),
                text("html", &html(&body), UTF8, None),
            ],
        ),
    });
    let delivered = clock.delivered(&date, i64::try_from(mark % 90).unwrap_or(0));
    SeedMessage {
        account: "work",
        folder: "INBOX",
        flags,
        delivered,
        bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_lists_have_41_issues() {
        assert_eq!(LISTS.len(), 6);
        assert_eq!(LISTS.iter().map(|list| list.issues.len()).sum::<usize>(), 41);
    }
}
