//! One connection to a server, written and read by hand: a flood needs thousands of requests, and some that no client would
//! make.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

/// Longer than anything a server may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection, with what was read of it beyond the last answer.
pub struct Wire {
    stream: TcpStream,
    read: Vec<u8>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its header lines, as they were sent.
    head: String,
    /// Its body.
    pub body: String,
}

impl Wire {
    /// Connects to this port of the loopback.
    pub fn open(port: u16) -> io::Result<Self> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self { stream, read: Vec::new() })
    }

    /// Sends text: a request, or a part of one.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        self.stream.write_all(text.as_bytes())
    }

    /// The next answer, whole.
    pub fn receive(&mut self) -> io::Result<Answer> {
        loop {
            if let Some((answer, length)) = Answer::parse(&self.read)? {
                self.read.drain(..length);
                return Ok(answer);
            }
            if !self.fill()? {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Sends a request and returns its answer.
    pub fn ask(&mut self, request: &str) -> io::Result<Answer> {
        self.send(request)?;
        self.receive()
    }

    /// Whether the server has ended the connection; does not wait for that.
    pub fn is_cut(&mut self) -> io::Result<bool> {
        self.stream.set_nonblocking(true)?;
        let outcome = loop {
            match self.fill() {
                Ok(true) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break Ok(false),
                Ok(false) | Err(_) => break Ok(true),
            }
        };
        self.stream.set_nonblocking(false)?;
        outcome
    }

    /// Reads what is there; `false` at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let mut block = [0; 4096];
        let length = self.stream.read(&mut block)?;
        self.read.extend(block.iter().take(length));
        Ok(length > 0)
    }
}

impl Answer {
    /// The first header of this name, which is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines
            .map(|(known, value)| (known, value.trim()))
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|it| it.1)
    }

    /// The answer that `bytes` begin with, and its length; `None` if it is not whole yet. The server sends no chunks.
    fn parse(bytes: &[u8]) -> io::Result<Option<(Self, usize)>> {
        let wrong = || io::Error::from(ErrorKind::InvalidData);
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
        let (head, rest) = bytes.split_at(end + 4);
        let head = str::from_utf8(head).map_err(|_| wrong())?.to_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(wrong)?;
        let mut answer = Self { status, head, body: String::new() };
        let length = answer.header("content-length").map_or(Ok(0), str::parse).map_err(|_| wrong())?;
        let Some(body) = rest.get(..length) else { return Ok(None) };
        answer.body = String::from_utf8_lossy(body).into_owned();
        Ok(Some((answer, end + 4 + length)))
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    #[test]
    fn answers_are_read_one_after_the_other() {
        let text = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nVoight-Meter: seq=1\r\n\r\nokHTTP/1.1 503 \r\n\r\n";
        for cut in 0..60 {
            assert_eq!(Answer::parse(&text[..cut]).unwrap(), None, "{cut}");
        }
        let (first, length) = Answer::parse(text).unwrap().unwrap();
        assert_eq!((first.status, first.body.as_str(), first.header("voight-meter")), (200, "ok", Some("seq=1")));
        let (second, _) = Answer::parse(&text[length..]).unwrap().unwrap();
        assert_eq!((second.status, second.header("retry-after")), (503, None));
        assert!(Answer::parse(b"nonsense\r\n\r\n").is_err());
    }
}
