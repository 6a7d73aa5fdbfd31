//! What a panic may say: its place. Its message could quote what was in hand.

/// Installs a hook that prints the place of a panic on standard error and nothing else.
pub fn print_places_only() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(
            || "an unknown place".to_owned(),
            |l| format!("{}:{}", l.file(), l.line()),
        );
        eprintln!("oaken: a fault in Oaken at {place}; please report the place");
    }));
}
