//! Every rule's page is its test: the Bad files break that rule and no other, the Good files none.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use oaken_codegen::{
    Diagnostics, compile,
    rules::{self, Block, Page, RULES},
};

/// Writes the files over a small whole spec and gives everything that is found, as lines.
fn findings(name: &str, blocks: &[Block]) -> (BTreeSet<&'static str>, Vec<String>) {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("rules")
        .join(name);
    drop(fs::remove_dir_all(&root));
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/base");
    for file in ["spec/settings/operations.yaml", "spec/models/not_changed.yaml"] {
        put(&root.join(file), &fs::read_to_string(base.join(file)).unwrap());
    }
    for block in blocks {
        put(&root.join(&block.path), &block.text);
    }
    let (spec, mut found) = compile(&root.join("spec"), &[]);
    let handlers = root.join("runtime/operations/src/handlers");
    if handlers.is_dir() {
        rules::check_handlers(&spec, &handlers, &root, &mut found);
    }
    if let Ok(text) = fs::read_to_string(root.join("docs/reference/released.json")) {
        rules::check_released(&spec, &serde_json::from_str(&text).unwrap(), &mut found);
    }
    found.sort();
    (found.iter().map(|d| d.code).collect(), lines(&found))
}

fn lines(found: &Diagnostics) -> Vec<String> {
    found.iter().map(|d| found.line(d)).collect()
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn pages_are_true() {
    for rule in RULES {
        let page = Page::parse(rule.page);
        assert!(
            !page.bad.is_empty() && !page.good.is_empty(),
            "{} has no Bad or no Good",
            rule.code
        );
        let (codes, lines) = findings(&format!("{}-bad", rule.code), &page.bad);
        assert_eq!(
            codes,
            BTreeSet::from([rule.code]),
            "Bad of {}:\n{}",
            rule.code,
            lines.join("\n")
        );
        let (_, lines) = findings(&format!("{}-good", rule.code), &page.good);
        assert_eq!(lines, Vec::<String>::new(), "Good of {}", rule.code);
    }
}

#[test]
fn the_table_is_in_order_and_has_all_of_the_design() {
    let codes: Vec<&str> = RULES.iter().map(|r| r.code).collect();
    let expected = "S001 S002 S003 S004 R101 R102 R201 R202 R301 R302 R303 R304 R305 R306 R307 R308 R309 R310 R401 R402 R403 \
                    R501 R601";
    let mut sorted: Vec<&str> = expected.split_whitespace().collect();
    assert_eq!(codes, sorted);
    sorted.sort_by_key(|c| (c.starts_with('R'), *c));
    assert_eq!(codes, sorted);
    for rule in RULES {
        assert!(
            rule.page.starts_with(&format!("# {}: ", rule.code)),
            "{}",
            rule.code
        );
        assert!(rule.page.contains("\n## Why\n"), "{}", rule.code);
    }
}

/// An archive operation with one part replaced, and the one line it gives after the file's name; none where `""`.
#[track_caller]
fn check(part: &str, with: &str, expected: &str) {
    let archive = "operation: archive_messages\nsummary: Move messages to the archive.\nclass: mutate\nceiling: off\ninput:\n  \
                   target: Selection\noutput:\n  archived: list<MessageId, max_batch_ids>\ncli: messages archive <target>...\n";
    assert!(archive.contains(part), "{part} is not in the file");
    let path = "spec/operations/messages/archive_messages.yaml";
    let block = Block {
        path: path.into(),
        text: archive.replace(part, with),
    };
    let name = format!("case-{}", std::panic::Location::caller().line());
    let (_, lines) = findings(&name, &[block]);
    let lines: Vec<&str> = lines.iter().map(|l| l.strip_prefix(path).unwrap_or(l)).collect();
    assert_eq!(lines.join("\n"), expected);
}

#[test]
fn names_and_prose() {
    check(
        "archive_messages",
        "confirm_it",
        ":1:12: R101: the operation `confirm_it` lies in the file `archive_messages.yaml` (help: rename the file to `confirm_it.yaml` or the operation)",
    );
    check(
        "  target: Selection",
        "  target: Selection\n  confirm: boolean",
        ":7:3: R101: the input `confirm` is reserved: the doors take it out before the input is read (help: call it something else)",
    );
    check(
        "archived:",
        "isArchived:",
        ":8:3: R101: the field `isArchived` is not in snake_case (help: write `is_archived`)",
    );
    check(
        "Move messages to the archive.",
        "Move messages. To the archive.",
        ":2:10: R102: the summary is not one sentence (help: begin with a capital and end with the only full stop)",
    );
    check("class: mutate", "title: Archive\nclass: mutate", "");
}

#[test]
fn what_is_missing_is_said_at_the_name() {
    check(
        "ceiling: off\n",
        "",
        ":1:12: S003: `ceiling` is missing (help: add `ceiling:`, one of never, off, on)",
    );
    check(
        "output:\n  archived: list<MessageId, max_batch_ids>\n",
        "",
        ":1:12: S003: `output` is missing (help: add `output:`, a mapping from a name to a type)",
    );
    check(
        "operation: archive_messages\n",
        "",
        ":1:1: S003: `operation` is missing (help: add `operation:`, the name of the file)",
    );
}

#[test]
fn a_misspelt_key_is_not_missing_too() {
    check(
        "ceiling: off",
        "cieling: off",
        ":4:1: S002: unknown key `cieling` (help: did you mean `ceiling`?)",
    );
    check(
        "class: mutate",
        "class: [mutate]",
        ":3:8: S003: `class` is a string, not a list (help: put it in quotes if it is one)",
    );
    check(
        "target: Selection",
        "target: { tpye: Selection }",
        ":6:13: S002: unknown key `tpye` (help: did you mean `type`?)",
    );
    check(
        "archived: list<MessageId, max_batch_ids>",
        "archived: { type: list<MessageId, max_batch_ids> }",
        ":8:37: S002: unknown key `max_batch_ids>` (help: put a type with a comma in quotes: it parts entries here)",
    );
}

#[test]
fn unknown_names() {
    check(
        "target: Selection",
        "target: Selction",
        ":6:11: R201: unknown model or id `Selction` (help: did you mean `Selection`?)",
    );
    check(
        "list<MessageId, max_batch_ids>",
        "intger",
        ":8:13: R201: unknown type `intger` (help: did you mean `integer`?)",
    );
    check(
        "cli:",
        "undo: unarchive\ncli:",
        ":9:7: R201: there is no operation `unarchive` (help: declare it, or leave this out)",
    );
    check(
        "cli:",
        "then: { when: target, run: archive_messages }\ncli:",
        ":9:7: R201: the input `target` is no boolean (help: `when` is one)",
    );
}

#[test]
fn bounds() {
    check(
        "max_batch_ids",
        "max_batch_id",
        ":8:13: R202: the bound of `archived` is no number among the settings: `max_batch_id` (help: did you mean `max_batch_ids`?)",
    );
    check(
        "  target: Selection",
        "  target: Selection\n  days: integer",
        ":7:9: R202: the number `days` has no bounds (help: add `min:` and `max:`)",
    );
    check(
        "cli:",
        "examples: [{ input: { target: { ids: [m_1] } } }]\ncli:",
        ":9:21: R202: the example is no input of it: `target`: { ids: [m_…] } is expected (help: mend the example)",
    );
    check(
        "  target: Selection",
        "  target: Selection\n  how: { type: \"enum<a, b>\", default: c }",
        ":7:39: R202: the default of `how` does not fit: one of a, b is expected (help: mend the default)",
    );
    check(
        "target: Selection",
        "target: { type: Selection, max_chars: 5 }",
        ":6:41: S003: `max_chars` says nothing about this type (help: min and max are for integer, min_chars for string, max_chars for string and text)",
    );
}

#[test]
fn shapes_and_doors() {
    check(
        "list<MessageId, max_batch_ids>",
        "list<list<MessageId, max_results>, max_results>",
        ":8:13: R401: a list of lists (help: make the inner list a field of a model; MCP clients break on nested arrays)",
    );
    check(
        "list<MessageId, max_batch_ids>",
        "list<optional<MessageId>, max_results>",
        ":8:13: R401: optional stands once, outermost (help: an optional within a list or an optional is a null that MCP clients break on)",
    );
    check(
        "cli: messages archive <target>...",
        "cli: messages archive <target>",
        ":9:6: R402: the argument `<target>` has the form of another type (help: write `<target>...`)",
    );
    check(
        "cli: messages archive <target>...",
        "cli: mcp archive",
        ":9:6: R402: `oaken mcp` is a command made by hand (help: use another noun)",
    );
    check(
        "cli: messages archive <target>...",
        "cli: <target> archive",
        ":9:6: S003: `cli` cannot be read: the words come before the arguments (help: for example `messages mark-read <message_ids>...`, or `none`)",
    );
    check(
        "  target: Selection",
        "  target: Selection\n  json: boolean",
        ":7:3: R402: the flag `--json` is every command's (help: call the field something else)",
    );
    check(
        "cli:",
        "mcp: { tool: mail.archive }\ncli:",
        ":9:6: R101: `mail.archive` is no name of an MCP tool (help: 1 to 64 lowercase letters, digits and `_`, no dot)",
    );
}

#[test]
fn a_file_in_the_wrong_place_is_not_passed_over() {
    let text = "model: Folder\nsummary: A folder.\nfields:\n  name: text(200)\n";
    let blocks = ["spec/models/folder.yml", "spec/operations/stray.yaml"].map(|path| Block {
        path: path.into(),
        text: text.into(),
    });
    let (_, lines) = findings("places", &blocks);
    assert!(lines.contains(&"spec/models/folder.yml:1:1: S001: the file is not read: its name ends in .yml (help: rename it to end in .yaml)".to_owned()), "{lines:?}");
    assert!(
        lines
            .iter()
            .any(|l| l.starts_with("spec/operations/stray.yaml:1:1: R101: the file lies in no area")),
        "{lines:?}"
    );
}

#[test]
fn contradictions_of_one_operation() {
    check(
        "class: mutate",
        "class: read\nnested: true",
        ":4:9: S003: `nested` is for a mutate: its body is calls to others (help: leave it out)",
    );
    check(
        "cli:",
        "cli_only: true\ncli:",
        ":4:10: R309: `archive_messages` is for the command line alone and could be offered to agents (help: write `ceiling: never`, or leave `cli_only` out)",
    );
}
