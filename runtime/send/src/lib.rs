//! oaken-send
