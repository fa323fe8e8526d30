//! Request with its answer.

use std::fmt::Write;

/// Request with its answer, in which random values are replaced.
pub(super) struct Exchange {
    /// Request as sent.
    pub(super) request: Vec<u8>,
    /// Answer, with its header lines sorted by name and without chain heads. Log lines and metrics follow the last answer of a
    /// connection or group.
    pub(super) answer: String,
    /// Chain head in the answer.
    pub(super) head: String,
}

impl Exchange {
    /// Creates an exchange from the bytes that answer the request: none, one answer, or several. Adds generated request ids to
    /// `ids`.
    pub(super) fn new(request: Vec<u8>, received: &[u8], ids: &mut Vec<String>) -> Self {
        let answer_text = String::from_utf8_lossy(received);
        let mut exchange = Self {
            request,
            answer: String::new(),
            head: String::new(),
        };
        // No body contains the start of a status line. An answer to `HEAD` has none.
        let mut answers = answer_text.split("HTTP/1.");
        assert_eq!(answers.next(), Some(""));
        for answer in answers {
            exchange.answer += "HTTP/1.";
            exchange.add(answer, ids);
        }
        exchange
    }

    fn add(&mut self, received: &str, ids: &mut Vec<String>) {
        let (head, body) = received.split_once("\r\n\r\n").unwrap_or((received, ""));
        let mut lines: Vec<_> = head.split("\r\n").map(ToOwned::to_owned).collect();
        for line in lines.iter_mut().skip(1) {
            if let Some(date) = line.strip_prefix("date: ") {
                assert!(date.len() == 29 && date.ends_with(" GMT"), "{date}");
                line.truncate(4);
            } else if let Some(id) = line.strip_prefix("x-request-id: ") {
                let is_sent = self
                    .request
                    .windows(id.len())
                    .any(|part| part == id.as_bytes());
                if !is_sent
                    && id.len() == 32
                    && id.bytes().all(|digit| b"0123456789abcdef".contains(&digit))
                {
                    ids.push(id.to_owned());
                    line.truncate(12);
                }
            } else if let Some((meter, head)) = line.split_once(", head=") {
                self.head += head;
                *line = meter.to_owned();
            }
        }
        if let Some((_, headers)) = lines.split_first_mut() {
            headers.sort_by(|one, other| one.split(':').next().cmp(&other.split(':').next()));
        }
        write!(self.answer, "{}\n\n{body}", lines.join("\n")).unwrap();
    }
}

/// Returns exchanges as text.
pub(super) fn text(exchanges: &[Exchange]) -> String {
    let mut text = String::new();
    for (
        number,
        Exchange {
            request,
            answer,
            head,
        },
    ) in exchanges.iter().enumerate()
    {
        writeln!(
            text,
            "=== {number}\n{}\n--- {head}\n{answer}",
            request.escape_ascii()
        )
        .unwrap();
    }
    text
}
