//! Declared names for the sentences of faults, which take static words only.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use oaken_core::Field;

type Names = &'static [&'static str];

/// The names of these fields. Kept for good, once a set of fields: there are as many as the spec declares.
pub(crate) fn names(fields: &'static [Field]) -> Names {
    static KEPT: LazyLock<Mutex<HashMap<(usize, usize), Names>>> = LazyLock::new(Mutex::default);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.entry((fields.as_ptr().addr(), fields.len()))
        .or_insert_with(|| Box::leak(fields.iter().map(|f| f.name).collect()))
}
