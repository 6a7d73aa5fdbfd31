//! `cargo codegen explain R301`.

use std::process::ExitCode;

use oaken_codegen::{diagnostic::nearest_help, rules};

/// The page of a rule.
pub fn page(code: &str) -> ExitCode {
    if let Some(rule) = rules::rule(code) {
        print!("{}", rule.page);
        return ExitCode::SUCCESS;
    }
    let help = nearest_help(&code.to_uppercase(), rules::RULES.iter().map(|r| r.code));
    eprintln!("error: there is no rule `{code}` ({help})");
    ExitCode::from(2)
}

/// Every rule on a line.
pub fn list() -> ExitCode {
    for rule in rules::RULES {
        println!("{}  {}", rule.code, rule.refuses);
    }
    ExitCode::SUCCESS
}
