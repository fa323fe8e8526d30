//! Load client that opens checks and posts evidence.

use crate::harness::{HttpConnection, HttpResponse, StopFlag, address_of, pause};
use crate::scenario::CycleResult;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use voight_domain::check::ProofOfWork;
use voight_tests::server::TestAccount;

/// Number of the visitor whose checks are opened.
const VISITOR: u64 = 7;
/// Maximum number of pointer rows of a batch.
const EVENTS: usize = 1200;
/// Upper bound of the attempts for a puzzle.
const ATTEMPTS: u32 = 10_000_000;

/// Open check with a solved puzzle.
pub(super) struct OpenCheck {
    id: String,
    challenge: String,
    work: String,
}

impl OpenCheck {
    /// Opens a check on its own connection.
    pub(super) fn open(port: u16, account: &TestAccount) -> Result<Self> {
        let response = Self::request(&mut HttpConnection::open(port)?, account)?;
        Self::from_response(&response)?.with_context(|| format!("no check is opened: {response:?}"))
    }

    fn request(connection: &mut HttpConnection, account: &TestAccount) -> Result<HttpResponse> {
        let origin = "https://quest.example";
        let address = address_of(VISITOR).to_string();
        let results = json!({"context": account.context, "address": address, "origin": origin, "originSite": origin});
        let results = results.to_string();
        let head = format!(
            "POST /window/v1/checks HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            results.len()
        );
        Ok(connection.request(&(head + &results))?)
    }

    /// Returns the check that a response opens; `None` if it was rejected temporarily.
    fn from_response(response: &HttpResponse) -> Result<Option<Self>> {
        match response.status {
            200 => {}
            429 | 503 => return Ok(None),
            _ => bail!("unexpected response to a check: {response:?}"),
        }
        let response_data: Value = serde_json::from_str::<Value>(&response.body)?["data"].take();
        let text = |member: &Value| {
            member
                .as_str()
                .map(str::to_owned)
                .context("text is missing")
        };
        let bits = response_data["work"]["bits"]
            .as_u64()
            .context("bits are missing")?
            .try_into()?;
        let work = ProofOfWork {
            salt: text(&response_data["work"]["salt"])?,
            difficulty_bits: bits,
        };
        let solution = (0..ATTEMPTS)
            .map(|number| number.to_string())
            .find(|number| work.is_solved_by(number));
        let work = solution.context("the puzzle has no solution")?;
        Ok(Some(Self {
            id: text(&response_data["check"])?,
            challenge: text(&response_data["challenge"])?,
            work,
        }))
    }

    /// Returns the head of a request that posts a batch of `bytes` bytes.
    pub(super) fn head(&self, bytes: usize) -> String {
        let Self {
            id,
            challenge,
            work,
        } = self;
        format!(
            "POST /window/v1/checks/{id}/evidence HTTP/1.1\r\nhost: x\r\nx-voight-challenge: {challenge}\r\n\
             x-voight-work: {work}\r\ncontent-length: {bytes}\r\n\r\n"
        )
    }
}

/// Opens checks and posts a large batch for each, until stopped.
pub(super) fn post(port: u16, account: &TestAccount, stop: &StopFlag) -> Result<CycleResult> {
    let mut result = CycleResult::default();
    let batch = batch(account);
    let mut connection = HttpConnection::open(port)?;
    while !stop.is_set() {
        let Some(check) = OpenCheck::from_response(&OpenCheck::request(&mut connection, account)?)?
        else {
            result.count("window requests rejected", 1);
            pause(100_000);
            continue;
        };
        let response = connection.request(&(check.head(batch.len()) + &batch))?;
        match response.status {
            200 => result.count("batches of evidence", 1),
            429 | 503 => result.count("window requests rejected", 1),
            _ => bail!("unexpected response to a batch: {response:?}"),
        }
        if response.header("connection") == Some("close") {
            connection = HttpConnection::open(port)?;
        }
    }
    Ok(result)
}

/// Returns the first batch of a visitor who moves a mouse.
fn batch(account: &TestAccount) -> String {
    let events = vec![
        json!([
            0,
            160,
            100,
            -50,
            100,
            -50,
            100,
            -50,
            0,
            0,
            0,
            3,
            0,
            1,
            0,
            10,
            []
        ]);
        EVENTS
    ];
    let address = address_of(VISITOR).to_string();
    let about =
        json!({"contextId": account.context, "address": address, "batch": 1, "clientVersion": "1"});
    json!({"v": 1, "ctx": about, "pointer": events}).to_string()
}
