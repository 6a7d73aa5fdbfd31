//! oaken-gate
