//! A faulty spec stops `cargo build` like a compiler would: every fault of every file in one build, each on its line
//! and column, no panic, and rustc is not run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What is wrong with the fixture's operations, in the order in which it is said.
const FAULTS: &[&str] = &[
    "spec/operations/messages/archive_messages.yaml:6:11: R201: unknown model or id `Selction` (help: did you mean `Selection`?)",
    "spec/operations/messages/archive_messages.yaml:8:55: S002: unknown key `dco` (help: did you mean `doc`?)",
    "spec/operations/messages/archive_messages.yaml:9:11: S003: `destroys` is a boolean, not a string (help: true or false; off, on, yes and no are words)",
    "spec/operations/messages/archive_messages.yaml:10:1: S002: unknown key `aproval` (help: did you mean `approval`?)",
    "spec/operations/messages/broken.yaml:2:10: S001: unclosed quote",
    "spec/operations/messages/list_messages.yaml:6:19: R305: the input `folder` is a string, and names something (help: call it folder_id, of type FolderId)",
    "spec/operations/messages/list_messages.yaml:8:21: R202: the bound of `messages` is no number among the settings: `max_result` (help: did you mean `max_results`?)",
    "spec/operations/messages/send_message.yaml:2:10: R102: the summary is not one sentence (help: begin with a capital and end with the only full stop)",
    "spec/operations/messages/send_message.yaml:4:10: R301: `send_message` sends and could be offered to agents (help: write `ceiling: never`)",
    "spec/operations/messages/send_message.yaml:7:17: R202: the string `text` has no bound (help: add `max_chars:`, or use `text` for what somebody wrote)",
    "spec/operations/messages/send_message.yaml:10:7: R201: there is no operation `unsend_message` (help: did you mean `send_message`?)",
    "spec/operations/messages/send_message.yaml:11:6: R402: `oaken messages send` is `list_messages` already (help: use another verb)",
    "src/handlers/messages/archive.rs:1:1: R501: the handler has no declaration (help: declare it in spec/operations/messages/archive.yaml, or remove the file)",
];

/// A copy of the fixture that builds against the codegen of this tree, with its lock file.
fn copy(name: &str) -> PathBuf {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap();
    let package = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("bad_spec")
        .join(name);
    drop(fs::remove_dir_all(&package));
    copy_folder(&tree.join("tests/fixtures/bad_spec_crate"), &package);
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
    let codegen = tree.join("codegen");
    fs::write(
        package.join("Cargo.toml"),
        manifest.replace("../../../codegen", codegen.to_str().unwrap()),
    )
    .unwrap();
    fs::copy(tree.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    package
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&source, &target);
        } else {
            fs::copy(source, target).unwrap();
        }
    }
}

fn build(package: &Path) -> Output {
    Command::new(env!("CARGO"))
        .args(["build", "--offline", "--color", "never", "--target-dir"])
        .arg(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bad_spec/target"))
        .current_dir(package)
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap()
}

/// The faults among what cargo says; that it failed, without a panic and without rustc.
#[track_caller]
fn faults(output: &Output) -> Vec<String> {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(101), "{said}");
    for never in ["panicked", "RUST_BACKTRACE", "rustc was run", "could not compile"] {
        assert!(!said.contains(never), "{never}: {said}");
    }
    assert!(said.contains("error: build script logged errors"), "{said}");
    let lines = said
        .lines()
        .filter_map(|l| l.strip_prefix("error: bad-spec@0.0.0: "));
    lines.map(str::to_owned).collect()
}

#[test]
fn every_fault_is_a_line() {
    assert_eq!(faults(&build(&copy("operations"))), FAULTS);
}

#[test]
fn a_faulty_model_hides_nothing_and_says_nothing_twice() {
    let package = copy("model");
    let model = package.join("spec/models/not_changed.yaml");
    let text = fs::read_to_string(&model)
        .unwrap()
        .replace("message_id: MessageId", "message_id: MesageId");
    fs::write(&model, text).unwrap();
    let mut expected = vec![
        "spec/models/not_changed.yaml:4:15: R201: unknown model or id `MesageId` (help: did you mean `MessageId`?)",
    ];
    expected.extend(FAULTS);
    assert_eq!(faults(&build(&package)), expected);
}

/// An operation of an attribute that breaks a rule by itself (R301) and one over the whole spec (R201).
const ATTRIBUTE: &str = r#"//! Read by codegen, never compiled.

#[operation(class = send, ceiling = on, presence = os, area = messages, undo = unsend,
    title = "Send", summary = "Send a message.", cli = "letters send")]
pub mod send_letter {
    pub struct Input {}
    pub struct Output {}
}
"#;

#[test]
fn what_the_macro_says_is_left_to_the_macro() {
    let package = copy("attribute");
    let source = package.join("runtime/letters/src");
    fs::create_dir_all(&source).unwrap();
    fs::write(source.join("lib.rs"), ATTRIBUTE).unwrap();
    let mut expected = vec![
        "runtime/letters/src/lib.rs:3:80: R201: there is no operation `unsend` (help: declare it, or leave this out)",
    ];
    expected.extend(FAULTS);
    assert_eq!(faults(&build(&package)), expected);
}

#[test]
fn a_mended_spec_builds_as_far_as_rustc() {
    let package = copy("mended");
    let operations = package.join("spec/operations/messages");
    let handlers = package.join("src/handlers/messages");
    for name in ["archive_messages", "send_message", "broken"] {
        fs::remove_file(operations.join(format!("{name}.yaml"))).unwrap();
        fs::remove_file(handlers.join(format!("{name}.rs"))).unwrap();
    }
    fs::remove_file(handlers.join("archive.rs")).unwrap();
    let list = operations.join("list_messages.yaml");
    let text = fs::read_to_string(&list).unwrap();
    let text = text.replace("max_result>", "max_results>").replace(
        "folder: { type: string, max_chars: 64,",
        "folder_id: { type: FolderId,",
    );
    fs::write(&list, text).unwrap();
    let output = build(&package);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("rustc was run") && !said.contains("build script logged errors"),
        "{said}"
    );
}
