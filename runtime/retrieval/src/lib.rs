//! oaken-retrieval
