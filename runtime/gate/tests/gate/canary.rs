//! An error names the field, never the value: 3,000 inputs broken in every way, each with a marker in it.

use oaken_core::{Code, Confirmation, Error};
use oaken_gate::Input;
use serde_json::{Value, json};

use crate::world::{M1, WORK, World};

/// A small generator (xorshift): the same inputs at every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap_or(0)
    }
}

/// Something wrong with a marker in it.
fn junk(dice: &mut Dice, mark: &str) -> Value {
    match dice.roll(12) {
        0 => json!(mark),
        1 => json!(format!("m_{mark}")),
        2 => json!({ mark: mark }),
        3 => json!([mark, { mark: [mark] }]),
        4 => json!(format!("{mark}@")),
        5 => json!(format!("2026-13-45T{mark}")),
        6 => json!(format!("\u{1b}]0;{mark}\u{7}\u{202e}")),
        7 => json!(mark.repeat(500)),
        8 => json!({ "ids": [mark] }),
        9 => json!([[[[[mark]]]]]),
        10 => json!({ "message_id": mark, "subject": 1, mark: 2 }),
        _ => json!(format!("-{mark}d")),
    }
}

fn mutated(dice: &mut Dice, mark: &str) -> (&'static str, Input) {
    let (operation, mut input) = match dice.roll(5) {
        0 => (
            "list_things",
            json!({ "account_id": WORK, "limit": 5, "view": "inbox", "words": ["a"], "row": {} }),
        ),
        1 => ("read_things", json!({ "message_ids": [M1], "offset": 1 })),
        2 => ("mark_read", json!({ "target": { "ids": [M1] }, "note": "x" })),
        3 => ("send_message", json!({ "to": "a@b", "text": "x" })),
        _ => (
            "set_setting",
            json!({ "name": "operations.max_results", "value": "1" }),
        ),
    };
    let fields = input.as_object_mut().expect("an object");
    let names: Vec<String> = fields.keys().cloned().collect();
    for _ in 0..=dice.roll(3) {
        let value = junk(dice, mark);
        match dice.roll(3) {
            0 => drop(fields.insert(mark.to_owned(), value)),
            _ => drop(fields.insert(names[dice.roll(names.len())].clone(), value)),
        }
    }
    let text = input.to_string();
    let given = match dice.roll(6) {
        0 => {
            let keep = text.len() - 1 - dice.roll(text.len().min(10));
            Input::Bytes(text.into_bytes()[..keep].to_vec())
        }
        1 => Input::Bytes(format!("{{\"{mark}\":1,\"{mark}\":2,{}", &text[1..]).into_bytes()),
        2 => Input::Bytes(format!("{text}{mark}").into_bytes()),
        3 => Input::Bytes(text.into_bytes()),
        _ => Input::Value(input),
    };
    (operation, given)
}

fn said(e: &Error) -> String {
    format!("{e} {e:?} {}", serde_json::to_string(e).expect("json"))
}

#[tokio::test]
async fn no_error_of_3000_holds_what_was_given() {
    let w = World::new();
    let agent = w.organiser().await;
    let person = w.person();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut refused, mut kinds) = (0, std::collections::BTreeMap::new());
    for n in 0..3_300 {
        let mark = format!("cnry{n:05}z");
        let (operation, input) = mutated(&mut dice, &mark);
        let caller = if n % 2 == 0 { &person } else { &agent };
        let confirmation = match dice.roll(6) {
            0 => Confirmation::Token(mark.clone()),
            _ => Confirmation::None,
        };
        if let Err(e) = w.gate.call(caller, operation, input, confirmation).await {
            refused += 1;
            *kinds.entry(e.code().word()).or_insert(0) += 1;
            assert!(!said(&e).contains(&mark), "{operation}: {e}");
        }
    }
    assert!(refused >= 3_000, "{refused} {kinds:?}");
    assert!(!kinds.contains_key(Code::Internal.word()), "{kinds:?}");
    assert!(
        kinds.get(Code::InvalidInput.word()).is_some_and(|n| *n > 1_500),
        "{kinds:?}"
    );
    // The log took none of it either.
    assert_eq!(
        w.sql::<i64>("SELECT count(*) FROM audit_row WHERE detail LIKE '%cnry%' OR operation LIKE '%cnry%'"),
        0
    );
}
