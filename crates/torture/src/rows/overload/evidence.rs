//! Windows that post evidence.

use crate::rig::{Answer, Stop, Wire, address_of, pause};
use crate::row::Tally;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use voight_domain::check::Work;
use voight_tests::server::Account;

/// Whose checks these are.
const VISITOR: u64 = 7;
/// The most rows of pointer events that a batch may have.
const EVENTS: usize = 1200;
/// No puzzle takes as many attempts.
const ATTEMPTS: u32 = 10_000_000;

/// A check that is open, with its puzzle solved.
pub(super) struct Check {
    id: String,
    challenge: String,
    work: String,
}

impl Check {
    /// Opens a check on a connection of its own.
    pub(super) fn open(port: u16, account: &Account) -> Result<Self> {
        let answer = Self::ask(&mut Wire::open(port)?, account)?;
        Self::of(&answer)?.with_context(|| format!("no check is opened: {answer:?}"))
    }

    fn ask(wire: &mut Wire, account: &Account) -> Result<Answer> {
        let origin = "https://quest.example";
        let address = address_of(VISITOR).to_string();
        let asked = json!({"context": account.context, "address": address, "origin": origin, "originSite": origin});
        let asked = asked.to_string();
        let head = format!(
            "POST /window/v1/checks HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            asked.len()
        );
        Ok(wire.ask(&(head + &asked))?)
    }

    /// The check that an answer opens; `None` if it was refused for now.
    fn of(answer: &Answer) -> Result<Option<Self>> {
        match answer.status {
            200 => {}
            429 | 503 => return Ok(None),
            _ => bail!("a check is answered {answer:?}"),
        }
        let opened: Value = serde_json::from_str::<Value>(&answer.body)?["data"].take();
        let text = |member: &Value| member.as_str().map(str::to_owned).context("text is missing");
        let bits = opened["work"]["bits"].as_u64().context("bits are missing")?.try_into()?;
        let work = Work { salt: text(&opened["work"]["salt"])?, bits };
        let solution = (0..ATTEMPTS).map(|number| number.to_string()).find(|number| work.is_solved_by(number));
        let work = solution.context("the puzzle has no solution")?;
        Ok(Some(Self { id: text(&opened["check"])?, challenge: text(&opened["challenge"])?, work }))
    }

    /// The head of a request that posts a batch of so many bytes.
    pub(super) fn head(&self, bytes: usize) -> String {
        let Self { id, challenge, work } = self;
        format!(
            "POST /window/v1/checks/{id}/evidence HTTP/1.1\r\nhost: x\r\nx-voight-challenge: {challenge}\r\n\
             x-voight-work: {work}\r\ncontent-length: {bytes}\r\n\r\n"
        )
    }
}

/// Opens checks and posts a large batch for each, until told to stop.
pub(super) fn post(port: u16, account: &Account, stop: &Stop) -> Result<Tally> {
    let mut tally = Tally::default();
    let batch = batch(account);
    let mut wire = Wire::open(port)?;
    while !stop.is_said() {
        let Some(check) = Check::of(&Check::ask(&mut wire, account)?)? else {
            tally.count("windows refused", 1);
            pause(100_000);
            continue;
        };
        let answer = wire.ask(&(check.head(batch.len()) + &batch))?;
        match answer.status {
            200 => tally.count("batches of evidence", 1),
            429 | 503 => tally.count("windows refused", 1),
            _ => bail!("a batch is answered {answer:?}"),
        }
        if answer.header("connection") == Some("close") {
            wire = Wire::open(port)?;
        }
    }
    Ok(tally)
}

/// The first batch of a visitor who moves a mouse about.
fn batch(account: &Account) -> String {
    let events = vec![json!([0, 160, 100, -50, 100, -50, 100, -50, 0, 0, 0, 3, 0, 1, 0, 10, []]); EVENTS];
    let address = address_of(VISITOR).to_string();
    let about = json!({"contextId": account.context, "address": address, "batch": 1, "clientVersion": "1"});
    json!({"v": 1, "ctx": about, "pointer": events}).to_string()
}
