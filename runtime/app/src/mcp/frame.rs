//! One JSON-RPC frame, looked at before rmcp reads it: strict JSON, an object, and for a call of a tool the shape that
//! MCP gives it. rmcp would keep the last of two equal keys, and quote what it cannot read.

use oaken_core::{Code, Error};
use serde_json::{Map, Value, json};

/// The most bytes of a frame.
pub const MOST: usize = oaken_gate::input::SIZE;

const NOT_JSON: i64 = -32700;
const NOT_A_REQUEST: i64 = -32600;
const WRONG_PARAMS: i64 = -32602;

/// The longest name of a tool.
const NAME: usize = 128;

/// The longest protocol version, method, and the longest id that is a string.
const WORD: usize = 64;

/// The reply to a frame that is refused.
pub type Refusal = Value;

/// A frame that rmcp may read.
pub struct Frame {
    /// Whether it names the protocol's version itself: then that is what rmcp answers it by.
    pub names_version: bool,
}

/// Looks at a frame.
///
/// # Errors
/// The reply to send instead. It quotes nothing of the frame but the id, which is what the caller knows the call by.
pub fn check(frame: &[u8]) -> Result<Frame, Refusal> {
    let value = oaken_gate::input::parse(frame).map_err(|e| refusal(Value::Null, NOT_JSON, &e))?;
    let Some(object) = value.as_object() else {
        let e = Error::new(Code::InvalidInput, "One frame is one JSON object.");
        return Err(refusal(Value::Null, NOT_A_REQUEST, &e));
    };
    let id = match object.get("id") {
        Some(Value::String(id)) if id.len() <= WORD => Value::from(id.as_str()),
        Some(Value::Number(id)) if id.is_i64() => Value::Number(id.clone()),
        None => Value::Null,
        Some(_) => {
            let e = Error::new(
                Code::InvalidInput,
                "The id of a request is a whole number or a string of at most 64 bytes.",
            );
            return Err(refusal(Value::Null, NOT_A_REQUEST, &e));
        }
    };
    if let Some(text) = wrong_envelope(object) {
        let e = Error::new(Code::InvalidInput, text);
        return Err(refusal(id, NOT_A_REQUEST, &e));
    }
    let params = object.get("params");
    let version = params.and_then(named_version);
    match wrong_params(object.get("method"), params, version) {
        Some(text) => Err(refusal(id, WRONG_PARAMS, &Error::new(Code::InvalidInput, text))),
        None => Ok(Frame {
            names_version: version.is_some(),
        }),
    }
}

/// Whether a frame is an answer, or a notification: neither is ever answered (JSON-RPC 2.0 §4.1, §5).
pub fn asks_for_nothing(frame: &[u8]) -> bool {
    let Ok(Value::Object(frame)) = oaken_gate::input::parse(frame) else {
        return false;
    };
    let has = |key| frame.contains_key(key);
    has("result") || has("error") || (has("method") && !has("id"))
}

/// The reply to a line that is longer than [`MOST`].
pub fn too_long() -> Refusal {
    let e = Error::new(Code::InvalidInput, "A frame is at most 1 MiB long.");
    refusal(Value::Null, NOT_JSON, &e)
}

/// The version that an `initialize`, or a request of its own (2026-07-28), names.
fn named_version(params: &Value) -> Option<&Value> {
    let own = || {
        params
            .get("_meta")?
            .get("io.modelcontextprotocol/protocolVersion")
    };
    params.get("protocolVersion").or_else(own)
}

/// What JSON-RPC and MCP ask of every frame, said here since rmcp's own words would not be Oaken's.
fn wrong_envelope(frame: &Map<String, Value>) -> Option<&'static str> {
    if frame.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Some("A frame says jsonrpc 2.0.");
    }
    if frame
        .get("method")
        .is_some_and(|m| m.as_str().is_none_or(|m| m.len() > WORD))
    {
        return Some("A method is a string of at most 64 bytes.");
    }
    None
}

fn wrong_params(
    method: Option<&Value>,
    params: Option<&Value>,
    version: Option<&Value>,
) -> Option<&'static str> {
    if version.is_some_and(|v| v.as_str().is_none_or(|v| v.len() > WORD)) {
        return Some("A protocol version is a date, as 2025-11-25.");
    }
    if params.is_some_and(|p| !p.is_object() || p.get("_meta").is_some_and(|meta| !meta.is_object())) {
        return Some("Params are an object, and so is their _meta.");
    }
    if method.and_then(Value::as_str) == Some("tools/call") {
        return wrong_call(params);
    }
    None
}

