//! JSON as strictly as it can be read: no duplicate key, no more than [`DEPTH`] levels, no more than [`SIZE`] bytes,
//! UTF-8, one value and nothing after it. `serde_json::Value` alone would keep the last of two equal keys.

use std::fmt;

use oaken_core::{Error, Fault, Param, Result};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The most bytes of an input.
pub const SIZE: usize = 1024 * 1024;
/// The most levels of an input.
pub const DEPTH: usize = 32;

/// Reads one JSON value.
///
/// # Errors
/// `invalid_input` with what is wrong, and never with what was read.
pub fn parse(bytes: &[u8]) -> Result<Value> {
    if bytes.len() > SIZE {
        return Err(Error::invalid(vec![
            Fault::new("", "is larger than {max} bytes").with("max", Param::Int(1_048_576)),
        ]));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Strict { left: DEPTH }
        .deserialize(&mut reader)
        .map_err(|e| fault(&e))?;
    reader
        .end()
        .map_err(|_| Error::invalid_field("", "has something after its end"))?;
    Ok(value)
}

/// The two faults that are our own are known by their fixed words; everything else is a fault of syntax. The words of
/// serde_json are dropped: they can quote the input.
fn fault(e: &serde_json::Error) -> Error {
    let said = e.to_string();
    if e.is_data() && said.starts_with(DUPLICATE) {
        return Error::invalid_field("", DUPLICATE);
    }
    if e.is_data() && said.starts_with(DEEP) || said.starts_with("recursion limit exceeded") {
        return Error::invalid(vec![
            Fault::new("", "is nested deeper than {max} levels").with("max", Param::Int(DEPTH as i64)),
        ]);
    }
    Error::invalid_field("", "is not valid JSON")
}

const DUPLICATE: &str = "has the same key twice";
const DEEP: &str = "is nested too deep";

#[derive(Clone, Copy)]
struct Strict {
    left: usize,
}

impl Strict {
    fn deeper<E: de::Error>(self) -> std::result::Result<Strict, E> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Strict { left }),
            None => Err(E::custom(DEEP)),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> std::result::Result<Value, D::Error> {
        d.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, b: bool) -> std::result::Result<Value, E> {
        Ok(Value::Bool(b))
    }
    fn visit_i64<E>(self, n: i64) -> std::result::Result<Value, E> {
        Ok(Value::from(n))
    }
    fn visit_u64<E>(self, n: u64) -> std::result::Result<Value, E> {
        Ok(Value::from(n))
    }
    fn visit_f64<E>(self, n: f64) -> std::result::Result<Value, E> {
        Ok(Number::from_f64(n).map_or(Value::Null, Value::Number))
    }
    fn visit_str<E>(self, s: &str) -> std::result::Result<Value, E> {
        Ok(Value::String(s.to_owned()))
    }
    fn visit_string<E>(self, s: String) -> std::result::Result<Value, E> {
        Ok(Value::String(s))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(inner)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut fields = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(inner)?;
            if fields.insert(key, value).is_some() {
                return Err(de::Error::custom(DUPLICATE));
            }
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: std::result::Result<Value, &str>) {
        match (parse(json.as_bytes()), expected) {
            (Ok(value), Ok(wanted)) => assert_eq!(value, wanted),
            (Err(e), Err(wanted)) => assert_eq!(e.faults()[0].message.to_string(), wanted),
            (got, wanted) => panic!("{got:?} is not {wanted:?}"),
        }
    }

    #[test]
    fn values() {
        check(
            r#" {"a": [1, -2, 1.5, "x", null, true]} "#,
            Ok(serde_json::json!({"a": [1, -2, 1.5, "x", null, true]})),
        );
        check("18446744073709551615", Ok(Value::from(u64::MAX)));
    }

    #[test]
    fn faults_name_no_value() {
        check(r#"{"a": 1, "a": 2}"#, Err("has the same key twice"));
        check(r#"{"b": {"a": 1, "\u0061": 2}}"#, Err("has the same key twice"));
        check(r#"{"a": SECRET}"#, Err("is not valid JSON"));
        check(r#"{"a": "\ud800"}"#, Err("is not valid JSON"));
        check("{} {}", Err("has something after its end"));
        check("", Err("is not valid JSON"));
        check(&"[".repeat(100_000), Err("is nested deeper than 32 levels"));
        check(
            &format!("{}1{}", "[".repeat(33), "]".repeat(33)),
            Err("is nested deeper than 32 levels"),
        );
        check(
            &format!("\"{}\"", "x".repeat(SIZE)),
            Err("is larger than 1048576 bytes"),
        );
        assert!(parse(format!("{}1{}", "[".repeat(32), "]".repeat(32)).as_bytes()).is_ok());
        assert!(parse(b"\"\xff\"").is_err());
    }
}
