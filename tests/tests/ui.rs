//! What must not compile: declarations that break a rule, and values that must not be had.
//!
//! Each case says on its author's own token what is wrong. `TRYBUILD=overwrite` accepts new messages; they belong to
//! the pinned compiler.

#[test]
fn a_declaration_that_breaks_a_rule_is_refused_on_its_token() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/r*.rs");
    cases.compile_fail("tests/ui/s*.rs");
}

#[test]
fn what_only_the_gate_makes_cannot_be_had_otherwise() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/value_*.rs");
}
