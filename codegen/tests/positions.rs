//! Where findings point: each fixture's findings are those of the file beside it.
//!
//! An upgrade of the YAML crate that moves a position shows here. `OAKEN_REWRITE=1` writes the expectations anew.

use std::{
    fs,
    path::{Path, PathBuf},
};

use oaken_codegen::compile;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// The findings of one fixture, put into the small whole spec.
fn findings(name: &str, bytes: &[u8]) -> String {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("positions")
        .join(name);
    for (folder, file) in [("settings", "operations.yaml"), ("models", "not_changed.yaml")] {
        fs::create_dir_all(root.join("spec").join(folder)).unwrap();
        let from = fixtures().join("base/spec").join(folder).join(file);
        fs::copy(from, root.join("spec").join(folder).join(file)).unwrap();
    }
    let folder = root.join("spec/operations/messages");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}.yaml")), bytes).unwrap();
    let (_, found) = compile(&root.join("spec"), &[]);
    let prefix = format!("spec/operations/messages/{name}.yaml:");
    found
        .iter()
        .map(|d| found.line(d).replace(&prefix, "") + "\n")
        .collect()
}

#[test]
fn findings_point_where_the_fault_is() {
    let mut seen = 0;
    for entry in fs::read_dir(fixtures().join("positions")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "yaml") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        let found = findings(name, &fs::read(&path).unwrap());
        let expected = path.with_extension("expected");
        if std::env::var_os("OAKEN_REWRITE").is_some() {
            fs::write(&expected, &found).unwrap();
        }
        assert_eq!(found, fs::read_to_string(&expected).unwrap(), "{name}");
        assert!(!found.is_empty(), "{name} has no fault");
        seen += 1;
    }
    assert!(seen >= 20, "{seen} fixtures");
}
