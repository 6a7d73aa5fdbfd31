//! A reader over small databases: what it sees, what it cannot see, and that it finds it by an index.

mod directory;
mod fixture;
mod foreign;
mod found;
mod lists;
mod narrow;
mod plans;
mod raw;
mod threads;
mod walls;
