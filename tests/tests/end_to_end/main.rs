//! Oaken from end to end: real mail on a real IMAP server and the demo's, through the real program at every door.

mod bad_input;
mod faults;
mod odd_requests;
mod origins;
mod race;
mod reading;
mod secrets;
mod setting_up;
