//! How far syncs are, in the service log: the first batch of an account, one line each ten seconds, and the last.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use oaken_mail::Services;

/// The time between two lines about one account.
const EVERY: Duration = Duration::from_secs(10);

/// Logs the progress of whatever syncs in this process: ids and counts.
pub fn log(services: &Services) {
    let last: Mutex<HashMap<String, Instant>> = Mutex::new(HashMap::new());
    services.tell_progress(Arc::new(move |account, progress| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.get(account.as_str()).is_none_or(|at| at.elapsed() >= EVERY);
        if !due && progress.messages < progress.of {
            return;
        }
        last.insert(account.as_str().to_owned(), Instant::now());
        tracing::info!(
            account = account.as_str(),
            messages = progress.messages,
            of = progress.of,
            bytes = progress.bytes,
            "syncing"
        );
    }));
}
