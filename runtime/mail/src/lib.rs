//! oaken-mail
