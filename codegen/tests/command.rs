//! `cargo codegen` as its users run it, on a small repository of its own.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A repository with the small whole spec and the given files.
fn repository(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("command")
        .join(name);
    drop(fs::remove_dir_all(&root));
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/base");
    for file in ["spec/settings/operations.yaml", "spec/models/not_changed.yaml"] {
        put(&root, file, &fs::read_to_string(base.join(file)).unwrap());
    }
    for (file, text) in files {
        put(&root, file, text);
    }
    root
}

fn put(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn run(root: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_codegen"))
        .args(arguments)
        .current_dir(root)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

const LIST: &str = "operation: list_messages\nsummary: List messages.\nclass: read\nceiling: on\noutput:\n  messages: \
                    list<MessageId, max_results>\ncli: messages list\n";

#[test]
fn write_then_check_then_stale() {
    let root = repository("write", &[("spec/operations/messages/list_messages.yaml", LIST)]);
    let stale = run(&root, &["--check"]);
    assert_eq!(stale.status.code(), Some(1));
    assert!(
        stderr(&stale).contains("docs/reference/openapi.json is not what the spec says; run `cargo codegen`")
    );
    let written = run(&root, &[]);
    assert_eq!((written.status.code(), stderr(&written).as_str()), (Some(0), ""));
    assert!(stdout(&written).contains("wrote docs/reference/openapi.json"));
    let current = run(&root, &["--check"]);
    assert_eq!((current.status.code(), stderr(&current).as_str()), (Some(0), ""));
    assert_eq!(stdout(&run(&root, &[])), "", "a second run writes nothing");
    put(&root, "docs/reference/openapi.json", "{}");
    assert_eq!(run(&root, &["--check"]).status.code(), Some(1));
}

#[test]
fn a_faulty_spec_writes_nothing_and_shows_the_line() {
    let faulty = LIST.replace("ceiling: on", "ceiling: offf");
    let root = repository(
        "faulty",
        &[("spec/operations/messages/list_messages.yaml", &faulty)],
    );
    let output = run(&root, &[]);
    assert_eq!(output.status.code(), Some(1));
    let expected = "error[S003]: `offf` is no word of `ceiling`
 --> spec/operations/messages/list_messages.yaml:4:10
  |
4 | ceiling: offf
  |          ^^^^
  = help: did you mean `off`?
  = note: `cargo codegen explain S003` says why

1 fault found
nothing was written
";
    assert_eq!(stderr(&output), expected);
    assert!(!root.join("docs").exists());
}

#[test]
fn new_scaffolds_both_files_and_keeps_what_is_there() {
    let root = repository("new", &[]);
    let output = run(&root, &["new", "messages/pin_messages"]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let handler = "runtime/operations/src/handlers/messages/pin_messages.rs";
    assert!(stdout(&output).contains(&format!("wrote {handler}")));
    let text = fs::read_to_string(root.join(handler)).unwrap();
    assert!(
        text.contains("impl Read for PinMessages {") && text.contains("fn pin_messages_does_what_it_says()"),
        "{text}"
    );
    // What was scaffolded breaks no rule.
    let check = run(&root, &["--check"]);
    assert!(!stderr(&check).contains("error["), "{}", stderr(&check));
    let again = run(&root, &["new", "messages/pin_messages"]);
    assert!(stdout(&again).contains(&format!("kept  {handler}")));
    assert_eq!(fs::read_to_string(root.join(handler)).unwrap(), text);
}

#[test]
fn new_for_a_declaration_that_is_there_follows_its_class() {
    let change = LIST
        .replace("class: read", "class: mutate")
        .replace("list_messages", "sort_messages");
    let root = repository(
        "class",
        &[("spec/operations/messages/sort_messages.yaml", &change)],
    );
    assert_eq!(
        run(&root, &["new", "messages/sort_messages"]).status.code(),
        Some(0)
    );
    let handler = root.join("runtime/operations/src/handlers/messages/sort_messages.rs");
    assert!(
        fs::read_to_string(handler)
            .unwrap()
            .contains("impl Mutate for SortMessages {")
    );
}

#[test]
fn what_cannot_be_done_is_said() {
    let root = repository("usage", &[]);
    for (arguments, expected) in [
        (
            vec!["new", "Messages/Pin"],
            "error: `Messages/Pin` is not AREA/NAME in snake_case, for example messages/pin_messages\n",
        ),
        (
            vec!["new", "../x/y"],
            "error: `../x/y` is not AREA/NAME in snake_case, for example messages/pin_messages\n",
        ),
        (
            vec!["explain", "R300"],
            "error: there is no rule `R300` (did you mean `R301`?)\n",
        ),
    ] {
        let output = run(&root, &arguments);
        assert_eq!(
            (output.status.code(), stderr(&output).as_str()),
            (Some(2), expected)
        );
    }
    assert!(stderr(&run(&root, &["--chek"])).starts_with("error: `--chek` is not understood here\n"));
    assert!(stderr(&run(&root, &["--spec"])).starts_with("error: `--spec` takes a folder\n"));
}

#[test]
fn explain_prints_the_page() {
    let root = repository("explain", &[]);
    let page = stdout(&run(&root, &["explain", "r301"]));
    assert!(page.starts_with("# R301: ") && page.contains("## Bad"));
    assert_eq!(stdout(&run(&root, &["explain"])).lines().count(), 23);
}

#[test]
fn a_broken_promise_is_found_by_check_alone() {
    let released = r#"{ "operations": { "list_messages": { "input": ["since"], "required": [], "output": ["messages"] } } }"#;
    let files = [
        ("spec/operations/messages/list_messages.yaml", LIST),
        ("docs/reference/released.json", released),
    ];
    let root = repository("released", &files);
    assert_eq!(run(&root, &[]).status.code(), Some(0));
    let check = run(&root, &["--check"]);
    assert!(
        stderr(&check).contains("error[R601]: the input `since` of `list_messages` was released and is gone")
    );
    assert_eq!(check.status.code(), Some(1));
}
