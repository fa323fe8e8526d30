//! A check as a program goes through it: only what it costs the service counts, not whether anybody would believe it.

#[path = "../../../http/tests/window/hand.rs"]
mod hand;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use voight_domain::check::Work;

/// The page that opens the window.
const ORIGIN: &str = "https://quest.example";
/// When the events of the two batches begin, in units of 0.1 ms since the window was opened.
const STARTS: [i64; 2] = [5_000, 20_000];
/// What another check of the same address has in addition.
const LATER: i64 = 130;
/// No puzzle takes as many attempts.
const ATTEMPTS: u64 = 100_000_000;

/// A check that was opened.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    context: String,
    address: String,
    id: String,
    challenge: String,
    work: String,
    seed: String,
    /// By how much this check's movements are later than another's of the same address: what was seen before is refused.
    later: i64,
}

impl Visitor {
    /// The request that opens a check of the address of this number.
    pub(crate) fn opens(context: &str, number: u64) -> String {
        let address = super::lookups::address(number);
        let asked = json!({"context": context, "address": address, "origin": ORIGIN, "originSite": ORIGIN});
        post("/window/v1/checks", "", &asked.to_string())
    }

    /// Whoever has got this answer, for so many a time; solves the puzzle.
    pub(crate) fn opened(context: &str, number: u64, time: u8, body: &[u8]) -> Result<Self> {
        let data = data(body)?;
        let text = |value: &Value| value.as_str().map(str::to_owned).context("text is missing in an open check");
        let bits = data["work"]["bits"].as_u64().context("a puzzle has a size")?;
        let puzzle = Work { salt: text(&data["work"]["salt"])?, bits: bits.try_into()? };
        let solution = (0..ATTEMPTS).map(|attempt| attempt.to_string()).find(|attempt| puzzle.is_solved_by(attempt));
        Ok(Self {
            context: context.to_owned(),
            address: super::lookups::address(number),
            id: text(&data["check"])?,
            challenge: text(&data["challenge"])?,
            work: solution.context("the puzzle has no solution")?,
            seed: text(&data["layoutSeed"])?,
            later: LATER * i64::from(time),
        })
    }

    /// The request with the first batch: a press on the target where it was drawn.
    pub(crate) fn first(&self) -> Result<String> {
        let fraction = |digits: Option<&str>| {
            let drawn = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
            drawn.map(|drawn| f64::from(drawn) / f64::from(u16::MAX)).context("a check names no place")
        };
        let place = (fraction(self.seed.get(..4))?, fraction(self.seed.get(4..8))?);
        Ok(self.sends(&hand::batch(1, &self.context, &self.address, place, STARTS[0] + self.later)))
    }

    /// The request with the second batch, which answers what this answer to the first one asks for.
    pub(crate) fn second(&self, body: &[u8]) -> Result<String> {
        let step = data(body)?["step"].take();
        let place = step["x"].as_f64().zip(step["y"].as_f64());
        let mut batch = hand::batch(2, &self.context, &self.address, place.unwrap_or_default(), STARTS[1] + self.later);
        if place.is_none() {
            (batch["pointer"], batch["layout"]) = (json!([]), json!([]));
        }
        batch["ctx"]["answer"] = step["token"].clone();
        Ok(self.sends(&batch))
    }

    /// The request for the receipt.
    pub(crate) fn completes(&self) -> String {
        self.calls("complete", "")
    }

    fn sends(&self, batch: &Value) -> String {
        self.calls("evidence", &batch.to_string())
    }

    fn calls(&self, what: &str, body: &str) -> String {
        let Self { id, challenge, work, .. } = self;
        let headers = format!("x-voight-challenge: {challenge}\r\nx-voight-work: {work}\r\n");
        post(&format!("/window/v1/checks/{id}/{what}"), &headers, body)
    }
}

fn post(path: &str, headers: &str, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nsec-fetch-site: same-origin\r\n{headers}\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn data(body: &[u8]) -> Result<Value> {
    Ok(serde_json::from_slice::<Value>(body)?["data"].take())
}
