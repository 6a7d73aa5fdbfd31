//! Waiting for the disk or for another process, without holding up what else a thread has to do.

use tokio::runtime::{Handle, RuntimeFlavor};

/// Runs what may block. A worker thread of an async runtime hands its other tasks to another thread first; any other
/// thread, and a runtime of one thread, waits.
pub(crate) fn aside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::aside;

    #[test]
    fn the_only_worker_goes_on_while_one_of_its_tasks_waits() {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .build()
            .expect("a runtime");
        let (said, heard) = mpsc::channel();
        let waits = runtime.spawn(async move { aside(move || heard.recv().is_ok()) });
        runtime.spawn(async move { said.send(()).is_ok() });
        assert!(runtime.block_on(waits).expect("no panic"));
    }

    #[test]
    fn where_there_is_no_other_thread_it_is_run_all_the_same() {
        assert_eq!(aside(|| 1), 1);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        assert_eq!(runtime.block_on(async { aside(|| 2) }), 2);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .build()
            .expect("a runtime");
        let elsewhere = runtime.spawn_blocking(|| aside(|| 3));
        assert_eq!(runtime.block_on(elsewhere).expect("no panic"), 3);
    }
}
