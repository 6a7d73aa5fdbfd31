//! Which process holds what the database says is held, so that another can tell whether it still runs: the boot, the
//! process id, when it started, and the namespace that the id is of.

use std::sync::LazyLock;

use oaken_core::clock;

/// This process, to be stored beside what it holds.
#[must_use]
pub fn this() -> &'static str {
    static THIS: LazyLock<String> = LazyLock::new(|| {
        let pid = std::process::id();
        format!(
            "{} {pid} {} {}",
            clock::boot().0,
            started(pid).unwrap_or_default(),
            namespace()
        )
    });
    &THIS
}

/// Whether a process that [`this`] once named still runs. Nothing where that cannot be told: the system does not tell
/// of processes, or it was in another container, whose processes are not seen from here.
#[must_use]
pub fn is_alive(process: &str) -> Option<bool> {
    if process == this() {
        return Some(true);
    }
    let mut parts = process.split(' ');
    let (Some(boot), Some(pid), Some(start)) = (parts.next(), parts.next(), parts.next()) else {
        return Some(false);
    };
    if boot != clock::boot().0 {
        return Some(false);
    }
    started(std::process::id())?;
    if parts.next() != Some(&namespace()) {
        return None;
    }
    Some(pid.parse().ok().and_then(started).is_some_and(|now| now == start))
}

/// When a process started, in ticks since the boot; `None` where there is none such, or the system does not tell.
fn started(pid: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may hold anything, so the fields are counted after it: the 22nd of all is the 20th there.
    let (_, after) = stat.rsplit_once(')')?;
    let mut fields = after.split_whitespace();
    // A process that ended and that its parent did not ask after yet holds nothing any more.
    if matches!(fields.next(), Some("Z" | "X")) {
        return None;
    }
    fields.nth(18).map(str::to_owned)
}

/// Two containers on one machine count their processes each for itself.
fn namespace() -> String {
    std::fs::read_link("/proc/self/ns/pid")
        .map(|link| link.to_string_lossy().replace(' ', ""))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(process: &str, expected: Option<bool>) {
        assert_eq!(is_alive(process), expected, "{process}");
    }

    #[test]
    fn this_one_runs_and_one_that_ended_does_not() {
        check(this(), Some(true));
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .expect("started");
        let its = format!(
            "{} {} {} {}",
            clock::boot().0,
            child.id(),
            started(child.id()).expect("running"),
            namespace()
        );
        check(&its, Some(true));
        child.kill().expect("killed");
        // Until it is waited for its id is still there, and it is dead all the same.
        while std::fs::read_to_string(format!("/proc/{}/stat", child.id())).is_ok_and(|s| !s.contains(") Z "))
        {
            std::thread::yield_now();
        }
        check(&its, Some(false));
        child.wait().expect("ended");
        check(&its, Some(false));
    }

    #[test]
    fn another_boot_another_start_and_another_container() {
        let (boot, pid) = (clock::boot().0, std::process::id());
        check(&format!("another-boot {pid} 1 {}", namespace()), Some(false));
        check(&format!("{boot} {pid} 1 {}", namespace()), Some(false));
        check(&format!("{boot} {pid} 1 pid:[1]"), None);
        check("", Some(false));
    }
}
