//! Declarations as they are read from a source file.

use super::*;

const MARK_READ: &str = r##"
use oaken_macros::operation;

#[operation(class = mutate, ceiling = off, marks_read, area = messages, undo = mark_unread,
    summary = "Mark messages read.", preview = true, mcp(tool = marking, action = read, result = structured),
    examples(r#"{ "target": { "ids": [] } }"#))]
pub mod mark_read {
    pub struct Input {
        /// The messages,
        /// by their ids.
        pub target: Selection,
        #[field(min = -5, max = 5, default = 0)]
        pub offset: Option<i64>,
    }
    pub struct Output {
        #[field(bound = max_batch_ids)]
        pub marked: Vec<oaken_core::MessageId>,
        #[field(type = "enum<all, some>")]
        pub how: How,
        pub r#type: NotChanged,
    }
}
"##;

fn file(text: &str) -> SourceFile {
    SourceFile {
        shown: "a/src/lib.rs".into(),
        text: text.into(),
    }
}

fn text(s: &Option<Spanned<String>>) -> &str {
    s.as_ref().map_or("-", |s| s.value.as_str())
}

#[test]
fn everything_of_a_module_is_read() {
    let mut found = Diagnostics::default();
    let read = read(&file(MARK_READ), &mut found);
    assert!(found.is_empty(), "{found:?}");
    let [op] = read.as_slice() else {
        panic!("one operation, got {}", read.len())
    };
    assert_eq!(text(&op.operation), "mark_read");
    assert_eq!(
        (text(&op.class), text(&op.ceiling), text(&op.area)),
        ("mutate", "off", "messages")
    );
    assert_eq!(
        (text(&op.undo), text(&op.summary)),
        ("mark_unread", "Mark messages read.")
    );
    assert_eq!(op.marks_read.as_ref().map(|b| b.value), Some(true));
    let mcp = &op.mcp.as_ref().expect("mcp").value;
    assert_eq!(
        (text(&mcp.tool), text(&mcp.action), text(&mcp.result)),
        ("marking", "read", "structured")
    );
    assert_eq!(op.examples.as_ref().map(|e| e.value.len()), Some(1));

    let input = &op.input.as_ref().expect("input").value;
    assert_eq!(
        (text(&input[0].ty), text(&input[0].doc)),
        ("Selection", "The messages, by their ids.")
    );
    assert_eq!(text(&input[1].ty), "integer");
    assert_eq!(input[1].required.as_ref().map(|r| r.value), Some(false));
    assert_eq!(input[1].min.as_ref().map(|n| n.value), Some(-5));
    assert_eq!(
        input[1].default.as_ref().map(|d| d.value.clone()),
        Some(Value::Integer(0))
    );
    let output = &op.output.as_ref().expect("output").value;
    let types: Vec<_> = output
        .iter()
        .map(|f| (f.name.value.as_str(), text(&f.ty)))
        .collect();
    assert_eq!(
        types,
        [
            ("marked", "list<MessageId, max_batch_ids>"),
            ("how", "enum<all, some>"),
            ("type", "NotChanged")
        ]
    );
}

#[test]
fn an_origin_is_the_authors_own_token() {
    let read = read(&file(MARK_READ), &mut Diagnostics::default());
    let class = read[0].class.as_ref().expect("class");
    assert_eq!(&MARK_READ[class.origin.start..class.origin.end], "mutate");
    let ty = read[0].input.as_ref().expect("input").value[0]
        .ty
        .as_ref()
        .expect("type");
    assert_eq!(&MARK_READ[ty.origin.start..ty.origin.end], "Selection");
}

#[track_caller]
fn check(args: &str, code: &str, at: &str, help: &str) {
    let source = format!("#[operation({args})] pub mod a {{ }}");
    let mut found = Diagnostics::default();
    read(&file(&source), &mut found);
    let [d] = found.iter().collect::<Vec<_>>()[..] else {
        panic!("one finding, got {found:?}")
    };
    assert_eq!(
        (d.code, &source[d.origin.start..d.origin.end], d.help.as_str()),
        (code, at, help)
    );
    assert_eq!(d.declared, Declared::Attribute);
}

#[test]
fn what_cannot_be_read_is_said_on_its_token() {
    check("clas = read", "S002", "clas", "did you mean `class`?");
    check("class", "S003", "class", "write `key = word` or `key = \"…\"`");
    check(
        "marks_read = maybe",
        "S003",
        "maybe",
        "write the key alone for true",
    );
    check(
        "class = read, class = send",
        "S004",
        "class",
        "leave one of them out",
    );
    check(
        "class = = read",
        "S001",
        "=",
        "write `key`, `key = value` or `key(…)`, parted by commas",
    );
    check("mcp = a", "S003", "mcp", "write `key(…)`");
    check("mcp(toool = a)", "S002", "toool", "did you mean `tool`?");
    check(
        "examples(\"{\")",
        "S003",
        "\"{\"",
        "write an input as JSON: \"{}\"",
    );
}

#[test]
fn a_file_without_operations_or_without_rust_gives_none() {
    let mut found = Diagnostics::default();
    assert!(read(&file("fn main() {}"), &mut found).is_empty());
    assert!(found.is_empty());
    assert!(read(&file("operation )"), &mut found).is_empty());
    assert_eq!(found.len(), 1);
}
