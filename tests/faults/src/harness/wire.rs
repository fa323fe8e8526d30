//! Minimal HTTP connection, because a flood sends thousands of requests and some are incomplete.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;
use voight_tests::answer::{self, Ends};

/// Read timeout, longer than any timeout of the server.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// Connection, with the bytes that were read after the last response.
pub struct HttpConnection {
    stream: TcpStream,
    read: Vec<u8>,
}

/// HTTP response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpResponse {
    /// Status code.
    pub status: u16,
    /// Header lines, as they were sent.
    head: Vec<u8>,
    /// Body.
    pub body: String,
}

impl HttpConnection {
    /// Connects to this port of the loopback interface.
    pub fn open(port: u16) -> io::Result<Self> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(READ_TIMEOUT))?;
        stream.set_write_timeout(Some(READ_TIMEOUT))?;
        Ok(Self {
            stream,
            read: Vec::new(),
        })
    }

    /// Sends text: a request, or a part of one.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        self.stream.write_all(text.as_bytes())
    }

    /// Reads the next complete response.
    pub fn receive(&mut self) -> io::Result<HttpResponse> {
        loop {
            if let Some((response, length)) = HttpResponse::parse(&self.read)? {
                self.read.drain(..length);
                return Ok(response);
            }
            if !self.fill()? {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Sends a request and returns its response.
    pub fn request(&mut self, request: &str) -> io::Result<HttpResponse> {
        self.send(request)?;
        self.receive()
    }

    /// Returns `true` if the server has closed the connection; does not wait.
    pub fn is_closed_by_peer(&mut self) -> io::Result<bool> {
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

    /// Reads the available bytes; returns `false` at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let mut block = [0; 4096];
        let length = self.stream.read(&mut block)?;
        self.read.extend(block.iter().take(length));
        Ok(length > 0)
    }
}

impl HttpResponse {
    /// Returns the first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        str::from_utf8(answer::header(&self.head, name)?).ok()
    }

    /// Parses the first response in `bytes`, with its length; `None` if it is incomplete.
    fn parse(bytes: &[u8]) -> io::Result<Option<(Self, usize)>> {
        let Some(ends) = Ends::find(bytes)? else {
            return Ok(None);
        };
        let (head, body) = bytes.split_at(ends.head);
        let body = body.get(..ends.body - ends.head).unwrap_or_default();
        let body = String::from_utf8_lossy(body).into_owned();
        Ok(Some((
            Self {
                status: ends.status,
                head: head.to_vec(),
                body,
            },
            ends.body,
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::HttpResponse;

    #[test]
    fn pipelined_responses_are_parsed_one_by_one() {
        let text = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nVoight-Meter: seq=1\r\n\r\nokHTTP/1.1 503 \r\n\r\n";
        for cut in 0..60 {
            assert_eq!(HttpResponse::parse(&text[..cut]).unwrap(), None, "{cut}");
        }
        let (first, length) = HttpResponse::parse(text).unwrap().unwrap();
        assert_eq!(
            (
                first.status,
                first.body.as_str(),
                first.header("voight-meter")
            ),
            (200, "ok", Some("seq=1"))
        );
        let (second, _) = HttpResponse::parse(&text[length..]).unwrap().unwrap();
        assert_eq!((second.status, second.header("retry-after")), (503, None));
        assert!(HttpResponse::parse(b"nonsense\r\n\r\n").is_err());
    }
}
