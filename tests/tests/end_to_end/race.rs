//! Token race (T14): 32 callers at a barrier use one token over three doors; each of 500 rounds has one winner.

use std::sync::{Arc, Barrier, Mutex};

use oaken_tests::daemon::Daemon;
use oaken_tests::http::Http;
use oaken_tests::installation::Installation;
use oaken_tests::mcp::{McpHttp, McpStdio};
use serde_json::{Value, json};

const ROUNDS: usize = 500;
const OVER_HTTP: usize = 12;
const OVER_MCP_HTTP: usize = 12;
const OVER_STDIO: usize = 8;
const CALLERS: usize = OVER_HTTP + OVER_MCP_HTTP + OVER_STDIO;

/// One caller: whether its use of the token was taken, and what it was answered.
trait Caller: Send {
    fn call(&mut self, operation: &str, input: &Value) -> (bool, Value);
}

impl Caller for Http {
    fn call(&mut self, operation: &str, input: &Value) -> (bool, Value) {
        let reply = Http::call(self, operation, input);
        (reply.status == 200, reply.json())
    }
}

impl Caller for McpHttp {
    fn call(&mut self, operation: &str, input: &Value) -> (bool, Value) {
        let result = McpHttp::call(self, operation, input);
        (!result.is_error, result.answer)
    }
}

impl Caller for McpStdio {
    fn call(&mut self, operation: &str, input: &Value) -> (bool, Value) {
        let result = McpStdio::call(self, operation, input);
        (!result.is_error, result.answer)
    }
}

/// What the callers do in this round; `None` ends them.
type Task = Arc<Mutex<Option<(&'static str, Value)>>>;

#[test]
fn a_token_has_one_winner_whoever_uses_it_at_once_at_whatever_door() {
    let oaken = Installation::new();
    let daemon = Daemon::demo(&oaken);
    let token = oaken.add_agent("racer");
    let mut proposing = daemon.http(&token);
    let (account, message) = an_unread_message(&mut proposing);

    let task: Task = Arc::new(Mutex::new(None));
    let barrier = Arc::new(Barrier::new(CALLERS + 1));
    let answers = Arc::new(Mutex::new(Vec::<(bool, Value)>::new()));
    let callers: Vec<_> = callers(&oaken, &daemon, &token)
        .into_iter()
        .map(|caller| {
            let (task, barrier, answers) = (task.clone(), barrier.clone(), answers.clone());
            std::thread::spawn(move || races(caller, &task, &barrier, &answers))
        })
        .collect();
    assert_eq!(callers.len(), CALLERS);

    let input = json!({ "target": { "ids": [message] } });
    let mut wrong = vec![];
    for round in 0..ROUNDS {
        let operation = if round % 2 == 0 {
            "mark_read"
        } else {
            "mark_unread"
        };
        let proposal = proposing.call(operation, &input);
        assert_eq!(proposal.status, 202, "round {round}: {}", proposal.json());
        let mut confirmed = input.clone();
        confirmed["proposal_token"] = proposal.json()["proposal_token"].clone();
        *task.lock().expect("no caller failed") = Some((operation, confirmed));
        barrier.wait();
        barrier.wait();
        let answered = std::mem::take(&mut *answers.lock().expect("no caller failed"));
        let winners = answered.iter().filter(|(won, _)| *won).count();
        if winners != 1 || answered.len() != CALLERS {
            wrong.push(format!(
                "round {round}: {winners} winners of {}: {answered:?}",
                answered.len()
            ));
        }
        let unread = proposing
            .call("list_messages", &json!({ "account_id": account, "unread": true }))
            .done();
        let is_unread = unread.to_string().contains(&message);
        assert_eq!(
            is_unread,
            operation == "mark_unread",
            "round {round}: {operation} was not done once"
        );
    }
    *task.lock().expect("no caller failed") = None;
    barrier.wait();
    callers
        .into_iter()
        .for_each(|c| c.join().expect("a caller ends well"));
    assert!(
        wrong.is_empty(),
        "{} of {ROUNDS} rounds:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(3)].join("\n")
    );
}

fn callers(oaken: &Installation, daemon: &Daemon, token: &str) -> Vec<Box<dyn Caller>> {
    let mut callers: Vec<Box<dyn Caller>> = vec![];
    for _ in 0..OVER_HTTP {
        callers.push(Box::new(daemon.http(token)));
    }
    for _ in 0..OVER_MCP_HTTP {
        callers.push(Box::new(McpHttp::new(daemon.http(token))));
    }
    for _ in 0..OVER_STDIO {
        callers.push(Box::new(McpStdio::start(oaken, token)));
    }
    callers
}

/// One caller's life: at each start it uses the round's token at once with all others.
fn races(mut caller: Box<dyn Caller>, task: &Task, barrier: &Barrier, answers: &Mutex<Vec<(bool, Value)>>) {
    loop {
        barrier.wait();
        let Some((operation, input)) = task.lock().expect("the test goes on").clone() else {
            return;
        };
        let answer = caller.call(operation, &input);
        answers.lock().expect("the test goes on").push(answer);
        barrier.wait();
    }
}

/// An unread message that the agent reaches, and its account.
fn an_unread_message(agent: &mut Http) -> (Value, String) {
    let accounts = agent.call("list_accounts", &json!({})).done();
    for account in accounts["accounts"].as_array().into_iter().flatten() {
        let id = account["account_id"].clone();
        let unread = agent
            .call("list_messages", &json!({ "account_id": id, "unread": true }))
            .done();
        if let Some(message) = unread["messages"][0]["message_id"].as_str() {
            return (id, message.to_owned());
        }
    }
    panic!("the demo has no unread message in reach");
}
