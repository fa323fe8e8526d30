//! Windows that post evidence.

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
        let answer = Self::request(&mut HttpConnection::open(port)?, account)?;
        Self::from_response(&answer)?.with_context(|| format!("no check is opened: {answer:?}"))
    }

    fn request(wire: &mut HttpConnection, account: &TestAccount) -> Result<HttpResponse> {
        let origin = "https://quest.example";
        let address = address_of(VISITOR).to_string();
        let asked = json!({"context": account.context, "address": address, "origin": origin, "originSite": origin});
        let asked = asked.to_string();
        let head = format!(
            "POST /window/v1/checks HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            asked.len()
        );
        Ok(wire.request(&(head + &asked))?)
    }

    /// Returns the check that a response opens; `None` if it was rejected temporarily.
    fn from_response(answer: &HttpResponse) -> Result<Option<Self>> {
        match answer.status {
            200 => {}
            429 | 503 => return Ok(None),
            _ => bail!("a check is answered {answer:?}"),
        }
        let opened: Value = serde_json::from_str::<Value>(&answer.body)?["data"].take();
        let text = |member: &Value| member.as_str().map(str::to_owned).context("text is missing");
        let bits = opened["work"]["bits"].as_u64().context("bits are missing")?.try_into()?;
        let work = ProofOfWork { salt: text(&opened["work"]["salt"])?, difficulty_bits: bits };
        let solution = (0..ATTEMPTS).map(|number| number.to_string()).find(|number| work.is_solved_by(number));
        let work = solution.context("the puzzle has no solution")?;
        Ok(Some(Self { id: text(&opened["check"])?, challenge: text(&opened["challenge"])?, work }))
    }

    /// Returns the head of a request that posts a batch of `bytes` bytes.
    pub(super) fn head(&self, bytes: usize) -> String {
        let Self { id, challenge, work } = self;
        format!(
            "POST /window/v1/checks/{id}/evidence HTTP/1.1\r\nhost: x\r\nx-voight-challenge: {challenge}\r\n\
             x-voight-work: {work}\r\ncontent-length: {bytes}\r\n\r\n"
        )
    }
}

/// Opens checks and posts a large batch for each, until told to stop.
pub(super) fn post(port: u16, account: &TestAccount, stop: &StopFlag) -> Result<CycleResult> {
    let mut tally = CycleResult::default();
    let batch = batch(account);
    let mut wire = HttpConnection::open(port)?;
    while !stop.is_set() {
        let Some(check) = OpenCheck::from_response(&OpenCheck::request(&mut wire, account)?)? else {
            tally.count("windows refused", 1);
            pause(100_000);
            continue;
        };
        let answer = wire.request(&(check.head(batch.len()) + &batch))?;
        match answer.status {
            200 => tally.count("batches of evidence", 1),
            429 | 503 => tally.count("windows refused", 1),
            _ => bail!("a batch is answered {answer:?}"),
        }
        if answer.header("connection") == Some("close") {
            wire = HttpConnection::open(port)?;
        }
    }
    Ok(tally)
}

/// Returns the first batch of a visitor who moves a mouse.
fn batch(account: &TestAccount) -> String {
    let events = vec![json!([0, 160, 100, -50, 100, -50, 100, -50, 0, 0, 0, 3, 0, 1, 0, 10, []]); EVENTS];
    let address = address_of(VISITOR).to_string();
    let about = json!({"contextId": account.context, "address": address, "batch": 1, "clientVersion": "1"});
    json!({"v": 1, "ctx": about, "pointer": events}).to_string()
}
