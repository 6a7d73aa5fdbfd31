//! The clap table: noun, verb and arguments of every operation, built from the descriptors.
//!
//! clap checks how many words there are and no more: what a word may be is the gate's to say, in its own words.

use std::collections::BTreeMap;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, Command, value_parser};
use oaken_core::{Class, Descriptor, Field, Shape};

use super::{by_hand, words};

/// Where to begin.
pub const FIRST: &str = "\
Try it on made-up mail:  oaken demo
Your own mail:           oaken accounts add --help
How it stands:           oaken status
An agent:                oaken agents add NAME, then oaken mcp install --print";

/// The whole command.
pub fn command() -> Command {
    let mut nouns: BTreeMap<&str, Vec<&'static Descriptor>> = BTreeMap::new();
    for d in crate::open::descriptors() {
        if let Some(noun) = d.cli.path.first() {
            nouns.entry(noun).or_default().push(d);
        }
    }
    let mut root = Command::new("oaken")
        .version(env!("CARGO_PKG_VERSION"))
        .about("A mail gateway for people, and for the agents that they trust only so far.")
        .after_help(FIRST)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .args(global());
    for (noun, operations) in nouns {
        root = root.subcommand(match operations.as_slice() {
            [d] if d.cli.path.len() == 1 => verb(noun, d),
            _ => with_about(by_hand::extend(noun, noun_command(noun, &operations))),
        });
    }
    by_hand::commands().into_iter().fold(root, Command::subcommand)
}

fn noun_command(noun: &str, operations: &[&'static Descriptor]) -> Command {
    operations.iter().filter(|d| d.cli.path.len() == 2).fold(
        Command::new(noun.to_owned())
            .help_template("{usage-heading} {usage}\n\n{all-args}{after-help}")
            .subcommand_required(true)
            .arg_required_else_help(true),
        |noun, d| noun.subcommand(verb(d.cli.path[1], d)),
    )
}

/// A noun says what is below it: one verb by its summary, several by their names.
fn with_about(noun: Command) -> Command {
    let verbs: Vec<&Command> = noun.get_subcommands().collect();
    let about = match verbs.as_slice() {
        [only] => only.get_about().cloned().unwrap_or_default(),
        several => several
            .iter()
            .map(|c| c.get_name())
            .collect::<Vec<_>>()
            .join(", ")
            .into(),
    };
    noun.about(about)
}

fn global() -> [Arg; 4] {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .global(true)
            .action(ArgAction::SetTrue)
            .help(help)
            .help_heading("Global options")
    };
    [
        flag(
            "json",
            "Print JSON, also on a terminal; errors become one JSON line",
        ),
        flag("no-input", "Never ask; fail where an answer is missing"),
        flag("demo", "Work on the demo mailbox"),
        Arg::new("data")
            .long("data")
            .global(true)
            .value_name("DIR")
            .value_parser(value_parser!(std::path::PathBuf))
            .help("The data directory")
            .help_heading("Global options"),
    ]
}

/// The command of one operation.
pub fn verb(name: &str, d: &'static Descriptor) -> Command {
    let mut command = Command::new(name.to_owned()).about(d.summary);
    if !d.description.is_empty() {
        command = command.after_help(words::of_command(d.description, Some(d)));
    }
    for (at, field) in d
        .cli
        .positional
        .iter()
        .filter_map(|n| d.input.iter().find(|f| f.name == *n))
        .enumerate()
    {
        command = command.arg(positional(field).index(at + 1));
    }
    for field in d.input.iter().filter(|f| !d.cli.positional.contains(&f.name)) {
        command = options(field).into_iter().fold(command, Command::arg);
    }
    if d.class != Class::Read {
        command = command.arg(
            Arg::new("yes")
                .long("yes")
                .short('y')
                .action(ArgAction::SetTrue)
                .help("Do it; without this the changes are shown and you are asked"),
        );
    }
    if pages(d) {
        command = command.arg(
            Arg::new("all")
                .long("all")
                .action(ArgAction::SetTrue)
                .help("Show every row; as JSON, one line a row"),
        );
    }
    command
}

/// Whether an operation answers page by page.
pub fn pages(d: &Descriptor) -> bool {
    d.input.iter().any(|f| f.name == "cursor") && d.output.iter().any(|f| f.name == "next_cursor")
}

fn positional(field: &'static Field) -> Arg {
    let many = matches!(field.shape, Shape::List { .. } | Shape::Selection);
    suggests(Arg::new(field.name), field)
        .value_name(value_name(field))
        .help(help(field))
        .required(field.required && field.default.is_none())
        .num_args(if many { 1..=usize::MAX } else { 1..=1 })
        .action(if many { ArgAction::Append } else { ArgAction::Set })
}

fn options(field: &'static Field) -> Vec<Arg> {
    let long = field.name.replace('_', "-");
    let arg = suggests(Arg::new(field.name), field)
        .long(long.clone())
        .help(help(field));
    match field.shape {
        Shape::Boolean => vec![
            arg.num_args(0..=1)
                .require_equals(true)
                .default_missing_value("true")
                .hide_possible_values(true)
                .value_name("true|false"),
        ],
        // A secret in a flag would stand in the process list and the shell's history.
        Shape::Secret => vec![
            Arg::new(field.name)
                .long(format!("{long}-stdin"))
                .action(ArgAction::SetTrue)
                .help(format!("{}; read from standard input", help(field))),
            Arg::new(format!("{}-prompt", field.name))
                .long(format!("{long}-prompt"))
                .action(ArgAction::SetTrue)
                .conflicts_with(field.name)
                .help("Ask for it on the terminal, without showing it"),
        ],
        Shape::List { .. } | Shape::Selection => vec![
            arg.value_name(value_name(field))
                .num_args(1)
                .action(ArgAction::Append)
                .required(field.required),
        ],
        // A time may be -7d, which is no flag.
        Shape::Timestamp => vec![
            arg.value_name(value_name(field))
                .num_args(1)
                .allow_hyphen_values(true)
                .required(field.required),
        ],
        _ => vec![
            arg.value_name(value_name(field))
                .num_args(1)
                .required(field.required && field.default.is_none()),
        ],
    }
}

fn help(field: &Field) -> String {
    let mut help = words::of_command(field.doc.trim_end_matches('.'), None);
    if let Some(default) = field.default {
        help.push_str(&format!(" [default: {}]", default.trim_matches('"')));
    }
    help
}

/// The words that a field may be, for the help and for completion.
fn suggests(arg: Arg, field: &Field) -> Arg {
    match field.shape {
        Shape::Enum(words) => arg.value_parser(Suggests(words)),
        Shape::Boolean => arg.value_parser(Suggests(&["true", "false"])),
        _ => arg,
    }
}

/// Suggests words and takes any.
#[derive(Clone)]
struct Suggests(&'static [&'static str]);

impl TypedValueParser for Suggests {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}

/// What stands for a value in the help.
pub fn value_name(field: &Field) -> String {
    match &field.shape {
        Shape::Id(kind) => format!("{}_…", kind.prefix()),
        Shape::List {
            item: Shape::Id(kind),
            ..
        } => format!("{}_…", kind.prefix()),
        Shape::Selection => "m_…".into(),
        Shape::Integer { .. } => "N".into(),
        Shape::Timestamp => "TIME".into(),
        Shape::Path => "FILE".into(),
        Shape::Command => "COMMAND".into(),
        _ => field.name.to_uppercase(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_sound() {
        super::command().debug_assert();
    }
}
