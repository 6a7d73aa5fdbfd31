//! Two agents that try anything, and a person who changes the rules while they do: whatever the order, nothing is done
//! that was not proposed, shown, and let by the rules of that moment.

use oaken_core::{Answer, Confirmation};
use oaken_gate::Caller;
use serde_json::{Value, json};

use crate::world::{M1, M2, M3, NOBODY, WORK, World, unknown_token};

/// The same steps at every run (xorshift).
struct Dice(u64);

impl Dice {
    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        of[usize::try_from(self.0 % of.len() as u64).unwrap_or(0)].clone()
    }
}

const CHANGES: [&str; 5] = ["mark_read", "mark_unread", "flag_things", "trash_things", "undo"];
const NEVER: [&str; 6] = [
    "send_message",
    "raw_thing",
    "add_agent",
    "set_setting",
    "set_operation_exposure",
    "revoke_agent",
];

fn input(dice: &mut Dice, operation: &str) -> Value {
    let ids = dice.pick(&[
        vec![M1],
        vec![M2],
        vec![M1, M2],
        vec![M3],
        vec![M1, M3],
        vec![NOBODY],
        vec![],
    ]);
    match operation {
        "list_things" => dice.pick(&[json!({}), json!({ "account_id": WORK })]),
        "read_things" => json!({ "message_ids": ids }),
        "undo" => json!({ "entry_ids": [dice.pick(&["e_vvvvvvvvvv", "e_0000000000"])] }),
        "set_operation_exposure" => json!({ "operation": "raw_thing", "exposure": "on" }),
        "set_setting" => json!({ "name": "mcp.workspaces", "value": "all" }),
        "send_message" => json!({ "to": "a@b", "text": "x" }),
        _ => json!({ "target": { "ids": ids } }),
    }
}

/// A token, and what it was issued for: the agent, the operation, the input.
type Issued = Vec<(String, usize, &'static str, String)>;

async fn rule_changes(w: &World, dice: &mut Dice) {
    match dice.pick(&[0, 1, 2, 3]) {
        0 | 1 => {
            w.expose(
                dice.pick(&CHANGES),
                dice.pick(&["on", "on", "on", "off", "default"]),
            )
            .await
        }
        2 => {
            w.set(
                "mcp.workspaces",
                dice.pick(&["default", "default", "default", "nowhere"]),
            )
            .await
        }
        _ => drop(w.wall.fetch_add(30, std::sync::atomic::Ordering::SeqCst)),
    }
    // Things become unread and unflagged again, so that there is always something to change.
    for thing in w.state.lock().expect("the state").things.values_mut() {
        (thing.read, thing.flagged) = (false, false);
    }
}

#[tokio::test]
async fn of_1200_calls_of_two_agents_none_does_what_was_not_proposed_and_let() {
    let w = World::new();
    w.state
        .lock()
        .expect("the state")
        .things
        .get_mut(M3)
        .expect("there")
        .text = "hidden".to_owned();
    w.set("operations.max_pending_per_agent", "5").await;
    let agents: [Caller; 2] = [w.organiser().await, w.agent("other").await];
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut issued = Issued::new();
    let (mut redeemed, mut proposed, mut refused) = (0, 0, 0);
    for n in 0..1_200 {
        if n % 12 == 0 {
            rule_changes(&w, &mut dice).await;
        }
        let who = dice.pick(&[0, 1]);
        let operation = match dice.pick(&[0, 1, 2, 3, 4, 5]) {
            0 => dice.pick(&NEVER),
            1 => dice.pick(&["list_things", "read_things"]),
            _ => dice.pick(&CHANGES[..3]),
        };
        let mut asked = (operation, input(&mut dice, operation));
        let mut who = who;
        let confirmation = match dice.pick(&[0, 1, 2, 3, 4, 5, 6, 7]) {
            0 => Confirmation::Yes,
            1 => Confirmation::Token(unknown_token()),
            2..=4 if !issued.is_empty() => {
                let (token, owner, operation, input) = dice.pick(&issued);
                // Mostly as it was meant; else by whoever, for whatever.
                if dice.pick(&[true, true, true, false]) {
                    who = owner;
                    asked = (operation, serde_json::from_str(&input).expect("json"));
                }
                Confirmation::Token(token)
            }
            _ => Confirmation::None,
        };
        let before = w.applied();
        let offered: Vec<&str> = w
            .gate
            .offered(&agents[who])
            .expect("offers")
            .iter()
            .map(|o| o.descriptor.name)
            .collect();
        let (operation, input) = asked;
        let used = match &confirmation {
            Confirmation::Token(t) => issued.iter().position(|i| i.0 == *t).map(|at| issued.remove(at)),
            _ => None,
        };
        let answer = w.call(&agents[who], operation, input.clone(), confirmation).await;
        let done = w.applied() - before;
        match &answer {
            Ok(Answer::Done { output, .. }) => {
                assert!(
                    !output.to_string().contains("hidden"),
                    "{operation} showed what is out of reach"
                );
                if CHANGES.contains(&operation) {
                    let (_, owner, of, with) = used.expect("a token of a proposal");
                    assert_eq!(
                        (owner, of, with),
                        (who, operation, input.to_string()),
                        "a token let another call"
                    );
                    assert_eq!(done, 1);
                    redeemed += 1;
                } else {
                    assert_eq!(done, 0);
                }
            }
            Ok(Answer::Proposed(p)) => {
                assert_eq!(done, 0);
                issued.push((p.proposal_token.clone(), who, operation, input.to_string()));
                proposed += 1;
            }
            Err(e) => {
                assert_eq!(done, 0, "{operation} was refused and done: {e}");
                assert_ne!(e.code(), oaken_core::Code::Internal, "{operation}");
                refused += 1;
            }
        }
        assert!(
            answer.is_err() || offered.contains(&operation),
            "{operation} was not offered"
        );
        let open: i64 = w.sql("SELECT coalesce(max(n), 0) FROM (SELECT count(*) n FROM proposal_row WHERE used IS NULL GROUP BY agent)");
        assert!(open <= 5, "{open} open proposals");
    }
    assert!(
        redeemed > 20 && proposed > 60 && refused > 500,
        "{redeemed} {proposed} {refused}"
    );
    assert_eq!(
        w.sql::<i64>("SELECT count(*) FROM exposure_row WHERE operation = 'raw_thing'"),
        0
    );
    assert_eq!(w.sql::<i64>("SELECT count(*) FROM agent_row"), 2);
    assert_eq!(w.sql::<i64>("SELECT count(*) FROM open_intent_row"), 0);
    assert!(w.whole());
}