fn wrong_call(params: Option<&Value>) -> Option<&'static str> {
    let Some(params) = params.and_then(Value::as_object) else {
        return Some("A call of a tool has params with a name.");
    };
    if params
        .get("name")
        .and_then(Value::as_str)
        .is_none_or(|name| name.len() > NAME)
    {
        return Some("The name of a tool is a string of at most 128 bytes.");
    }
    match params.get("arguments") {
        None | Some(Value::Null | Value::Object(_)) => None,
        Some(_) => Some("The arguments of a tool are an object."),
    }
}

fn refusal(id: Value, code: i64, e: &Error) -> Refusal {
    json!({
        "jsonrpc": "2.0",
        "id": id,
        "error": { "code": code, "message": e.to_string(), "data": e },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(frame: &str, expected: Result<(), (Value, i64)>) {
        let got = super::check(frame.as_bytes());
        if let Err(refusal) = &got {
            assert!(!refusal.to_string().contains("hunter2"), "{refusal}");
            assert_eq!(refusal["error"]["data"]["code"], "invalid_input");
        }
        let code = |r: Value| (r["id"].clone(), r["error"]["code"].as_i64().unwrap_or(0));
        assert_eq!(got.map(|_| ()).map_err(code), expected, "{frame}");
    }

    #[test]
    fn answers_and_notifications_ask_for_nothing() {
        for (frame, expected) in [
            (
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}"#,
                true,
            ),
            (r#"{"jsonrpc":"2.0","id":[],"result":{}}"#, true),
            (
                r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":7}}"#,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#,
                false,
            ),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, false),
            ("{}", false),
            ("no JSON", false),
        ] {
            assert_eq!(asks_for_nothing(frame.as_bytes()), expected, "{frame}");
        }
    }

    #[test]
    fn frames_are_strict() {
        check(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, Ok(()));
        check(
            r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}"#,
            Ok(()),
        );
        check(r#"{"jsonrpc":"2.0","id":"a","result":{}}"#, Ok(()));
        let null = |code| Err((Value::Null, code));
        check(r#"{"id":1,"id":2,"method":"hunter2"}"#, null(-32700));
        check(
            r#"{"id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":1,"a":"hunter2"}}}"#,
            null(-32700),
        );
        check("hunter2", null(-32700));
        check("", null(-32700));
        check(&"[".repeat(90_000), null(-32700));
        check(&format!("\"{}\"", "x".repeat(MOST)), null(-32700));
        check("[]", null(-32600));
        check("7", null(-32600));
        check(r#"{"id":["hunter2"],"method":"ping"}"#, null(-32600));
        check(
            &format!(r#"{{"id":"{}","method":"ping"}}"#, "hunter2".repeat(10)),
            null(-32600),
        );
        for id in ["1.5", "9223372036854775808", "1e30"] {
            check(
                &format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#),
                null(-32600),
            );
        }
        let seven = || Err((json!(7), -32600));
        check(r#"{"id":7,"method":"ping"}"#, seven());
        check(r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, seven());
        check(r#"{"jsonrpc":"2.0","id":7,"method":["hunter2"]}"#, seven());
    }

    #[test]
    fn a_call_of_a_tool_has_its_shape() {
        let call =
            |params: &str| format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#);
        check(&call(r#"{"name":"status"}"#), Ok(()));
        check(&call(r#"{"name":"status","arguments":{"a":[]}}"#), Ok(()));
        let wrong = || Err((json!(7), -32602));
        check(&call(r#"{"name":"status","arguments":["hunter2"]}"#), wrong());
        check(&call(r#"{"name":"status","arguments":"hunter2"}"#), wrong());
        check(&call(r#"{"name":["hunter2"]}"#), wrong());
        check(&call(r#"["hunter2"]"#), wrong());
        check(&call("{}"), wrong());
        check(r#"{"jsonrpc":"2.0","id":7,"method":"tools/call"}"#, wrong());
        let version = "hunter2".repeat(10);
        check(
            &format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"initialize","params":{{"protocolVersion":"{version}"}}}}"#
            ),
            wrong(),
        );
        check(
            &format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"ping","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}"}}}}}}"#
            ),
            wrong(),
        );
        check(
            r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2099-01-01"}}"#,
            Ok(()),
        );
        check(
            &call(&format!(r#"{{"name":"{}"}}"#, "hunter2".repeat(20))),
            wrong(),
        );
        check(
            r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":"hunter2"}}"#,
            wrong(),
        );
        check(
            r#"{"jsonrpc":"2.0","id":7,"method":"notifications/cancelled","params":["hunter2"]}"#,
            wrong(),
        );
    }
}
