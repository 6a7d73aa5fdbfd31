//! The two clocks: the wall, which a person can set, and the boot clock, which only runs.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970 by the wall clock.
#[must_use]
pub fn wall() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| i64::try_from(d.as_secs()).unwrap_or(i64::MAX))
}

/// The boot this machine is in, and the seconds since it: a time that no clock change moves. What was bound to
/// another boot is void. Falls back to this process's own start where the system names no boot.
#[must_use]
pub fn boot() -> (String, i64) {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").map(|s| s.trim().to_owned());
    let up = std::fs::read_to_string("/proc/uptime")
        .ok()
        .and_then(|s| s.split(['.', ' ']).next().and_then(|n| n.parse::<i64>().ok()));
    match (id, up) {
        (Ok(id), Some(up)) if !id.is_empty() => (id, up),
        _ => {
            static START: std::sync::LazyLock<std::time::Instant> =
                std::sync::LazyLock::new(std::time::Instant::now);
            let up = i64::try_from(START.elapsed().as_secs()).unwrap_or(i64::MAX);
            (format!("process-{}", std::process::id()), up)
        }
    }
}
