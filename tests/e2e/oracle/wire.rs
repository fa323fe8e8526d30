//! Keep-alive connection that measures the time to the first byte of each response.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

/// Connection to a server.
pub(crate) struct Wire {
    stream: TcpStream,
    host: String,
}

/// Raw response.
pub(crate) struct WireReply {
    /// Status line and headers, one per line, in their order.
    pub(crate) head: String,
    /// Body.
    pub(crate) body: String,
    /// Milliseconds from the last byte of the request to the first byte of the response.
    pub(crate) first_byte: f64,
}

impl Wire {
    pub(crate) fn open(url: &str) -> Self {
        let host = url.trim_start_matches("http://").to_owned();
        let stream = TcpStream::connect(&host).expect("the server listens");
        stream.set_nodelay(true).expect("a socket option");
        Self { stream, host }
    }

    /// Posts a body to the window's API from its own network.
    pub(crate) fn post(
        &mut self,
        path: &str,
        network: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> WireReply {
        let of_window = [
            ("content-type", "application/json"),
            ("sec-fetch-site", "same-origin"),
            ("x-forwarded-for", network),
        ];
        self.send("POST", path, &[&of_window, headers].concat(), body)
    }

    /// Sends a request.
    #[expect(
        clippy::disallowed_methods,
        reason = "the time to the first byte is what is observed"
    )]
    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> WireReply {
        let headers = headers.iter().fold(String::new(), |head, (name, value)| {
            head + name + ": " + value + "\r\n"
        });
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{headers}content-length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.stream
            .write_all(request.as_bytes())
            .expect("the connection is open");
        let start = Instant::now();
        let mut bytes = Vec::new();
        self.read_more(&mut bytes);
        let first_byte = start.elapsed().as_secs_f64() * 1000.0;
        let end = loop {
            match bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                Some(at) => break at + 4,
                None => self.read_more(&mut bytes),
            }
        };
        let head = String::from_utf8(bytes[..end].to_vec())
            .expect("a head in ASCII")
            .to_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length
            .expect("a content-length")
            .trim()
            .parse()
            .expect("a number");
        while bytes.len() < end + length {
            self.read_more(&mut bytes);
        }
        let body = String::from_utf8(bytes[end..].to_vec()).expect("a body in UTF-8");
        WireReply {
            head,
            body,
            first_byte,
        }
    }

    fn read_more(&mut self, buffer: &mut Vec<u8>) {
        let mut chunk = [0; 16 * 1024];
        let length = self
            .stream
            .read(&mut chunk)
            .expect("the connection is open");
        assert!(length > 0, "the server has closed the connection");
        buffer.extend_from_slice(&chunk[..length]);
    }
}
