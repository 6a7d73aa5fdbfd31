//! The gate, with small descriptors written by hand and a mailbox in memory: every check, and every way to get past
//! one that we could think of.

mod world;

mod audit;
mod canary;
mod classes;
mod exposure;
mod governance;
mod inputs;
mod keys;
mod nested;
mod outputs;
mod proposals;
mod races;
mod reach;
mod runs;
mod siege;
mod tokens;
