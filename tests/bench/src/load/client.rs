//! Requests and response handling of one connection.

use anyhow::{Result, ensure};
use std::rc::Rc;
use std::vec::IntoIter;
use voight_tests::answer::{self, Ends};

/// Load-generating client for one connection.
pub(crate) trait LoadClient {
    /// Writes the next request; returns `false` if there is none.
    fn write_request(&mut self, into: &mut Vec<u8>) -> bool;

    /// Handles the response. An error ends the load, because incorrect responses must not be measured.
    fn read_response(&mut self, answer: RawResponse<'_>) -> Result<()>;
}

/// Complete response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawResponse<'a> {
    /// HTTP status.
    pub(crate) status: u16,
    /// Header lines as received.
    head: &'a [u8],
    /// Body.
    pub(crate) body: &'a [u8],
}

impl<'a> RawResponse<'a> {
    /// Returns the response that ends at these positions.
    pub(super) fn parse_with(bytes: &'a [u8], bounds: Ends) -> Option<Self> {
        let (head, body) = bytes.get(..bounds.body)?.split_at_checked(bounds.head)?;
        Some(Self {
            status: bounds.status,
            head,
            body,
        })
    }

    /// Parses a complete response.
    #[cfg(test)]
    pub(crate) fn parse_complete(bytes: &'a [u8]) -> Option<Self> {
        Self::parse_with(bytes, Ends::find(bytes).ok()??)
    }

    /// Returns the value of the first header with this name, in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&'a [u8]> {
        answer::header(self.head, name)
    }

    /// Fails unless the status is 200; the error shows the response.
    pub(crate) fn ensure_ok(&self) -> Result<()> {
        let Self { status, body, .. } = self;
        ensure!(
            *status == 200,
            "unexpected status {status}: {}",
            String::from_utf8_lossy(body)
        );
        Ok(())
    }
}

/// Client that repeats one request.
#[derive(Debug, Clone)]
pub(crate) struct RepeatedRequest(Rc<[u8]>);

impl RepeatedRequest {
    /// Creates clients for `connections` connections.
    pub(crate) fn new(connections: usize, request: &str) -> Vec<Self> {
        vec![Self(request.as_bytes().into()); connections]
    }
}

impl LoadClient for RepeatedRequest {
    fn write_request(&mut self, into: &mut Vec<u8>) -> bool {
        into.extend_from_slice(&self.0);
        true
    }

    fn read_response(&mut self, answer: RawResponse<'_>) -> Result<()> {
        answer.ensure_ok()
    }
}

/// Client that sends prepared requests once, and stores the bodies of the responses.
#[derive(Debug)]
pub(crate) struct PreparedRequests {
    requests: IntoIter<String>,
    bodies: Vec<Vec<u8>>,
}

impl PreparedRequests {
    /// Distributes the requests over `connections` clients.
    pub(crate) fn distribute(connections: usize, requests: &[String]) -> Vec<Self> {
        let each = requests.len().div_ceil(connections.max(1)).max(1);
        let part = |part: &[String]| Self {
            requests: Vec::from(part).into_iter(),
            bodies: Vec::new(),
        };
        requests.chunks(each).map(part).collect()
    }

    /// Returns the bodies of all responses, in the order of the requests.
    pub(crate) fn bodies(all: Vec<Self>) -> Vec<Vec<u8>> {
        all.into_iter().flat_map(|client| client.bodies).collect()
    }
}

impl LoadClient for PreparedRequests {
    fn write_request(&mut self, into: &mut Vec<u8>) -> bool {
        self.requests.next().is_some_and(|request| {
            into.extend_from_slice(request.as_bytes());
            true
        })
    }

    fn read_response(&mut self, answer: RawResponse<'_>) -> Result<()> {
        answer.ensure_ok()?;
        self.bodies.push(answer.body.to_vec());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prepared_requests_are_sent_once() {
        let requests: Vec<_> = (0..5).map(|number| number.to_string()).collect();
        let mut clients = PreparedRequests::distribute(2, &requests);
        for prepared in &mut clients {
            let mut text = Vec::new();
            while prepared.write_request(&mut text) {
                prepared
                    .read_response(RawResponse {
                        status: 200,
                        head: b"",
                        body: &text,
                    })
                    .unwrap();
                text.clear();
            }
        }
        assert_eq!(PreparedRequests::bodies(clients).concat(), b"01234");
    }

    #[test]
    fn the_error_contains_the_response() {
        let answer =
            RawResponse::parse_complete(b"HTTP/1.1 429 \r\ncontent-length: 4\r\n\r\nslow").unwrap();
        assert_eq!(
            answer.ensure_ok().unwrap_err().to_string(),
            "unexpected status 429: slow"
        );
    }
}
