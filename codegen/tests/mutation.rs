//! No bytes make the compiler panic: spec files are damaged at random and go through every stage.
//!
//! 20,000 times in a normal run; `OAKEN_MUTATIONS` says another number. The generator is seeded: a failure repeats.

use std::{
    fs,
    path::{Path, PathBuf},
};

use oaken_codegen::{
    Diagnostics,
    frontend::{Raw, Spanned, read, walk, yaml},
    ir::{self, SourceFile},
    rules,
};

/// xorshift64*, enough to damage text.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let n = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(n).unwrap() % below.max(1)
    }
}

/// What YAML, the type language and the command line's text are made of.
const TOKENS: &[&str] = &[
    ":",
    "- ",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "\n",
    "\n  ",
    "\t",
    "#",
    "&a ",
    "*a",
    "<<: ",
    "!t ",
    "---\n",
    "|\n",
    ">",
    "<",
    ", ",
    "list<",
    "optional<",
    "enum<",
    "text(",
    "Selection",
    "FolderId",
    "m_demo000001",
    "010",
    "-1",
    "99999999999999999999",
    ".inf",
    "null",
    "~",
    "off",
    "\u{feff}",
    "\0",
    "ü",
    "\u{202e}",
    "operation: ",
    "input: {a: {type: ",
    "default: ",
    "cli: ",
    "<x>...",
    "% ",
    "@",
    "`",
    "? ",
    "\r",
    "mcp: {tool: a.b}",
];

fn damage(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=random.next(4) {
        let at = random.next(bytes.len() + 1);
        match random.next(6) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = u8::try_from(random.next(256)).unwrap(),
            2 if at < bytes.len() => {
                bytes.remove(at);
            }
            3 => {
                let end = (at + random.next(60)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = random.next(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            4 => {
                let end = (at + random.next(60)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let token = TOKENS[random.next(TOKENS.len())].bytes();
                bytes.splice(at..at, token);
            }
        }
    }
    bytes
}

fn corpus() -> Vec<Vec<u8>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [here.join("tests/fixtures"), here.join("../spec")];
    let files: Vec<PathBuf> = folders.iter().flat_map(|f| walk::files(f, "yaml")).collect();
    let mut texts: Vec<Vec<u8>> = files.iter().map(|f| fs::read(f).unwrap()).collect();
    for rule in rules::RULES {
        let page = rules::Page::parse(rule.page);
        texts.extend(page.bad.into_iter().map(|b| b.text.into_bytes()));
    }
    texts
}

/// Every stage over one file, read as what it may be; every finding is rendered both ways.
fn compile(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let file = SourceFile {
        shown: "spec/operations/messages/a.yaml".into(),
        text: text.into(),
    };
    let mut found = Diagnostics::default();
    found.source(&file);
    if let Some(document) = yaml::parse(&file, &mut found) {
        let area = Spanned::new("messages".to_owned(), document.origin.clone());
        let mut raw = Raw::default();
        raw.operations.push(read::operation(&document, area, &mut found));
        raw.models.push(read::model(&document, &mut found));
        raw.sections.push(read::section(&document, &mut found));
        // What was refused still lowers here, so that the rules meet the odd ones too.
        raw.operations[0].spoiled.clear();
        let spec = ir::lower::spec(raw, &mut found);
        rules::check(&spec, &mut found);
        for operation in &spec.operations {
            assert_eq!(ir::digest::of(operation, &spec).len(), 32);
        }
    }
    found.sort();
    found
        .iter()
        .map(|d| found.line(d).len() + found.block(d).len())
        .sum()
}

#[test]
fn no_bytes_make_it_panic() {
    let rounds = std::env::var("OAKEN_MUTATIONS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(20_000);
    let corpus = corpus();
    assert!(corpus.len() > 50);
    let mut random = Random(0x0A4E_2026_1130);
    let mut said = 0;
    for _ in 0..rounds {
        let text = &corpus[random.next(corpus.len())];
        said += compile(&damage(text, &mut random));
    }
    assert!(said > rounds, "hardly anything was refused");
}
