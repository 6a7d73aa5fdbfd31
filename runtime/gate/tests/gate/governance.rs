//! What governs: settings within their bounds, names that may stand in a log, previews that say what changes.

use oaken_core::{Code, Confirmation};
use oaken_gate::governance::{agents, exposure, settings, tokens};
use serde_json::{Value, json};

use crate::world::World;

async fn set(w: &World, name: &str, value: Option<&str>) -> Result<String, (Code, String)> {
    let mut input = json!({ "name": name });
    if let Some(value) = value {
        input["value"] = json!(value);
    }
    match w.call(&w.person(), "set_setting", input, Confirmation::Yes).await {
        Ok(oaken_core::Answer::Done { output, .. }) => {
            Ok(output["value"].as_str().unwrap_or_default().to_owned())
        }
        Ok(_) => panic!("proposed to a person"),
        Err(e) => Err((e.code(), e.to_string())),
    }
}

#[tokio::test]
async fn settings_keep_to_their_bounds_and_name_them() {
    let w = World::new();
    for (name, value, expected) in [
        ("operations.max_results", "500", Ok("500")),
        ("operations.max_results", " 7 ", Ok("7")),
        ("operations.max_results", "0", Err("a whole number from 1 to 500")),
        (
            "operations.max_results",
            "501",
            Err("a whole number from 1 to 500"),
        ),
        (
            "operations.max_results",
            "CANARY",
            Err("a whole number from 1 to 500"),
        ),
        ("operations.max_results", "", Err("a whole number from 1 to 500")),
        ("send.enabled", "on", Ok("true")),
        ("send.enabled", "CANARY", Err("true or false")),
        ("cli.presence", "tty", Ok("tty")),
        ("cli.presence", "CANARY", Err("one of os, tty, password")),
        ("mcp.workspaces", "default, work", Ok("default,work")),
        ("mcp.workspaces", "all", Ok("")),
        ("mcp.workspaces", "", Err("or the word all for every workspace")),
        (
            "mcp.workspaces",
            " , ",
            Err("or the word all for every workspace"),
        ),
        ("http.allowed_hosts", "", Ok("")),
        ("http.allowed_hosts", "mail.lan:7624", Ok("mail.lan:7624")),
        ("http.allowed_hosts", "*", Err("HOST or HOST:PORT")),
        ("http.public_url", "javascript:CANARY", Err("https://HOST")),
        ("general.time_zone", "../../CANARY", Err("IANA time zone")),
        ("general.time_zone", "CANARY", Err("IANA time zone")),
    ] {
        match (set(&w, name, Some(value)).await, expected) {
            (Ok(got), Ok(wanted)) => assert_eq!(got, wanted, "{name}"),
            (Err((code, said)), Err(wanted)) => {
                assert_eq!(code, Code::InvalidInput);
                assert!(
                    said.contains(wanted) && said.contains(name) && !said.contains("CANARY"),
                    "{said}"
                );
            }
            (got, wanted) => panic!("{name}: {got:?} is not {wanted:?}"),
        }
    }
    assert_eq!(set(&w, "operations.max_results", None).await.as_deref(), Ok("50"));
    assert_eq!(
        set(&w, "operations.no_such", Some("1")).await.map_err(|e| e.0),
        Err(Code::NotFound)
    );
    let now = settings::get(w.gate.governance(), "operations.max_results").expect("a setting");
    assert_eq!((now.value.as_str(), now.set), ("50", false));
    assert!(settings::list(w.gate.governance()).expect("all").len() > 20);
}

#[tokio::test]
async fn an_agent_s_own_limits_hold_for_agents() {
    let w = World::new();
    w.set("mcp.workspaces", "all").await;
    let agent = w.agent("a").await;
    w.set("operations.mcp_max_results", "1").await;
    assert_eq!(w.read(&agent, "list_things", json!({})).await["total"], 1);
    assert_eq!(w.read(&w.person(), "list_things", json!({})).await["total"], 3);
    w.set("operations.max_results", "2").await;
    assert_eq!(w.read(&w.person(), "list_things", json!({})).await["total"], 2);
}

