//! Damaged bytes: the gate's reader takes what serde_json takes, and the same value of it, but for duplicate keys, which
//! it refuses wherever they are, and what is nested too deep.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::random::Random;
use crate::{base, descriptors};

const INPUTS: usize = 20_000;

#[test]
fn reader_and_serde_json_agree_but_for_duplicate_keys() {
    let all = descriptors();
    let mut random = Random::new(2026);
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    for n in 0..INPUTS {
        let d = all[n % all.len()];
        let mut text = base::object(d.input, &mut random).to_string().into_bytes();
        text.truncate(2_000);
        for _ in 0..random.below(3) {
            damage(&mut text, &mut random);
        }
        *met.entry(compare(&text)).or_default() += 1;
    }
    for outcome in [
        "taken",
        "has the same key twice",
        "is not valid JSON",
        "has something after its end",
    ] {
        assert!(
            met.get(outcome).is_some_and(|n| *n > 20),
            "{outcome} is hardly met: {met:?}"
        );
    }
}

fn damage(text: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(text.len().max(1)).min(text.len());
    match random.below(8) {
        0 => text.truncate(at),
        1 => text.insert(at, *random.pick(b"{}[],:\"\\\x00\xff e-")),
        2 => {
            if let Some(byte) = text.get_mut(at) {
                *byte = random.next() as u8;
            }
        }
        3 => text.extend_from_slice(b" {}"),
        // The first member once more, its first letter spelt as an escape.
        4 | 5 if text.len() > 3 && text.starts_with(b"{\"") => {
            let twice = format!("{{\"\\u{:04x}", text[2]).into_bytes();
            let key: Vec<u8> = text.iter().skip(3).take_while(|b| **b != b'"').copied().collect();
            let mut all = [twice, key, b"\":0,".to_vec()].concat();
            all.extend_from_slice(&text[1..]);
            *text = all;
        }
        6 => *text = [b"[".repeat(40), std::mem::take(text), b"]".repeat(40)].concat(),
        _ => *text = [b" \n\t".to_vec(), std::mem::take(text)].concat(),
    }
}

/// Answers what the gate's reader said.
fn compare(text: &[u8]) -> String {
    let theirs = serde_json::from_slice::<Value>(text);
    match (oaken_gate::input::parse(text), theirs) {
        (Ok(ours), Ok(theirs)) => {
            assert_eq!(ours, theirs);
            assert_eq!(
                members(text),
                counted(&theirs),
                "a key went by twice: {}",
                String::from_utf8_lossy(text)
            );
            "taken".to_owned()
        }
        (Ok(_), Err(e)) => panic!(
            "taken, and serde_json says {e}: {}",
            String::from_utf8_lossy(text)
        ),
        (Err(refused), theirs) => {
            let said = refused.faults()[0].message.to_string();
            if let Ok(theirs) = theirs {
                let twice = said == "has the same key twice" && members(text) > counted(&theirs);
                let deep = said == "is nested deeper than 32 levels" && depth(&theirs) > 32;
                assert!(twice || deep, "{said}: {}", String::from_utf8_lossy(text));
            }
            said
        }
    }
}

/// The colons outside of strings: as many as members were written.
fn members(text: &[u8]) -> usize {
    let (mut within, mut escaped, mut colons) = (false, false, 0);
    for b in text {
        match b {
            _ if escaped => escaped = false,
            b'\\' if within => escaped = true,
            b'"' => within = !within,
            b':' if !within => colons += 1,
            _ => {}
        }
    }
    colons
}

/// The members of all objects of a value.
fn counted(value: &Value) -> usize {
    match value {
        Value::Object(fields) => fields.len() + fields.values().map(counted).sum::<usize>(),
        Value::Array(items) => items.iter().map(counted).sum(),
        _ => 0,
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
