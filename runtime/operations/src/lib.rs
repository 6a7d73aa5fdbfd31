//! oaken-operations
