//! What governs: each operation at the command line and over HTTP, and what one of them did is seen at the other.

use oaken_core::Descriptor;
use serde_json::{Value, json};

use crate::changes::{confirm, confirm_required};
use crate::doors::{Door, Doors, PERSON, operation};
use crate::reads::alike;

/// Makes each change at one door after the other.
pub fn changes(doors: &mut Doors) {
    for (n, door) in PERSON.into_iter().enumerate() {
        let workspace = json!({ "name": format!("office {n}") });
        change(doors, door, "create_workspace", &workspace);
        assert!(
            names(&alike(doors, operation("list_workspaces"), &json!({}))["workspaces"])
                .contains(&workspace["name"])
        );
        settings(doors, door, n);
        agents_and_tokens(doors, door, n);
        accounts(doors, door, n, &workspace["name"]);
    }
}

fn settings(doors: &mut Doors, door: Door, n: usize) {
    let value = json!((30 + n).to_string());
    let set = change(
        doors,
        door,
        "set_setting",
        &json!({ "name": "operations.max_results", "value": value }),
    );
    assert_eq!(set["value"], value);
    let listed = alike(doors, operation("list_settings"), &json!({}));
    assert_eq!(
        find(&listed["settings"], "name", &json!("operations.max_results"))["value"],
        value
    );
    let page = alike_to_persons(doors, operation("list_messages"), &json!({}));
    assert_eq!(page["messages"].as_array().map(Vec::len), Some(30 + n));
    change(
        doors,
        door,
        "set_setting",
        &json!({ "name": "operations.max_results" }),
    );

    for (exposure, offered) in [("off", false), ("on", true)] {
        let set = change(
            doors,
            door,
            "set_operation_exposure",
            &json!({ "operation": "search", "exposure": exposure }),
        );
        assert_eq!(set["offered"], offered);
        let listed = alike(doors, operation("list_operations"), &json!({}));
        assert_eq!(
            find(&listed["operations"], "name", &json!("search"))["offered"],
            offered
        );
        let said = doors.ask(Door::Stdio, operation("search"), &json!({ "query": "invoice" }));
        assert_eq!(said.is_ok(), offered, "search over MCP, {exposure}");
    }
}

fn agents_and_tokens(doors: &mut Doors, door: Door, n: usize) {
    let added = change(doors, door, "add_agent", &json!({ "name": format!("agent {n}") }));
    let agent = json!({ "agent_id": added["agent_id"] });
    let listed = |doors: &mut Doors| alike(doors, operation("list_agents"), &json!({}))["agents"].clone();
    assert_eq!(
        find(&listed(doors), "agent_id", &agent["agent_id"])["revoked"],
        false
    );
    change(doors, door, "revoke_agent", &agent);
    assert_eq!(
        find(&listed(doors), "agent_id", &agent["agent_id"])["revoked"],
        true
    );

    let made = change(
        doors,
        door,
        "create_token",
        &json!({ "name": format!("token {n}"), "days": 1 }),
    );
    let token = json!({ "token_id": made["token_id"] });
    let listed = |doors: &mut Doors| alike(doors, operation("list_tokens"), &json!({}))["tokens"].clone();
    assert_eq!(
        find(&listed(doors), "token_id", &token["token_id"])["class"],
        "read"
    );
    change(doors, door, "revoke_token", &token);
    assert_eq!(
        find(&listed(doors), "token_id", &token["token_id"])["revoked"],
        true
    );
}

/// Adding one is for the command line only: it names files and commands of the machine that serves.
fn accounts(doors: &mut Doors, door: Door, n: usize, workspace: &Value) {
    let maildir = doors.oaken.home().join(format!("mail {n}"));
    for sub in ["cur", "new", "tmp"] {
        std::fs::create_dir_all(maildir.join(sub)).expect("a Maildir");
    }
    let input = json!({ "name": format!("mail {n}"), "address": "new@example.org", "kind": "maildir", "path": maildir });
    for confirmation in [Value::Null, json!(true)] {
        let said = doors
            .ask_with(Door::Http, operation("add_account"), &input, &confirmation)
            .expect_err("added over HTTP");
        assert_eq!(said["code"], "not_available", "{said}");
    }
    confirm_required(doors, Door::Cli, operation("add_account"), &input);
    let added = confirm(doors, Door::Cli, operation("add_account"), &input);
    let account = json!({ "account_id": added["account_id"] });
    let listed = |doors: &mut Doors| alike(doors, operation("list_accounts"), &json!({}))["accounts"].clone();
    assert_eq!(
        find(&listed(doors), "account_id", &account["account_id"])["workspace"],
        "default"
    );

    let mut assigned = account.clone();
    assigned["workspace"] = workspace.clone();
    change(doors, door, "assign_account", &assigned);
    assert_eq!(
        &find(&listed(doors), "account_id", &account["account_id"])["workspace"],
        workspace
    );
    change(doors, door, "remove_account", &account);
    assert_eq!(
        find(&listed(doors), "account_id", &account["account_id"]),
        Value::Null
    );
}

/// Both doors ask for a yes in the same words, then one is given it.
#[track_caller]
fn change(doors: &mut Doors, door: Door, name: &str, input: &Value) -> Value {
    let d = operation(name);
    let asked = PERSON.map(|door| confirm_required(doors, door, d, input));
    assert_eq!(asked[0], asked[1], "{name}");
    assert!(
        !d.preview || asked[0]["count"].as_u64() > Some(0),
        "{name}: {}",
        asked[0]
    );
    confirm(doors, door, d, input)
}

/// A limit that is a person's alone just now: only a person's doors agree.
fn alike_to_persons(doors: &mut Doors, d: &'static Descriptor, input: &Value) -> Value {
    let [one, other] = PERSON.map(|door| doors.answer(door, d, input));
    assert_eq!(one, other, "{}", d.name);
    one
}

fn find(rows: &Value, key: &str, value: &Value) -> Value {
    rows.as_array()
        .into_iter()
        .flatten()
        .find(|row| &row[key] == value)
        .cloned()
        .unwrap_or_default()
}

fn names(rows: &Value) -> Vec<Value> {
    rows.as_array()
        .into_iter()
        .flatten()
        .map(|row| row["name"].clone())
        .collect()
}
