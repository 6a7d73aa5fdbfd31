//! oaken-store
