//! Frames as lines, between a client and rmcp: each line is looked at first, one that is refused is answered here and
//! never reaches rmcp.

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::frame;

/// How many bytes wait between the client and rmcp.
const PIPE: usize = 64 * 1024;
/// How many lines wait to be written.
const LINES: usize = 16;

/// rmcp's side of the lines.
pub struct Lines {
    /// What rmcp reads.
    pub input: DuplexStream,
    /// What rmcp writes.
    pub output: DuplexStream,
    /// Ends when everything that rmcp wrote is with the client.
    pub written: JoinHandle<()>,
}

/// Stands between a client's two streams and rmcp.
pub fn between(
    from: impl AsyncRead + Send + Unpin + 'static,
    to: impl AsyncWrite + Send + Unpin + 'static,
) -> Lines {
    let (input, good) = duplex(PIPE);
    let (output, made) = duplex(PIPE);
    let (say, said) = mpsc::channel(LINES);
    tokio::spawn(read(from, good, say.clone()));
    tokio::spawn(pass_on(made, say));
    Lines {
        input,
        output,
        written: tokio::spawn(write(said, to)),
    }
}

/// Good lines go on; the others are answered.
async fn read(
    from: impl AsyncRead + Send + Unpin,
    mut good: DuplexStream,
    say: mpsc::Sender<Vec<u8>>,
) -> Option<()> {
    let mut from = BufReader::new(from);
    while let Some(line) = next(&mut from, frame::MOST).await {
        let refusal = match &line {
            Line::TooLong => frame::too_long(),
            Line::Whole(line) if line.trim_ascii().is_empty() => continue,
            Line::Whole(line) => match frame::check(line) {
                // An answer, or what asks for none, is never answered: two sides would go on for ever.
                Err(_) if frame::asks_for_nothing(line) => continue,
                Err(refusal) => refusal,
                Ok(_) => {
                    good.write_all(line).await.ok()?;
                    good.write_all(b"\n").await.ok()?;
                    continue;
                }
            },
        };
        say.send(refusal.to_string().into_bytes()).await.ok()?;
    }
    Some(())
}

/// What rmcp wrote, line by line: two writers of one stream would tear their lines.
async fn pass_on(made: DuplexStream, say: mpsc::Sender<Vec<u8>>) {
    let mut made = BufReader::new(made);
    while let Some(Line::Whole(line)) = next(&mut made, usize::MAX).await {
        if say.send(line).await.is_err() {
            return;
        }
    }
}

async fn write(mut said: mpsc::Receiver<Vec<u8>>, mut to: impl AsyncWrite + Send + Unpin) {
    while let Some(mut line) = said.recv().await {
        line.push(b'\n');
        if to.write_all(&line).await.is_err() || to.flush().await.is_err() {
            return;
        }
    }
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// The next line without its end; one that is too long is passed over and never held. `None` at the end of the stream,
/// where a last line without an end counts.
async fn next(from: &mut (impl AsyncBufReadExt + Unpin), most: usize) -> Option<Line> {
    let (mut line, mut long, mut any) = (Vec::new(), false, false);
    loop {
        let bytes = from.fill_buf().await.ok()?;
        if bytes.is_empty() {
            return any.then_some(if long { Line::TooLong } else { Line::Whole(line) });
        }
        any = true;
        let end = bytes.iter().position(|b| *b == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        if long || line.len() + part.len() > most {
            (long, line) = (true, Vec::new());
        } else {
            line.extend_from_slice(part);
        }
        let used = end.map_or(bytes.len(), |end| end + 1);
        from.consume(used);
        if end.is_some() {
            return Some(if long { Line::TooLong } else { Line::Whole(line) });
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tokio::io::AsyncReadExt;

    use super::*;

    /// What rmcp gets to read and what the client gets, of these bytes.
    async fn through(bytes: Vec<u8>) -> (String, Vec<Value>) {
        let (client, from) = duplex(PIPE);
        let (to, answers) = duplex(PIPE);
        let mut lines = between(from, to);
        let (mut answers, _) = tokio::io::split(answers);
        let (_, mut client) = tokio::io::split(client);
        tokio::spawn(async move {
            client.write_all(&bytes).await.expect("sent");
            client.shutdown().await.expect("the end");
        });
        let (mut got, mut said) = (String::new(), String::new());
        lines.input.read_to_string(&mut got).await.expect("read");
        lines.output.write_all(b"{\"made\":1}\n").await.expect("written");
        drop((lines.input, lines.output));
        lines.written.await.expect("the end");
        answers.read_to_string(&mut said).await.expect("read");
        let said = said
            .lines()
            .map(|l| serde_json::from_str(l).expect("JSON"))
            .collect();
        (got, said)
    }

    #[tokio::test]
    async fn good_lines_reach_rmcp_and_the_others_are_answered_without_a_word_of_theirs() {
        let good = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let last = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
        let mut bytes = format!("{good}\n\r\n{{\"id\":1,\"id\":\"hunter2\"}}\nhunter2\n").into_bytes();
        bytes.extend_from_slice(b"\xff\xfe\n");
        bytes.extend_from_slice("[".repeat(100_000).as_bytes());
        bytes.push(b'\n');
        bytes.extend_from_slice("x".repeat(3 * frame::MOST).as_bytes());
        bytes.push(b'\n');
        bytes.extend_from_slice(last.as_bytes());
        let (got, said) = through(bytes).await;
        assert_eq!(got, format!("{good}\n{last}\n"));
        let codes: Vec<&Value> = said.iter().filter_map(|v| v["error"].get("code")).collect();
        assert_eq!(codes, [-32700; 5]);
        assert_eq!(said.last(), Some(&json!({ "made": 1 })));
        assert!(!json!(said).to_string().contains("hunter2"));
    }
}
