//! What the gate costs a read. Wide of the aim (50 µs in release on a quiet machine; the bench measures that), so
//! that only a change of kind fails here: settings read anew at each call, a list scanned.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::world::{M1, World};

#[tokio::test]
async fn a_person_s_read_is_checked_in_well_under_two_milliseconds() {
    let w = World::new();
    let person = w.person();
    let input = json!({ "message_ids": [M1] });
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..300 {
        let begun = Instant::now();
        w.read(&person, "read_things", input.clone()).await;
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    let median = times[times.len() / 2];
    println!("median of a read: {median:?}");
    assert!(median < Duration::from_millis(2), "{median:?}");
}
