//! `oaken-bench`: what the gate and the doors cost, as tables of medians and ratios. It judges nothing.
//!
//!     oaken-bench gate DATA                      a read through the gate against its bare handler, in process
//!     oaken-bench doors ADDRESS PERSON AGENT     requests a second against a bare axum and a bare rmcp server
//!     oaken-bench start PROGRAM DATA             a cold start: --version and status
//!     oaken-bench bare-axum | bare-rmcp          those servers, on a free port that is printed

mod bare;
mod doors;
mod gate;
mod start;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["gate", data] => gate::measure(data.as_ref()),
        ["doors", address, person, agent] => doors::measure(address, person, agent),
        ["start", program, data] => start::measure(program, data),
        ["bare-axum"] => bare::axum(),
        ["bare-rmcp"] => bare::rmcp(),
        _ => {
            eprintln!("usage: oaken-bench gate DATA | doors ADDRESS PERSON AGENT | start PROGRAM DATA");
            std::process::exit(2);
        }
    }
}

/// The middle of what was measured.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
