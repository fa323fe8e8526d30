//! Client of the public API on one connection.

use super::{
    AnsweredLookup, HttpConnection, HttpResponse, LookupResult, ServerUnderTest, address_of,
};
use anyhow::{Context, Result};
use std::io;
use voight_tests::server::TestAccount;

/// API client with automatic reconnect, which continues after a restart of the server.
pub struct ApiClient<'a> {
    deployment: &'a ServerUnderTest,
    account: &'a TestAccount,
    connection: Option<HttpConnection>,
}

impl<'a> ApiClient<'a> {
    /// Creates a client that is not connected yet.
    pub const fn new(deployment: &'a ServerUnderTest, account: &'a TestAccount) -> Self {
        Self {
            deployment,
            account,
            connection: None,
        }
    }

    /// Looks up the address of this number, with or without an idempotency key.
    pub fn look_up(&mut self, number: u64, key: Option<&str>) -> LookupResult {
        let request = lookup(self.account, number, key);
        self.send(&request)
            .map_or(LookupResult::Unknown, |response| outcome(&response))
    }

    /// Registers a context and returns its id; `None` without a response.
    pub fn register(&mut self) -> Option<String> {
        let body = r#"{"context_title":"acknowledged"}"#;
        let request = format!(
            "POST /api/v1/register/context_id HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            self.account.key,
            body.len()
        );
        let response = self
            .send(&request)
            .ok()
            .filter(|response| response.status == 200)?;
        let (_, id) = response.body.split_once(r#""context_id":""#)?;
        Some(id.split('"').next()?.to_owned())
    }

    fn send(&mut self, request: &str) -> io::Result<HttpResponse> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => HttpConnection::open(self.deployment.public())?,
        };
        let response = connection.request(request)?;
        // The next request reconnects after `Connection: close`.
        self.connection = (response.header("connection") != Some("close")).then_some(connection);
        Ok(response)
    }
}

/// Returns the request that looks up the address of this number.
pub fn lookup(account: &TestAccount, number: u64, key: Option<&str>) -> String {
    let idempotency_header = key
        .map(|key| format!("idempotency-key: {key}\r\n"))
        .unwrap_or_default();
    let address = address_of(number).to_lower_hex();
    let TestAccount { key, context, .. } = account;
    format!(
        "GET /api/v1/users/eoa?eoa_address={address}&context_id={context} HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\n\
         {idempotency_header}\r\n"
    )
}

/// Classifies the response to a lookup.
pub fn outcome(response: &HttpResponse) -> LookupResult {
    let wrong = |why: String| LookupResult::Invalid(format!("{why}: {response:?}"));
    match response.status {
        200 => parse_response(response)
            .map_or_else(|error| wrong(format!("{error:#}")), LookupResult::Answered),
        503 if response.body.contains("cannot say") => LookupResult::Unknown,
        429 | 503 if response.header("retry-after").is_some() => LookupResult::Rejected,
        // The head was late, for example on a connection that was opened long before: the server has read no request.
        408 if response.header("connection") == Some("close") => LookupResult::Rejected,
        _ => wrong("neither a 200 nor a rejection with Retry-After".to_owned()),
    }
}

fn parse_response(response: &HttpResponse) -> Result<AnsweredLookup> {
    let meter = response
        .header("voight-meter")
        .context("a 200 has no meter header")?;
    let (seq, head) = meter
        .split_once(", head=")
        .context("the meter header has no head")?;
    Ok(AnsweredLookup {
        seq: seq.trim_start_matches("seq=").parse()?,
        head: head.to_owned(),
    })
}
