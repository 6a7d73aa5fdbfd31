//! The operations of the test world: what stands behind each descriptor.

use std::sync::{Arc, Mutex};

use oaken_core::{Change, Error, MessageId, Preview, Result};
use oaken_gate::governance::{agents, exposure, settings, tokens};
use oaken_gate::{Applied, Body, ChangeFns, Commit, Entry, Fut, Governance, Grant, Plan, Previewed, Reach};
use serde_json::{Value, json};

use super::State;
use super::declared::*;
use super::undoing::undo;

pub type Shared = Arc<Mutex<State>>;

pub fn entries(state: &Shared, governance: &Governance) -> Vec<Entry> {
    let entry = |descriptor, body| Entry { descriptor, body };
    vec![
        entry(&LIST, Body::Read(reads(state, listing))),
        entry(&READ, Body::Read(reads(state, reading))),
        entry(&RAW, Body::Read(reads(state, |_, _, _| Ok(json!({}))))),
        entry(
            &MARK,
            Body::MarksRead(change(state, "mark_read", "read", |t| &mut t.read, true)),
        ),
        entry(
            &UNMARK,
            Body::Mutate(change(state, "mark_unread", "read", |t| &mut t.read, false)),
        ),
        entry(
            &FLAG,
            Body::Mutate(ChangeFns {
                narrow: None,
                part: None,
                ..change(state, "flag_things", "flagged", |t| &mut t.flagged, true)
            }),
        ),
        entry(
            &TRASH,
            Body::Mutate(change(state, "trash_things", "flagged", |t| &mut t.flagged, true)),
        ),
        entry(&UNDO, undo(state)),
        entry(
            &SEND,
            Body::Send(Box::new(|_, _| panic!("a send is composed before it was let"))),
        ),
        entry(&PROPOSAL, {
            let g = governance.clone();
            Body::Read(Box::new(move |grant, input| {
                let id =
                    oaken_core::ProposalId::parse(text(&input, "proposal_id")).ok_or_else(Error::internal);
                let found = id.and_then(|id| oaken_gate::governance::proposals::get(&g, &grant, &id));
                ready(found.map(|(p, _)| json!({ "state": p.state })))
            }))
        }),
        entry(&ADD_AGENT, {
            let g = governance.clone();
            Body::Unseen(Box::new(move |confirmed, _, input| {
                ready(
                    agents::add(&g, &confirmed, text(&input, "name")).map(|(id, token, commit)| Applied {
                        output: json!({ "agent_id": id, "token": token }),
                        commit,
                    }),
                )
            }))
        }),
        entry(&CREATE_TOKEN, {
            let g = governance.clone();
            Body::Unseen(Box::new(move |confirmed, _, input| {
                let limit = match text(&input, "class") {
                    "change" => tokens::Limit::Change,
                    _ => tokens::Limit::Read,
                };
                let made = tokens::create(
                    &g,
                    &confirmed,
                    text(&input, "name"),
                    limit,
                    input["days"].as_i64(),
                );
                ready(made.map(|(id, token, commit)| Applied {
                    output: json!({ "token_id": id, "token": token }),
                    commit,
                }))
            }))
        }),
        entry(&REVOKE_AGENT, {
            let id = |input: &Value| {
                oaken_core::AgentId::parse(text(input, "agent_id")).ok_or_else(Error::internal)
            };
            governs(
                governance,
                move |g, input| agents::preview_revoke(g, &id(input)?),
                move |g, c, input| Ok((json!({}), agents::revoke(g, c, &id(input)?))),
            )
        }),
        entry(&REVOKE_TOKEN, {
            let id = |input: &Value| {
                oaken_core::TokenId::parse(text(input, "token_id")).ok_or_else(Error::internal)
            };
            governs(
                governance,
                move |g, input| tokens::preview_revoke(g, &id(input)?),
                move |g, c, input| Ok((json!({}), tokens::revoke(g, c, &id(input)?))),
            )
        }),
        entry(&EXPOSE, {
            let to = |input: &Value| match text(input, "exposure") {
                "on" => exposure::To::On,
                "off" => exposure::To::Off,
                _ => exposure::To::Default,
            };
            governs(
                governance,
                move |g, input| exposure::preview_set(g, text(input, "operation"), to(input)),
                move |g, c, input| {
                    let (offered, commit) = exposure::set(g, c, text(input, "operation"), to(input))?;
                    Ok((json!({ "offered": offered }), commit))
                },
            )
        }),
        entry(
            &SET,
            governs(
                governance,
                |g, input| settings::preview_set(g, text(input, "name"), input["value"].as_str()),
                |g, c, input| {
                    let (value, commit) = settings::set(g, c, text(input, "name"), input["value"].as_str())?;
                    Ok((json!({ "value": value }), commit))
                },
            ),
        ),
    ]
}

