//! Client of the public API on one connection.

use super::{AnsweredLookup, HttpConnection, HttpResponse, LookupResult, ServerUnderTest, address_of};
use anyhow::{Context, Result};
use std::io;
use voight_tests::server::TestAccount;

/// API client with automatic reconnect, which continues after a restart of the server.
pub struct ApiClient<'a> {
    house: &'a ServerUnderTest,
    account: &'a TestAccount,
    wire: Option<HttpConnection>,
}

impl<'a> ApiClient<'a> {
    /// Creates a client that is not connected yet.
    pub const fn new(house: &'a ServerUnderTest, account: &'a TestAccount) -> Self {
        Self { house, account, wire: None }
    }

    /// Looks up the address of this number, with or without an idempotency key.
    pub fn look_up(&mut self, number: u64, key: Option<&str>) -> LookupResult {
        let request = lookup(self.account, number, key);
        self.send(&request).map_or(LookupResult::Unknown, |answer| outcome(&answer))
    }

    /// Registers a context and returns its id; `None` without a response.
    pub fn register(&mut self) -> Option<String> {
        let body = r#"{"context_title":"kept"}"#;
        let request = format!(
            "POST /api/v1/register/context_id HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            self.account.key,
            body.len()
        );
        let answer = self.send(&request).ok().filter(|answer| answer.status == 200)?;
        let (_, id) = answer.body.split_once(r#""context_id":""#)?;
        Some(id.split('"').next()?.to_owned())
    }

    fn send(&mut self, request: &str) -> io::Result<HttpResponse> {
        let mut wire = match self.wire.take() {
            Some(wire) => wire,
            None => HttpConnection::open(self.house.public())?,
        };
        let answer = wire.request(request)?;
        // A server that closes the connection says so; the next request opens another one.
        self.wire = (answer.header("connection") != Some("close")).then_some(wire);
        Ok(answer)
    }
}

/// Returns the request that looks up the address of this number.
pub fn lookup(account: &TestAccount, number: u64, key: Option<&str>) -> String {
    let claim = key.map(|key| format!("idempotency-key: {key}\r\n")).unwrap_or_default();
    let address = address_of(number).to_lower_hex();
    let TestAccount { key, context, .. } = account;
    format!(
        "GET /api/v1/users/eoa?eoa_address={address}&context_id={context} HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\n\
         {claim}\r\n"
    )
}

/// Classifies the response to a lookup.
pub fn outcome(answer: &HttpResponse) -> LookupResult {
    let wrong = |why: String| LookupResult::Wrong(format!("{why}: {answer:?}"));
    match answer.status {
        200 => parse_response(answer).map_or_else(|error| wrong(format!("{error:#}")), LookupResult::Answered),
        503 if answer.body.contains("cannot say") => LookupResult::Unknown,
        429 | 503 if answer.header("retry-after").is_some() => LookupResult::Refused,
        _ => wrong("neither an answer nor a refusal that says when to come again".to_owned()),
    }
}

fn parse_response(answer: &HttpResponse) -> Result<AnsweredLookup> {
    let meter = answer.header("voight-meter").context("every 200 names its row")?;
    let (seq, head) = meter.split_once(", head=").context("a row has a number and a head")?;
    Ok(AnsweredLookup { seq: seq.trim_start_matches("seq=").parse()?, head: head.to_owned() })
}
