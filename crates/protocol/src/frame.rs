//! Frames: how messages follow one another in a stream, as the base protocol of the Language Server Protocol has it.

use std::io::{self, BufRead, Read as _, Write};

/// The longest message that is read: far more than the longest ruleset takes as JSON.
const LONGEST: usize = 64 << 20;
/// The longest line of a head.
const LONGEST_LINE: u64 = 4096;

/// Reads the next message; none at the end of the stream.
///
/// # Errors
/// If the stream can't be read, ends within a message, or holds something else: nothing that follows can be told apart then.
///
/// ```
/// use oddsmith_protocol::{read_frame, write_frame};
/// let mut stream = Vec::new();
/// write_frame(&mut stream, "{}")?;
/// assert_eq!(stream, b"Content-Length: 2\r\n\r\n{}");
/// assert_eq!(read_frame(&mut stream.as_slice())?.as_deref(), Some("{}"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_frame(stream: &mut impl BufRead) -> io::Result<Option<String>> {
    let Some(length) = read_head(stream)? else {
        return Ok(None);
    };
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes)?;
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|_| bad("a message is not UTF-8"))
}

/// Reads lines up to an empty one: the length that they tell, in bytes. None at the end of the stream.
fn read_head(stream: &mut impl BufRead) -> io::Result<Option<usize>> {
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        let read = stream.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if read == 0 && is_first {
            return Ok(None);
        }
        is_first = false;
        let line = std::str::from_utf8(&line).map_err(|_| bad("a head is not UTF-8"))?;
        let Some(line) = line.strip_suffix("\r\n") else {
            return Err(bad("a line of a head does not end in CR LF"));
        };
        if line.is_empty() {
            let length = length.ok_or_else(|| bad("a head has no `Content-Length`"))?;
            return Ok(Some(length));
        }
        let (name, value) = line
            .split_once(':')
            .ok_or_else(|| bad("a line of a head has no `:`"))?;
        if name.eq_ignore_ascii_case("content-length") {
            let value = value.trim().parse().ok().filter(|own| *own <= LONGEST);
            length =
                Some(value.ok_or_else(|| bad("a message is too long, or its length no number"))?);
        }
    }
}

fn bad(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Writes a message.
///
/// # Errors
/// If the stream can't be written.
pub fn write_frame(stream: &mut impl Write, text: &str) -> io::Result<()> {
    write!(stream, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::{read_frame, write_frame};

    fn read(mut stream: &[u8]) -> Vec<Result<String, String>> {
        let mut read = Vec::new();
        loop {
            match read_frame(&mut stream) {
                Ok(Some(text)) => read.push(Ok(text)),
                Ok(None) => return read,
                Err(error) => {
                    read.push(Err(error.to_string()));
                    return read;
                }
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let texts = ["{}", "", "Würfel 𝒟\r\n\r\nContent-Length: 3"];
        let mut stream = Vec::new();
        for text in texts {
            write_frame(&mut stream, text).expect("there is room");
        }
        assert_eq!(read(&stream), texts.map(|text| Ok(text.to_owned())));
    }

    #[test]
    fn other_heads_are_passed_over() {
        let stream = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:  2\r\n\r\n[]";
        assert_eq!(read(stream), [Ok("[]".to_owned())]);
    }

    #[test]
    fn what_is_no_message_is_refused_before_there_is_memory_for_it() {
        for (stream, why) in [
            (&b"{}"[..], "a line of a head does not end in CR LF"),
            (
                b"Content-Length: 2\n\n{}",
                "a line of a head does not end in CR LF",
            ),
            (
                b"Content-Type: x\r\n\r\n{}",
                "a head has no `Content-Length`",
            ),
            (b"Content-Length 2\r\n\r\n{}", "a line of a head has no `:`"),
            (
                b"Content-Length: -2\r\n\r\n{}",
                "a message is too long, or its length no number",
            ),
            (
                b"Content-Length: 99999999999\r\n\r\n{}",
                "a message is too long, or its length no number",
            ),
            (
                b"Content-Length: 4\r\n\r\n{}",
                "failed to fill whole buffer",
            ),
            (b"Content-Length: 1\r\n\r\n\xff", "a message is not UTF-8"),
            (&[b'a'; 10_000], "a line of a head does not end in CR LF"),
        ] {
            assert_eq!(read(stream), [Err(why.to_owned())]);
        }
    }
}
