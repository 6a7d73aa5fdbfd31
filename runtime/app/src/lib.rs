//! oaken-app
