//! How far a sync is, on one line of the terminal that is written over and taken away at the end.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use oaken_mail::Services;
use oaken_mail::sync::Progress;

use super::output::How;

/// The least time between two looks of the line.
const EVERY: Duration = Duration::from_millis(100);

/// Whether the line stands on the terminal.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// Shows the progress of whatever syncs in this process. Never with `--json`, never without a terminal.
pub fn show(services: &Services, how: &How) {
    if how.json || !std::io::stderr().is_terminal() {
        return;
    }
    let last: Mutex<Option<Instant>> = Mutex::new(None);
    services.tell_progress(Arc::new(move |_, progress| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|at| at.elapsed() < EVERY) {
            return;
        }
        *last = Some(Instant::now());
        SHOWN.store(true, Ordering::SeqCst);
        let mut err = std::io::stderr().lock();
        let _ = write!(err, "\r\x1b[K{}", words(progress));
        let _ = err.flush();
    }));
}

/// Takes the line away, where there is one.
pub fn clear() {
    if SHOWN.swap(false, Ordering::SeqCst) {
        eprint!("\r\x1b[K");
    }
}

/// `1200 of 5000 messages, 34.5 MB`.
fn words(progress: Progress) -> String {
    let tenths = progress.bytes / 100_000;
    format!(
        "{} of {} messages, {}.{} MB",
        progress.messages,
        progress.of.max(progress.messages),
        tenths / 10,
        tenths % 10
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(messages: u64, of: u64, bytes: u64, expected: &str) {
        assert_eq!(words(Progress { messages, of, bytes }), expected);
    }

    #[test]
    fn progress_in_words() {
        check(0, 0, 0, "0 of 0 messages, 0.0 MB");
        check(1200, 5000, 34_567_890, "1200 of 5000 messages, 34.5 MB");
        check(3, 2, 999, "3 of 3 messages, 0.0 MB");
    }
}
