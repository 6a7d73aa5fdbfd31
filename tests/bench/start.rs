//! From start to end of a process: `--version`, and `status` on a data directory.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::median;

const STARTS: usize = 200;

/// Measures a program.
pub fn measure(program: &str, data: &str) {
    println!("| start to end, {STARTS} times | median, ms |\n|---|---|");
    println!("| /bin/true | {:.2} |", milliseconds("/bin/true", &[]));
    println!(
        "| oaken --version | {:.2} |",
        milliseconds(program, &["--version"])
    );
    println!(
        "| oaken status | {:.2} |",
        milliseconds(program, &["--data", data, "status"])
    );
}

fn milliseconds(program: &str, arguments: &[&str]) -> f64 {
    let each = |_| {
        let begin = Instant::now();
        let ended = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status();
        let took = begin.elapsed().as_secs_f64() * 1e3;
        assert!(ended.expect("it starts").success(), "{program} {arguments:?}");
        took
    };
    median((0..STARTS).map(each).collect())
}
