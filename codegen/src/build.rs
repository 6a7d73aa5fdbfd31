//! What build scripts call.
