//! One file a handler, at the path of its declaration. The macro reads this folder; this file is never edited.

oaken_macros::handlers!();
