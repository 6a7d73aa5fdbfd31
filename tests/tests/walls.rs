//! The walls between the crates: who may depend on whom, which crates of others only one of ours may name, and where a
//! dial may stand. Read from `cargo tree`, compared with the tables below; a new edge is a decision, made here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use oaken_tests::program::repository;

/// Which of our crates each may depend on directly (DESIGN §2). Names are without `oaken-`.
const MAY: &[(&str, &[&str])] = &[
    ("codegen", &[]),
    ("macros", &["codegen"]),
    ("core", &[]),
    ("store", &["core"]),
    ("gate", &["core", "store"]),
    ("wire-imap", &["core", "gate"]),
    ("mime", &["core"]),
    ("mail", &["core", "gate", "mime", "store", "wire-imap"]),
    ("read-state", &["core", "gate", "macros", "mail"]),
    ("send", &["core", "gate", "macros", "mail", "mime"]),
    ("retrieval", &["core", "mail"]),
    ("operations", &["core", "gate", "macros", "mail", "retrieval"]),
    (
        "app",
        &[
            "core",
            "gate",
            "mail",
            "operations",
            "read-state",
            "send",
            "store",
        ],
    ),
];

/// What each may use to build: the crates that have operations or generated vocabulary run codegen.
const MAY_BUILD: &[(&str, &[&str])] = &[
    ("core", &["codegen"]),
    ("operations", &["codegen"]),
    ("read-state", &["codegen"]),
    ("send", &["codegen"]),
];

/// Crates of others that only these of ours may name.
const ONLY: &[(&str, &[&str])] = &[
    ("async-imap", &["wire-imap"]),
    ("imap-proto", &["wire-imap"]),
    ("tokio-rustls", &["wire-imap"]),
    ("rusqlite", &["store"]),
    ("rusqlite_migration", &["store"]),
    ("chacha20poly1305", &["mail"]),
    ("hmac", &["gate"]),
    ("axum", &["app"]),
    ("rmcp", &["app"]),
    ("clap", &["app"]),
    ("mail-parser", &["mime"]),
    ("serde-saphyr", &["codegen"]),
    ("serde_yaml", &[]),
    ("syn", &["codegen"]),
];

/// The one folder of ours whose sources may name what dials.
const DIALS: &str = "runtime/wire_imap/";

/// Direct dependencies by crate: ours without the prefix, others by their names.
type Edges = BTreeMap<String, BTreeSet<String>>;

fn tree(edges: &str) -> Edges {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree = Command::new(cargo)
        .current_dir(repository())
        .args([
            "tree",
            "--workspace",
            // A crate that stands below another would be listed without what it depends on.
            "--no-dedupe",
            "--locked",
            "--depth",
            "1",
            "--prefix",
            "depth",
            "--format",
            " {p}",
            "-e",
            edges,
        ])
        .output()
        .expect("cargo runs");
    assert!(
        tree.status.success(),
        "cargo tree: {}",
        String::from_utf8_lossy(&tree.stderr)
    );
    parse(&String::from_utf8(tree.stdout).expect("names are UTF-8"))
}

/// Lines such as `0 oaken-app v0.1.0 (…)` and `1 axum v0.8.9`.
fn parse(tree: &str) -> Edges {
    let mut edges = Edges::new();
    let mut of = String::new();
    for line in tree.lines() {
        let mut words = line.split_whitespace();
        let (Some(depth), Some(name)) = (words.next(), words.next()) else {
            continue;
        };
        let name = name
            .strip_prefix("oaken-")
            .map_or_else(|| name.to_owned(), |ours| format!("ours:{ours}"));
        match depth {
            "0" => {
                of = name.trim_start_matches("ours:").to_owned();
                edges.entry(of.clone()).or_default();
            }
            _ => {
                edges.entry(of.clone()).or_default().insert(name);
            }
        }
    }
    edges.remove("tests");
    edges
}

fn ours(names: &BTreeSet<String>) -> impl Iterator<Item = &str> {
    names.iter().filter_map(|n| n.strip_prefix("ours:"))
}

/// Every edge that the tables do not allow.
fn faults(edges: &Edges, may: &[(&str, &[&str])]) -> Vec<String> {
    let mut faults = vec![];
    for (of, names) in edges {
        let allowed = may.iter().find(|(name, _)| name == of).map(|(_, to)| *to);
        for to in ours(names).filter(|to| !allowed.is_some_and(|a| a.contains(to))) {
            faults.push(format!("oaken-{of} depends on oaken-{to}"));
        }
        for (other, only) in ONLY
            .iter()
            .filter(|(other, only)| names.contains(*other) && !only.contains(&of.as_str()))
        {
            faults.push(format!("oaken-{of} names {other}, which belongs to {only:?}"));
        }
    }
    faults
}

#[test]
fn dependencies_run_in_the_direction_of_the_design() {
    let edges = tree("normal");
    for (name, _) in MAY {
        assert!(edges.contains_key(*name), "cargo tree does not list oaken-{name}");
    }
    let unlisted: Vec<&String> = edges
        .keys()
        .filter(|k| !MAY.iter().any(|(name, _)| name == k))
        .collect();
    assert!(
        unlisted.is_empty(),
        "crates without a line in the table: {unlisted:?}"
    );
    assert_eq!(faults(&edges, MAY), Vec::<String>::new());
}

