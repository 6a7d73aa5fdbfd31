//! Tests of Oaken as a whole.
