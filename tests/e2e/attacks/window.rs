//! Hand-written window of a visitor.

use super::stranger::{RawAnswer, ask_on, connect};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, TcpStream};
use voight_domain::check::ProofOfWork;

const ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const ORIGIN: &str = "https://quest.example";
/// Upper bound of the attempts for a puzzle.
const ATTEMPTS: u32 = 100_000_000;

/// Open check with a solved puzzle.
pub(crate) struct Check {
    /// Connection on which the check was opened.
    connection: TcpStream,
    context: String,
    id: String,
    challenge: String,
    work: String,
}

impl Check {
    /// Opens a check from `source`.
    pub(crate) fn open(source: Ipv4Addr, port: u16, context: &str) -> Self {
        let body =
            json!({"context": context, "address": ADDRESS, "origin": ORIGIN, "originSite": ORIGIN})
                .to_string();
        let request = format!(
            "POST /window/v1/checks HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut connection = connect(source, port).expect("the port is listened on");
        let answer = ask_on(&mut connection, &request).expect("an answer");
        assert_eq!(answer.status, 200, "{answer:?}");
        let check = serde_json::from_str::<Value>(&answer.body).expect("JSON")["data"].take();
        let text = |member: &Value| member.as_str().expect("text").to_owned();
        let bits = check["work"]["bits"]
            .as_u64()
            .and_then(|bits| bits.try_into().ok())
            .expect("bits");
        let work = ProofOfWork {
            salt: text(&check["work"]["salt"]),
            difficulty_bits: bits,
        };
        let solution = (0..ATTEMPTS)
            .map(|number| number.to_string())
            .find(|number| work.is_solved_by(number));
        Self {
            connection,
            context: context.to_owned(),
            id: text(&check["check"]),
            challenge: text(&check["challenge"]),
            work: solution.expect("a solution"),
        }
    }

    /// Returns the head of a call with a body of `bytes` bytes, and the first byte of the body.
    pub(crate) fn unfinished(&self, call: &str, bytes: usize) -> String {
        self.head(call, bytes) + "{"
    }

    /// Posts the first batch of evidence on the connection of the check.
    pub(crate) fn post_evidence(&mut self) -> RawAnswer {
        let about = json!({"contextId": self.context, "address": ADDRESS, "batch": 1, "clientVersion": "1"});
        let batch = json!({"v": 1, "ctx": about, "pointer": []}).to_string();
        let request = self.head("evidence", batch.len()) + &batch;
        ask_on(&mut self.connection, &request).expect("an answer")
    }

    fn head(&self, call: &str, bytes: usize) -> String {
        let Self {
            id,
            challenge,
            work,
            ..
        } = self;
        format!(
            "POST /window/v1/checks/{id}/{call} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
             x-voight-challenge: {challenge}\r\nx-voight-work: {work}\r\ncontent-length: {bytes}\r\n\r\n"
        )
    }
}
