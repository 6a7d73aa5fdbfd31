//! A composed message, ready to hand to delivery. Composing one sends nothing.

/// What a send handler returns: the exact bytes and the envelope. Only the gate can pass it on.
pub struct Letter {
    /// The account it would go out from.
    pub account: crate::AccountId,
    /// The envelope's sender.
    pub from: String,
    /// The envelope's recipients.
    pub to: Vec<String>,
    /// The message as it would be sent and filed, CRLF line ends.
    pub bytes: Vec<u8>,
    /// Its Message-ID, angle brackets left out.
    pub message_id: String,
}
