//! The same spec gives the same text, each time.

use std::path::Path;

use oaken_codegen::{build, compile, emit::ARTEFACTS};

#[test]
fn generated_twice_is_equal() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let once = || {
        let (spec, found) = compile(&root.join("spec"), &build::attribute_sources(&root));
        let said: Vec<String> = found.iter().map(|d| found.line(d)).collect();
        let texts: Vec<String> = ARTEFACTS.iter().map(|a| (a.emit)(&spec)).collect();
        (spec.operations.len(), said, texts)
    };
    let (first, second) = (once(), once());
    assert!(first.0 > 30, "{} operations", first.0);
    assert_eq!(first, second);
}

#[test]
fn the_spec_of_this_repository_has_no_fault() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (spec, found) = compile(&root.join("spec"), &build::attribute_sources(&root));
    let said: Vec<String> = found.iter().map(|d| found.line(d)).collect();
    assert_eq!(said, Vec::<String>::new());
    for name in ["mark_read", "send_message", "list_messages"] {
        assert!(spec.operation(name).is_some(), "{name}");
    }
}
