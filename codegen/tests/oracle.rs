//! serde_yaml, which is no longer maintained, as a second opinion: every spec file is the same value to both.

use std::path::Path;

use oaken_codegen::{
    Diagnostics,
    frontend::{walk, yaml},
};

#[test]
fn every_spec_file_reads_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Diagnostics::default();
    let files = walk::files(&root.join("spec"), "yaml");
    assert!(files.len() > 40, "{} files", files.len());
    for path in files {
        let file = walk::read(&path, &root, &mut found).unwrap();
        let ours = yaml::parse(&file, &mut found).unwrap();
        let theirs: serde_json::Value = serde_yaml::from_str(&file.text).unwrap();
        assert_eq!(ours.value.to_json(), theirs, "{}", file.shown);
    }
    assert!(found.is_empty());
}

#[test]
fn off_is_a_word_to_both() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join("spec/operations/messages/flag_messages.yaml");
    let mut found = Diagnostics::default();
    let file = walk::read(&path, &root, &mut found).unwrap();
    assert!(file.text.contains("\nceiling: off\n"));
    let ours = yaml::parse(&file, &mut found).unwrap().value.to_json();
    let theirs: serde_json::Value = serde_yaml::from_str(&file.text).unwrap();
    assert_eq!(
        (&ours["ceiling"], &theirs["ceiling"]),
        (&"off".into(), &"off".into())
    );
    assert!(found.is_empty());
}
