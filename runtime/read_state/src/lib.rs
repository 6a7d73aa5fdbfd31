//! oaken-read-state
