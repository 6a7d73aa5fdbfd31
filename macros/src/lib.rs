//! oaken-macros