#[test]
fn only_codegen_is_used_to_build() {
    assert_eq!(faults(&tree("build"), MAY_BUILD), Vec::<String>::new());
}

#[track_caller]
fn check(tree: &str, expected: &[&str]) {
    assert_eq!(faults(&parse(tree), MAY), expected);
}

#[test]
fn a_broken_wall_is_found() {
    check(
        "0 oaken-operations v0.1.0\n1 oaken-mail v0.1.0\n1 serde v1.0.0",
        &[],
    );
    check(
        "0 oaken-operations v0.1.0\n1 oaken-read-state v0.1.0",
        &["oaken-operations depends on oaken-read-state"],
    );
    check(
        "0 oaken-operations v0.1.0\n1 oaken-send v0.1.0",
        &["oaken-operations depends on oaken-send"],
    );
    check(
        "0 oaken-operations v0.1.0\n1 oaken-store v0.1.0",
        &["oaken-operations depends on oaken-store"],
    );
    check(
        "0 oaken-gate v0.1.0\n1 oaken-mail v0.1.0",
        &["oaken-gate depends on oaken-mail"],
    );
    check(
        "0 oaken-core v0.1.0\n1 oaken-store v0.1.0",
        &["oaken-core depends on oaken-store"],
    );
    check(
        "0 oaken-operations v0.1.0\n1 rusqlite v0.40.2",
        &["oaken-operations names rusqlite, which belongs to [\"store\"]"],
    );
    check(
        "0 oaken-new v0.1.0\n1 oaken-core v0.1.0",
        &["oaken-new depends on oaken-core"],
    );
}

/// Whether a source line names what a connection outward is made with.
fn dials(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    // A stream that was accepted is no dial; under another name it could not be told from one.
    [
        "TcpStream::connect",
        "TcpStream as",
        "UnixStream::connect",
        "UnixStream as",
        "TcpSocket",
        "UdpSocket",
        "UnixDatagram",
    ]
    .iter()
    .any(|w| code.contains(w))
}

/// Lines of the product that `finds`, outside of these folders: `file:line: text`.
fn named_outside(folders: &[&str], finds: fn(&str) -> bool) -> Vec<String> {
    let listed = Command::new("git")
        .current_dir(repository())
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "runtime/*.rs",
        ])
        .output()
        .expect("git runs");
    let names = String::from_utf8(listed.stdout).expect("names are UTF-8");
    let mut found = vec![];
    for name in names
        .split('\0')
        .filter(|n| n.ends_with(".rs") && !folders.iter().any(|f| n.starts_with(f)))
    {
        let Ok(text) = fs::read_to_string(repository().join(name)) else {
            continue;
        };
        // What follows the tests of a file is not part of the product.
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        found.extend(
            product
                .lines()
                .enumerate()
                .filter(|(_, l)| finds(l))
                .map(|(n, l)| format!("{name}:{}: {}", n + 1, l.trim())),
        );
    }
    found
}

#[test]
fn only_the_wire_crate_dials() {
    assert_eq!(named_outside(&[DIALS], dials), Vec::<String>::new());
    assert!(dials("let s = TcpStream::connect(a).await?;") && !dials("// a TcpStream is made elsewhere"));
    assert!(!dials("    stream: TcpStream,") && dials("use tokio::net::TcpStream as Line;"));
    assert!(!named_outside(&[], dials).is_empty());
}

/// `Auditable::name` takes any short run of letters, a subject too. It is for the names of what governs, where a person
/// gave them; a handler over mail is given no way to it.
#[test]
fn only_what_governs_makes_a_name_auditable() {
    let names = |line: &str| {
        line.split("//")
            .next()
            .unwrap_or_default()
            .contains("Auditable::name(")
    };
    let may = [
        "runtime/gate/src/governance/",
        "runtime/mail/src/accounts/workspaces.rs",
    ];
    assert_eq!(named_outside(&may, names), Vec::<String>::new());
    assert_eq!(named_outside(&[], names).len(), 3);
}

/// The folder of one of our crates.
fn folder(of: &str) -> std::path::PathBuf {
    match of {
        "codegen" | "macros" => repository().join(of),
        _ => repository().join("runtime").join(of.replace('-', "_")),
    }
}

/// All of a crate's source, tests and build script included; where it has operations, with what writes their code.
fn source(of: &str) -> String {
    let (mut text, mut folders) = (String::new(), vec![folder(of)]);
    if MAY_BUILD.iter().any(|(name, _)| *name == of) {
        folders.push(folder("codegen").join("src/emit"));
    }
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the crate").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                text.push_str(&fs::read_to_string(path).unwrap_or_default());
            }
        }
    }
    text
}

#[test]
fn no_crate_depends_on_what_it_does_not_name() {
    let mut vain = vec![];
    for (of, names) in tree("normal,build,dev") {
        let source = source(&of);
        let name = |n: &String| n.replace("ours:", "oaken-");
        let unnamed = names
            .iter()
            .map(name)
            .filter(|n| !source.contains(&n.replace('-', "_")));
        vain.extend(unnamed.map(|n| format!("oaken-{of} depends on {n} and never names it")));
    }
    assert_eq!(vain, Vec::<String>::new());
}
