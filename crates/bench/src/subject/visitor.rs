//! A check as a program goes through it: only what it costs the service counts, not whether anybody would believe it.

#[path = "../../../http/tests/window/hand.rs"]
mod hand;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use voight_domain::check::ProofOfWork;

/// The page that opens the window.
const ORIGIN: &str = "https://quest.example";
/// When the events of the two batches begin, in units of 0.1 ms since the window was opened.
const STARTS: [i64; 2] = [5_000, 20_000];
/// The events whose distances tell checks apart, and by how many times 0.1 ms each may be later.
const TELLING: RangeInclusive<usize> = 1..=4;
const LATER: u64 = 50;
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
    /// What no other check has.
    serial: u64,
}

impl Visitor {
    /// The request that opens a check of the address of this number.
    pub(crate) fn opens(context: &str, number: u64) -> String {
        let address = super::lookups::address(number);
        let asked = json!({"context": context, "address": address, "origin": ORIGIN, "originSite": ORIGIN});
        post("/window/v1/checks", "", &asked.to_string())
    }

    /// Whoever has got this answer, for the first time (0) or the second (1); solves the puzzle.
    pub(crate) fn opened(context: &str, number: u64, time: u8, body: &[u8]) -> Result<Self> {
        let data = data(body)?;
        let text = |value: &Value| value.as_str().map(str::to_owned).context("text is missing in an open check");
        let bits = data["work"]["bits"].as_u64().context("a puzzle has a size")?;
        let puzzle = ProofOfWork { salt: text(&data["work"]["salt"])?, difficulty_bits: bits.try_into()? };
        let solution = (0..ATTEMPTS).map(|attempt| attempt.to_string()).find(|attempt| puzzle.is_solved_by(attempt));
        Ok(Self {
            context: context.to_owned(),
            address: super::lookups::address(number),
            id: text(&data["check"])?,
            challenge: text(&data["challenge"])?,
            work: solution.context("the puzzle has no solution")?,
            seed: text(&data["layoutSeed"])?,
            serial: number * 2 + u64::from(time),
        })
    }

    /// The request with the first batch: a press on the target where it was drawn.
    pub(crate) fn first_batch(&self) -> Result<String> {
        let fraction = |digits: Option<&str>| {
            let drawn = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
            drawn.map(|drawn| f64::from(drawn) / f64::from(u16::MAX)).context("a check names no place")
        };
        let place = (fraction(self.seed.get(..4))?, fraction(self.seed.get(4..8))?);
        Ok(self.sends(hand::batch(1, &self.context, &self.address, place, STARTS[0])))
    }

    /// The request with the second batch, which answers what this answer to the first one asks for.
    pub(crate) fn second(&self, body: &[u8]) -> Result<String> {
        let step = data(body)?["step"].take();
        let place = step["x"].as_f64().zip(step["y"].as_f64());
        let mut batch = hand::batch(2, &self.context, &self.address, place.unwrap_or_default(), STARTS[1]);
        if place.is_none() {
            (batch["pointer"], batch["layout"]) = (json!([]), json!([]));
        }
        batch["ctx"]["answer"] = step["token"].clone();
        Ok(self.sends(batch))
    }

    /// The request for the receipt.
    pub(crate) fn completes(&self) -> String {
        self.calls("complete", "")
    }

    fn sends(&self, batch: Value) -> String {
        self.calls("evidence", &self.told_apart(batch).to_string())
    }

    /// The batch with movements that no other check has: what was seen before is refused.
    fn told_apart(&self, mut batch: Value) -> Value {
        let mut rest = self.serial;
        for event in TELLING {
            if let Some(wait) = batch["pointer"].get_mut(event).and_then(|event| event.get_mut(1)) {
                *wait = json!(wait.as_u64().unwrap_or_default() + rest % LATER);
                rest /= LATER;
            }
        }
        batch
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

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(serial: u64) -> Visitor {
        let text = String::new;
        Visitor { context: text(), address: text(), id: text(), challenge: text(), work: text(), seed: text(), serial }
    }

    #[test]
    fn no_two_checks_have_the_same_movements() {
        let batch = hand::batch(1, "", "", (0.5, 0.5), STARTS[0]);
        let movements = |serial| visitor(serial).told_apart(batch.clone())["pointer"].to_string();
        let all: std::collections::BTreeSet<_> =
            (0..200).chain([49 * 50, 50 * 50, 50 * 50 * 50]).map(movements).collect();
        assert_eq!(all.len(), 203);
        assert_eq!(movements(0), batch["pointer"].to_string());
    }

    #[test]
    fn a_batch_without_movements_stays_as_it_is() {
        let empty = json!({"pointer": []});
        assert_eq!(visitor(7).told_apart(empty.clone()), empty);
    }
}