#[tokio::test]
async fn previews_say_what_changes_in_words_that_may_be_logged() {
    let w = World::new();
    let shown = |operation: &'static str, input: Value| {
        let w = &w;
        async move {
            let e = w.refused(&w.person(), operation, input, Confirmation::None).await;
            assert_eq!(e.code(), Code::ConfirmRequired);
            serde_json::to_value(e.changes().expect("a preview")).expect("json")["changes"].clone()
        }
    };
    assert_eq!(
        shown(
            "set_operation_exposure",
            json!({ "operation": "mark_read", "exposure": "on" })
        )
        .await,
        json!([{ "of": "mark_read", "what": "exposure", "before": "off", "after": "on" }])
    );
    assert_eq!(
        shown(
            "set_operation_exposure",
            json!({ "operation": "mark_read", "exposure": "off" })
        )
        .await,
        json!([])
    );
    assert_eq!(
        shown(
            "set_setting",
            json!({ "name": "operations.max_results", "value": "9" })
        )
        .await,
        json!([{ "of": "operations.max_results", "what": "value", "before": "50", "after": "9" }])
    );
    assert_eq!(
        shown(
            "set_setting",
            json!({ "name": "mcp.workspaces", "value": "work" })
        )
        .await,
        json!([
            { "of": "mcp.workspaces", "what": "removed", "before": "default" },
            { "of": "mcp.workspaces", "what": "added", "after": "work" },
        ])
    );
    assert_eq!(
        shown("set_setting", json!({ "name": "mcp.workspaces", "value": "all" })).await[1],
        json!({ "of": "mcp.workspaces", "what": "list", "before": "items", "after": "empty" })
    );
    // What is no name is not shown back.
    assert_eq!(
        shown(
            "set_setting",
            json!({ "name": "http.public_url", "value": "https://canary.example" })
        )
        .await[0]["after"],
        "set"
    );
}

#[tokio::test]
async fn names_are_names_and_never_given_twice() {
    let w = World::new();
    let add = |name: &'static str| {
        let w = &w;
        async move {
            w.call(
                &w.person(),
                "add_agent",
                json!({ "name": name }),
                Confirmation::Yes,
            )
            .await
            .map_err(|e| e.code())
        }
    };
    assert!(add("Research bot-2").await.is_ok());
    for name in [
        "Research bot-2",
        "research BOT-2",
        "a\u{202e}b",
        "<b>",
        "a\nb",
        " a",
        "a@b",
    ] {
        assert_eq!(add(name).await.err(), Some(Code::InvalidInput), "{name:?}");
    }
    let listed = agents::list(w.gate.governance()).expect("agents");
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (listed[0].name.as_str(), listed[0].revoked, listed[0].last_seen),
        ("Research bot-2", false, None)
    );
    let id = listed[0].id.clone();
    w.done(
        &w.person(),
        "revoke_agent",
        json!({ "agent_id": id }),
        Confirmation::Yes,
    )
    .await;
    assert!(agents::list(w.gate.governance()).expect("agents")[0].revoked);
    assert_eq!(
        add("Research bot-2").await.err(),
        Some(Code::InvalidInput),
        "a name in the log stays who it was"
    );
}

#[tokio::test]
async fn lists_tell_how_everything_stands() {
    let w = World::new();
    w.expose("mark_read", "on").await;
    let g = w.gate.governance();
    let all = exposure::list(g).expect("operations");
    let how = |name: &str| {
        all.iter()
            .find(|e| e.descriptor.name == name)
            .map(|e| (e.offered, e.set))
    };
    assert_eq!(
        (how("mark_read"), how("list_things")),
        (Some((true, true)), Some((true, false)))
    );
    assert_eq!(
        (how("raw_thing"), how("undo")),
        (Some((false, false)), Some((false, false)))
    );
    assert!(
        all.windows(2)
            .all(|p| p[0].descriptor.name < p[1].descriptor.name)
    );

    let input = json!({ "name": "script", "class": "change", "days": 2 });
    w.done(&w.person(), "create_token", input, Confirmation::Yes)
        .await;
    let listed = tokens::list(g).expect("tokens");
    let expires = listed[0].expires.expect("a day").unix();
    assert_eq!(
        (listed[0].limit, expires - listed[0].made.unix()),
        (tokens::Limit::Change, 2 * 86_400)
    );
    let agent = w.agent("a").await;
    w.read(&agent, "list_things", json!({ "account_id": crate::world::WORK }))
        .await;
    assert!(agents::list(g).expect("agents")[0].last_seen.is_some());
    let called = oaken_gate::governance::audit::last_call(g, &agent).expect("read");
    assert_eq!(
        called.map(|t| t.to_string()).as_deref(),
        Some("2026-11-30T12:00:00Z")
    );
}

#[tokio::test]
async fn a_damaged_setting_falls_back_to_its_safe_default() {
    use oaken_store::{Durability, OrFault};
    let w = World::new();
    w.store
        .write(Durability::Full, |tx| {
            tx.execute_batch(
                "INSERT INTO setting_row VALUES ('operations', 'max_results', '100000'), ('mcp', 'workspaces', 'nonsense'), \
                 ('send', 'enabled', '1'), ('no', 'such', '1')",
            )
            .or_fault()
        })
        .expect("written");
    let now = w.gate.settings().expect("settings");
    assert_eq!(
        (
            now.integer("max_results", false),
            now.list("mcp.workspaces"),
            now.boolean("send.enabled")
        ),
        (50, vec!["default".to_owned()], false)
    );
}
