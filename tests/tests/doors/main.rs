//! Every operation of the registry at every door, on one demo: the same input gives the same output, the same bad input
//! the same error, and a change that is made at one door is seen at all others.
//!
//! Deliberately absent: what an operation should answer; that is tested where it is handled.

mod changes;
mod definitions;
mod doors;
mod governance;
mod reads;
mod refusals;
mod schemas;

use oaken_core::Descriptor;

use doors::Doors;

/// Every operation there is.
fn descriptors() -> Vec<&'static Descriptor> {
    [
        oaken_operations::DESCRIPTORS,
        oaken_read_state::DESCRIPTORS,
        oaken_send::DESCRIPTORS,
    ]
    .concat()
}

/// One test, since all share a demo, and the later parts change what the earlier ones look at.
#[test]
fn every_operation_is_alike_at_every_door() {
    let mut doors = Doors::open();
    definitions::are_bounded(&mut doors);
    doors.give_the_agent_what_a_person_has();
    reads::examples(&mut doors);
    reads::with_ids(&mut doors);
    refusals::bad_inputs(&mut doors);
    refusals::over_limits(&mut doors);
    refusals::never_for_agents(&mut doors);
    changes::marks(&mut doors);
    changes::sync(&mut doors);
    governance::changes(&mut doors);
    let untouched: Vec<&str> = descriptors()
        .iter()
        .map(|d| d.name)
        .filter(|name| !doors.succeeded.contains(name))
        .collect();
    // No server of the demo marks mail by itself; and sending is reserved: it is refused for everyone (`refusals`).
    assert_eq!(
        untouched,
        ["accept_marking", "send_message"],
        "these never ran to their end"
    );
}
