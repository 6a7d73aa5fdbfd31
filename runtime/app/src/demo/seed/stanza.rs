//! The text form of a demo message, and its parser. Absent: any meaning; `thread.rs` gives it one.
//!
//! ```text
//! Anything before the first stanza is a comment.
//!
//! === 12 09:40 INBOX S                  days ago (or `95m`: minutes ago), folder, Maildir flags (`-`: none)
//! from: Jonas Brandt <jonas@x.example>  left out in Sent and Drafts: the account itself
//! to: …                                 left out: the account, or in Sent whom it answers
//! subject: Budget for {month +30}       left out in an answer: `Re:` and the parent's
//! id: budget                            left out: made from the subject
//! re: offer                             the id it answers, in the same account
//! charset: windows-1252 as iso-8859-1   the bytes' charset, and the label where that differs
//! cte: 8bit                             7bit, 8bit, quoted-printable or base64
//! zone: +0900                           of the writer, +0100 without it
//! kind: alternative                     plain, html, alternative (HTML made from the text), stub (the
//!                                       body is HTML, the plain part says so), invite (needs `event:`)
//! event: +5 10:00 45 Title | Place      days after the message, time (UTC), minutes
//! attach: plan.pdf one line | another   made from its extension, see `attachment.rs`
//! header: X-Mailer: Foo 1.2             any other field, as it stands
//! message-id: a@b.example               instead of the one made from `id`
//!
//! The body, up to the next line that begins with `=== `, so comments belong at the top of the file only.
//! Date words: see `clock.rs`.
//! ```

use super::clock::When;

/// One message as declared.
#[derive(Debug, Clone)]
pub struct Stanza {
    pub when: When,
    pub folder: &'static str,
    pub flags: &'static str,
    pub from: Option<&'static str>,
    pub to: Option<&'static str>,
    pub cc: Option<&'static str>,
    pub subject: Option<&'static str>,
    pub id: Option<&'static str>,
    pub re: Option<&'static str>,
    pub charset: &'static str,
    pub cte: Option<&'static str>,
    /// Minutes east of UTC.
    pub zone: i16,
    pub kind: Kind,
    pub event: Option<&'static str>,
    pub attach: Vec<&'static str>,
    pub headers: Vec<&'static str>,
    pub message_id: Option<&'static str>,
    pub body: &'static str,
}

/// How the body becomes MIME.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Plain,
    Html,
    Alternative,
    Stub,
    Invite,
}

/// A fault in a stanza file: its line, and what is wrong there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    pub line: usize,
    pub what: &'static str,
}

/// All stanzas of a file, and all its faults.
pub fn parse(text: &'static str) -> (Vec<Stanza>, Vec<Fault>) {
    let mut stanzas = Vec::new();
    let mut faults = Vec::new();
    let mut chunks = text.split("\n=== ");
    let mut line = 2 + chunks.next().map_or(0, |preface| preface.matches('\n').count());
    for chunk in chunks {
        match stanza(chunk, line) {
            Ok(stanza) => stanzas.push(stanza),
            Err(fault) => faults.push(fault),
        }
        line += 1 + chunk.matches('\n').count();
    }
    (stanzas, faults)
}

fn stanza(chunk: &'static str, line: usize) -> Result<Stanza, Fault> {
    let fault = |line, what| Fault { line, what };
    let (head, body) = chunk
        .split_once("\n\n")
        .ok_or(fault(line, "no blank line before the body"))?;
    let mut lines = head.lines();
    let mut stanza = stamp(lines.next().unwrap_or("")).map_err(|what| fault(line, what))?;
    for (number, field) in lines.enumerate() {
        set(&mut stanza, field).map_err(|what| fault(line + 1 + number, what))?;
    }
    stanza.body = body.trim_end();
    let own = matches!(stanza.folder, "Sent" | "Drafts");
    if stanza.from.is_none() && !own {
        return Err(fault(line, "no `from`"));
    }
    if stanza.subject.is_none() && stanza.re.is_none() {
        return Err(fault(line, "no `subject`"));
    }
    if own && stanza.to.is_none() && stanza.re.is_none() {
        return Err(fault(line, "no `to`"));
    }
    if (stanza.kind == Kind::Invite) != stanza.event.is_some() {
        return Err(fault(line, "`kind: invite` and `event:` go together"));
    }
    Ok(stanza)
}