fn text<'a>(input: &'a Value, name: &str) -> &'a str {
    input[name].as_str().unwrap_or_default()
}

pub fn ready<T: Send + 'static>(value: Result<T>) -> Fut<T> {
    Box::pin(std::future::ready(value))
}

fn reads(state: &Shared, run: fn(&State, &Grant, &Value) -> Result<Value>) -> oaken_gate::ReadFn {
    let state = state.clone();
    Box::new(move |grant, input| {
        let state = state.clone();
        Box::pin(async move {
            tokio::task::yield_now().await;
            run(
                &state.lock().unwrap_or_else(std::sync::PoisonError::into_inner),
                &grant,
                &input,
            )
        })
    })
}

fn listing(state: &State, grant: &Grant, input: &Value) -> Result<Value> {
    let most = usize::try_from(grant.setting("max_results")).unwrap_or(0);
    let row = |id: &String, t: &super::Thing| json!({ "message_id": id, "subject": t.text });
    let mut things: Vec<Value> = state
        .things
        .iter()
        .filter(|(_, t)| match grant.reach() {
            Reach::All => true,
            Reach::Only(rows) => rows.contains(&t.account),
        })
        .map(|(id, t)| row(id, t))
        .take(most)
        .collect();
    match state.misbehave {
        Some("panic") => panic!("{input}"),
        Some("leak") => things.push(row(&super::M3.to_owned(), &state.things[super::M3])),
        Some("long page") => {
            return Ok(json!({ "things": [], "page": { "rows": vec!["x"; most + 1] }, "total": 0 }));
        }
        Some("too many") => things = vec![row(&super::M1.to_owned(), &state.things[super::M1]); most + 1],
        Some("undeclared") => things[0]["body"] = json!("x"),
        Some("missing") => return Ok(json!({ "things": [] })),
        Some("type") => return Ok(json!({ "things": [], "total": "many" })),
        Some("id") => things[0]["message_id"] = json!("m_1"),
        Some("no object") => return Ok(json!([])),
        _ => {}
    }
    Ok(json!({ "total": things.len(), "things": things, "echo": input.to_string() }))
}

