//! 200,000 mutated inputs: the published schema and the gate's walk take and refuse the same, but for the rules listed
//! in [`ONLY_THE_WALK`]; and what the walk takes, the types that the handlers are given take.

use oaken_core::{Bound, Descriptor, Error, Fault, schema};
use serde_json::Value;

use crate::random::Random;
use crate::{base, derived, descriptors, mutate};

/// In all at least this many.
const INPUTS: usize = 200_000;
/// 2026-11-30T12:00:00Z.
const NOW: i64 = 1_796_040_000;

/// A rule that a schema cannot say: its name, and whether it is why this fault was found at this value.
type Rule = (&'static str, fn(&Fault, &Value) -> bool);

/// What the walk refuses and the schema takes. There is nothing that only the schema refuses. List bounds agree since
/// both take the most a setting can be here; reach and ids are looked at after the walk.
const ONLY_THE_WALK: &[Rule] = &[
    ("a day that its month does not have", |fault, value| {
        fault.message.to_string() == "is not a point in time" && value.as_str().is_some_and(|s| !is_day(s))
    }),
    // MCP clients stumble over `uniqueItems`.
    ("an id that stands in its list twice", |fault, value| {
        fault.message.to_string() == "is there twice" && value.is_string()
    }),
];

/// Whether the date at the front is in the calendar: counted here by other means than in the product.
fn is_day(s: &str) -> bool {
    let part = |from: usize, to: usize| s.get(from..to).and_then(|p| p.parse::<u32>().ok());
    let (Some(y), Some(m), Some(d)) = (part(0, 4), part(5, 7), part(8, 10)) else {
        return true;
    };
    let leap = (y % 4 == 0) != (y % 100 == 0) || y % 400 == 0;
    let days = [
        31,
        if leap { 29 } else { 28 },
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    usize::try_from(m)
        .ok()
        .and_then(|m| days.get(m.wrapping_sub(1)))
        .is_some_and(|most| (1..=*most).contains(&d))
}

fn most(bound: &Bound) -> (&'static str, i64) {
    (bound.setting, i64::from(bound.ceiling))
}

/// What came of an operation's inputs.
#[derive(Default)]
struct Count {
    taken: usize,
    refused: usize,
    only_the_walk: usize,
}

#[test]
fn schema_walk_and_serde_agree() {
    let all = descriptors();
    let each = INPUTS.div_ceil(all.len());
    let halves: Vec<Vec<&Descriptor>> = (0..4)
        .map(|n| all.iter().skip(n).step_by(4).copied().collect())
        .collect();
    let counts: Vec<Count> = std::thread::scope(|scope| {
        let threads: Vec<_> = halves
            .iter()
            .map(|part| scope.spawn(|| part.iter().map(|d| operation(d, each)).collect::<Vec<_>>()))
            .collect();
        threads
            .into_iter()
            .flat_map(|t| t.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
            .collect()
    });
    let sum = |of: fn(&Count) -> usize| counts.iter().map(of).sum::<usize>();
    let (taken, refused) = (sum(|c| c.taken), sum(|c| c.refused));
    println!(
        "{taken} taken, {refused} refused, {} of them by the walk alone",
        sum(|c| c.only_the_walk)
    );
    assert!(taken + refused >= INPUTS, "{taken} and {refused}");
    assert!(
        taken > INPUTS / 8 && refused > INPUTS / 8,
        "one side is hardly tried: {taken} and {refused}"
    );
    assert!(
        sum(|c| c.only_the_walk) > 0,
        "the rules that are listed were never met"
    );
}

fn operation(d: &'static Descriptor, inputs: usize) -> Count {
    let published = schema::input(d, schema::Options::default());
    let validator = jsonschema::draft202012::options()
        .should_validate_formats(true)
        .build(&published)
        .unwrap_or_else(|e| panic!("{}: the published schema is none: {e}", d.name));
    let mut random = Random::new(
        d.name
            .bytes()
            .fold(7, |seed, b| seed.wrapping_mul(31) + u64::from(b)),
    );
    let mut count = Count::default();
    for n in 0..inputs {
        let mut input = match d.examples.get(n) {
            Some(example) => serde_json::from_str(example).expect("examples are JSON"),
            None => base::object(d.input, &mut random),
        };
        if n >= d.examples.len() {
            for _ in 0..*random.pick(&[0, 1, 1, 1, 2, 3]) {
                mutate::mutate(&mut input, &mut random);
            }
        }
        compare(d, &validator, &input, &mut count);
    }
    assert!(
        count.taken > 0 && count.refused > 0,
        "{}: {} taken, {} refused",
        d.name,
        count.taken,
        count.refused
    );
    count
}

fn compare(d: &'static Descriptor, validator: &jsonschema::Validator, input: &Value, count: &mut Count) {
    let by_schema = validator.is_valid(input);
    match oaken_gate::input::by_shape(d, input.to_string().as_bytes(), &most, NOW) {
        Ok(typed) => {
            assert!(
                by_schema,
                "{}: the walk takes what the schema refuses: {input}",
                d.name
            );
            count.taken += 1;
            if let Err(e) = derived::accepts(d.name, typed.clone()) {
                panic!("{}: the walk takes what serde refuses ({e}): {typed}", d.name);
            }
        }
        Err(refused) => {
            count.refused += 1;
            if by_schema {
                assert!(
                    is_listed(&refused, input),
                    "{}: the schema takes what the walk refuses: {input}: {refused}",
                    d.name
                );
                count.only_the_walk += 1;
            }
        }
    }
}

fn is_listed(refused: &Error, input: &Value) -> bool {
    refused.faults().iter().all(|fault| {
        let value = input.pointer(&fault.field).unwrap_or(&Value::Null);
        ONLY_THE_WALK.iter().any(|(_, explains)| explains(fault, value))
    })
}

#[test]
fn every_example_is_taken() {
    for d in descriptors() {
        for example in d.examples {
            let taken = oaken_gate::input::by_shape(d, example.as_bytes(), &most, NOW);
            assert!(taken.is_ok(), "{}: {example}", d.name);
        }
    }
}