fn stamp(line: &'static str) -> Result<Stanza, &'static str> {
    let mut words = line.split_whitespace();
    let first = words.next().ok_or("no date")?;
    let when = match first.strip_suffix('m') {
        Some(minutes) => When::MinutesAgo(minutes.parse().map_err(|_| "minutes ago: a number")?),
        None => {
            let days = first
                .parse()
                .ok()
                .filter(|days| *days > 0)
                .ok_or("days ago: a number from 1")?;
            let (hour, minute) = words.next().and_then(time).ok_or("a time of day, HH:MM")?;
            When::DaysAgo(days, hour, minute)
        }
    };
    let folder = words.next().ok_or("no folder")?;
    let flags = words.next().ok_or("no flags; `-` for none")?;
    if flags != "-" && !flags.bytes().all(|flag| b"DFPRST".contains(&flag)) {
        return Err("flags are letters of DFPRST");
    }
    if words.next().is_some() {
        return Err("a word too many");
    }
    Ok(Stanza {
        when,
        folder,
        flags: if flags == "-" { "" } else { flags },
        from: None,
        to: None,
        cc: None,
        subject: None,
        id: None,
        re: None,
        charset: "utf-8",
        cte: None,
        zone: 60,
        kind: Kind::Plain,
        event: None,
        attach: Vec::new(),
        headers: Vec::new(),
        message_id: None,
        body: "",
    })
}

fn set(stanza: &mut Stanza, field: &'static str) -> Result<(), &'static str> {
    let (name, value) = field.split_once(": ").ok_or("a field is `name: value`")?;
    let value = value.trim();
    match name {
        "from" => stanza.from = Some(value),
        "to" => stanza.to = Some(value),
        "cc" => stanza.cc = Some(value),
        "subject" => stanza.subject = Some(value),
        "id" => stanza.id = Some(value),
        "re" => stanza.re = Some(value),
        "charset" => stanza.charset = value,
        "cte" => stanza.cte = Some(value),
        "zone" => stanza.zone = zone(value).ok_or("a zone is +HHMM or -HHMM")?,
        "event" => stanza.event = Some(value),
        "attach" => stanza.attach.push(value),
        "header" => stanza.headers.push(value),
        "message-id" => stanza.message_id = Some(value),
        "kind" => {
            stanza.kind = match value {
                "plain" => Kind::Plain,
                "html" => Kind::Html,
                "alternative" => Kind::Alternative,
                "stub" => Kind::Stub,
                "invite" => Kind::Invite,
                _ => return Err("kinds: plain, html, alternative, stub, invite"),
            }
        }
        _ => return Err("no such field"),
    }
    Ok(())
}

/// `HH:MM` as hour and minute.
pub fn time(text: &str) -> Option<(i8, i8)> {
    let (hour, minute) = text.split_once(':')?;
    let (hour, minute) = (hour.parse().ok()?, minute.parse().ok()?);
    ((0..24).contains(&hour) && (0..60).contains(&minute)).then_some((hour, minute))
}

fn zone(text: &str) -> Option<i16> {
    let digits = text.strip_prefix(['+', '-']).filter(|digits| digits.len() == 4)?;
    let (hours, minutes): (i16, i16) = (digits.get(..2)?.parse().ok()?, digits.get(2..)?.parse().ok()?);
    let east = hours * 60 + minutes;
    (hours < 15 && minutes < 60).then_some(if text.starts_with('-') { -east } else { east })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &'static str, expected: Result<When, Fault>) {
        let (stanzas, faults) = parse(text);
        let found = stanzas.first().map(|stanza| stanza.when).ok_or_else(|| faults[0]);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn dates_are_offsets() {
        check(
            "\n=== 12 09:40 INBOX S\nfrom: a\nsubject: b\n\nx",
            Ok(When::DaysAgo(12, 9, 40)),
        );
        check(
            "\n=== 95m INBOX -\nfrom: a\nsubject: b\n\nx",
            Ok(When::MinutesAgo(95)),
        );
    }

    #[test]
    fn a_fault_names_its_line() {
        let fault = |line, what| Err(Fault { line, what });
        check(
            "c\n=== 0 09:40 INBOX S\nfrom: a\n\nx",
            fault(2, "days ago: a number from 1"),
        );
        check(
            "c\n\n=== 1 24:00 INBOX S\nfrom: a\n\nx",
            fault(3, "a time of day, HH:MM"),
        );
        check(
            "\n=== 1 09:40 INBOX Q\nfrom: a\n\nx",
            fault(2, "flags are letters of DFPRST"),
        );
        check(
            "\n=== 1 09:40 INBOX S\nfrom: a\nfrmo: a\n\nx",
            fault(4, "no such field"),
        );
        check("\n=== 1 09:40 INBOX S\nsubject: a\n\nx", fault(2, "no `from`"));
        check("\n=== 1 09:40 Sent S\nsubject: a\n\nx", fault(2, "no `to`"));
        check("\n=== 1 09:40 INBOX S\nfrom: a\n\nx", fault(2, "no `subject`"));
        check(
            "\n=== 1 09:40 INBOX S\nzone: +9\n\nx",
            fault(3, "a zone is +HHMM or -HHMM"),
        );
    }

    #[test]
    fn every_field_is_read() {
        let (stanzas, faults) = parse(
            "\n=== 3 10:05 Sent RS\nto: b@b.example\ncc: c@c.example\nsubject: s\nid: i\nre: r\ncharset: koi8-r\n\
             cte: 8bit\nzone: -0330\nkind: html\nattach: a.pdf x\nheader: X-A: b\nmessage-id: m@m.example\n\n\
             one\n\ntwo\n\n=== 2 08:00 INBOX -\nfrom: f\nsubject: t\n\nthree\n",
        );
        assert_eq!(faults, []);
        let first = &stanzas[0];
        assert_eq!(
            (first.folder, first.flags, first.zone, first.body),
            ("Sent", "RS", -210, "one\n\ntwo")
        );
        assert_eq!(
            (first.to, first.cc, first.re),
            (Some("b@b.example"), Some("c@c.example"), Some("r"))
        );
        assert_eq!(
            (first.id, first.charset, first.cte),
            (Some("i"), "koi8-r", Some("8bit"))
        );
        assert_eq!(
            (first.kind, &first.attach, &first.headers),
            (Kind::Html, &vec!["a.pdf x"], &vec!["X-A: b"])
        );
        assert_eq!((stanzas[1].flags, stanzas[1].body), ("", "three"));
    }
}