fn reading(state: &State, _: &Grant, input: &Value) -> Result<Value> {
    let offset = usize::try_from(input["offset"].as_u64().unwrap_or(0)).unwrap_or(0);
    let things: Vec<Value> = input["message_ids"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(|id| {
            let whole = &state.things[id].text;
            json!({ "message_id": id, "subject": whole, "text": whole.chars().skip(offset).collect::<String>() })
        })
        .collect();
    Ok(json!({ "things": things }))
}

type Place = fn(&mut super::Thing) -> &mut bool;

/// A change of one flag of messages; what is so already is no change.
fn change<E: 'static>(
    state: &Shared,
    name: &'static str,
    what: &'static str,
    place: Place,
    to: bool,
) -> ChangeFns<E> {
    let (shown, made) = (state.clone(), state.clone());
    ChangeFns {
        preview: Box::new(move |_, input| {
            let mut state = shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let ids: Vec<String> = input["target"]["ids"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|v| v.as_str().map(str::to_owned))
                .collect();
            let mut changes = Vec::new();
            for id in &ids {
                let Some(thing) = state.things.get_mut(id) else {
                    return ready(Err(Error::not_found("/target/ids")));
                };
                if *place(thing) != to
                    && let Some(id) = MessageId::parse(id)
                {
                    changes.push(Change::new(&id, what, !to, to));
                }
            }
            let plan: Vec<String> = ids
                .into_iter()
                .filter(|id| *place(&mut state.things[id].clone()) != to)
                .collect();
            ready(Ok(Previewed {
                preview: Preview { changes },
                plan: Box::new(plan),
            }))
        }),
        apply: Box::new(move |confirmed, _: Arc<Grant>, plan: Plan| {
            let state = made.clone();
            Box::pin(async move {
                tokio::task::yield_now().await;
                let ids = *plan.downcast::<Vec<String>>().map_err(|_| Error::internal())?;
                let misbehave = {
                    let mut s = state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    s.applied
                        .push((name, confirmed.entry().as_str().to_owned(), confirmed.intent()));
                    s.misbehave
                };
                match misbehave {
                    Some("apply panics") => panic!("in apply"),
                    Some("apply fails") => {
                        return Err(Error::new(
                            oaken_core::Code::RemoteRefused,
                            "The server refused it.",
                        ));
                    }
                    Some(fails) if fails == name => {
                        return Err(Error::new(
                            oaken_core::Code::RemoteRefused,
                            "The server refused it.",
                        ));
                    }
                    _ => {}
                }
                let output = match misbehave {
                    Some("gone") => {
                        let gone = MessageId::parse(super::NOBODY);
                        let mut s = state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        s.things.retain(|id, _| !ids.contains(id));
                        json!({ "marked": gone.into_iter().map(String::from).chain(ids.clone()).collect::<Vec<_>>() })
                    }
                    Some("vanished") => {
                        let mut s = state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        s.things.retain(|id, _| !ids.contains(id));
                        json!({ "marked": ids })
                    }
                    Some("bad output") => json!({ "marked": ids, "body": "x" }),
                    _ => json!({ "marked": ids }),
                };
                let commit = Commit::new(oaken_store::TableOwner, move |_| {
                    let mut s = state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    match s.misbehave {
                        Some("commit is stale") => {
                            return Err(Error::new(oaken_core::Code::Stale, "It moved."));
                        }
                        Some("commit fails") => return Err(Error::internal()),
                        _ => {}
                    }
                    for id in &ids {
                        if let Some(thing) = s.things.get_mut(id) {
                            *place(thing) = to;
                        }
                    }
                    s.committed.push(name);
                    Ok(())
                });
                Ok(Applied { output, commit })
            })
        }),
        narrow: Some(|plan, keep| {
            let ids = *plan.downcast::<Vec<String>>().ok()?;
            let kept = |id: &String| {
                let id = MessageId::parse(id)?;
                [("read", true), ("read", false), ("flagged", true)]
                    .into_iter()
                    .any(|(what, to)| keep(&Change::new(&id, what, !to, to)))
                    .then_some(())
            };
            Some(Box::new(
                ids.into_iter()
                    .filter(|id| kept(id).is_some())
                    .collect::<Vec<_>>(),
            ))
        }),
        // One message of the many.
        part: Some(|plan, part| {
            let only = part.downcast_ref::<String>()?;
            let ids: Vec<String> = plan
                .downcast::<Vec<String>>()
                .ok()?
                .into_iter()
                .filter(|id| id == only)
                .collect();
            let of = |id: &String| MessageId::parse(id).map(|id| Change::new(&id, "read", true, false));
            Some(Previewed {
                preview: Preview {
                    changes: ids.iter().filter_map(of).collect(),
                },
                plan: Box::new(ids),
            })
        }),
    }
}

fn governs(
    governance: &Governance,
    preview: impl Fn(&Governance, &Value) -> Result<Preview> + Send + Sync + 'static,
    apply: impl Fn(&Governance, &oaken_gate::Confirmed<oaken_gate::Changes>, &Value) -> Result<(Value, Commit)>
    + Send
    + Sync
    + 'static,
) -> Body {
    let (shown, made) = (governance.clone(), governance.clone());
    Body::Mutate(ChangeFns {
        preview: Box::new(move |_, input| {
            ready(preview(&shown, &input).map(|preview| Previewed {
                preview,
                plan: Box::new(input),
            }))
        }),
        apply: Box::new(move |confirmed, _, plan| {
            let input = plan.downcast::<Value>().map_err(|_| Error::internal());
            let applied = input.and_then(|input| apply(&made, &confirmed, &input));
            ready(applied.map(|(output, commit)| Applied { output, commit }))
        }),
        narrow: None,
        part: None,
    })
}
