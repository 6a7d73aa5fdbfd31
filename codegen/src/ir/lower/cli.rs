//! `messages mark-read <message_ids>...`: the words of the command line's path, then positional arguments.

use super::Report;
use crate::{
    frontend::Spanned,
    ir::{Cli, Positional},
    naming,
};

const FORM: &str = "for example `messages mark-read <message_ids>...`, or `none`";

/// Parses the text. S003 where it has another form.
pub(super) fn parse(text: &Spanned<String>, only: bool, report: &mut Report<'_>) -> Option<Cli> {
    let mut cli = Cli {
        path: Vec::new(),
        positional: Vec::new(),
        only,
    };
    if text.value == "none" {
        return Some(cli);
    }
    let mut wrong = None;
    for word in text.value.split_whitespace() {
        if let Some(argument) = word.strip_prefix('<') {
            match argument
                .strip_suffix(">...")
                .map(|f| (f, true))
                .or(argument.strip_suffix('>').map(|f| (f, false)))
            {
                Some((field, rest)) if naming::is_snake(field) => {
                    cli.positional.push(Positional {
                        field: field.to_owned(),
                        rest,
                    });
                }
                _ => wrong = Some("an argument is `<field>` or `<field>...`"),
            }
        } else if !cli.positional.is_empty() {
            wrong = Some("the words come before the arguments");
        } else if naming::is_word(word) && !word.contains('_') {
            cli.path.push(word.to_owned());
        } else {
            wrong = Some("a word has lowercase letters, digits and single `-`");
        }
    }
    if wrong.is_none() && !(1..=3).contains(&cli.path.len()) {
        wrong = Some("the path has one to three words");
    }
    if let Some(wrong) = wrong {
        report.push(
            "S003",
            &text.origin,
            format!("`cli` cannot be read: {wrong}"),
            FORM,
        );
        return None;
    }
    Some(cli)
}
