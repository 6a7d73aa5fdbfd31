//! The clocks that proposals lapse by. A field, so that a test can turn them.

use std::sync::Arc;

/// The wall clock and the boot clock (see [`oaken_core::clock`]).
#[derive(Clone)]
pub struct Clock {
    /// Seconds since 1970.
    pub wall: Arc<dyn Fn() -> i64 + Send + Sync>,
    /// The boot, and the seconds since it.
    pub boot: Arc<dyn Fn() -> (String, i64) + Send + Sync>,
}

impl Clock {
    /// The machine's own.
    #[must_use]
    pub fn system() -> Self {
        Clock {
            wall: Arc::new(oaken_core::clock::wall),
            boot: Arc::new(oaken_core::clock::boot),
        }
    }

    pub(crate) fn now(&self) -> i64 {
        (self.wall)()
    }
}
