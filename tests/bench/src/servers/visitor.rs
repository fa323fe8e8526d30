//! Check that is performed by a program, to measure its cost; its evidence is not plausible.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use voight_domain::check::ProofOfWork;
use voight_support::evidence;

/// Origin of the page that opens the window.
const ORIGIN: &str = "https://quest.example";
/// Start of the events in the two batches, in units of 0.1 ms after the window was opened.
const STARTS: [i64; 2] = [5_000, 20_000];
/// Events whose intervals make checks unique, and the maximum delay of each in units of 0.1 ms.
const TELLING: RangeInclusive<usize> = 1..=4;
const LATER: u64 = 50;
/// Maximum number of attempts for a puzzle.
const ATTEMPTS: u64 = 100_000_000;

/// Open check.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    context: String,
    address: String,
    id: String,
    challenge: String,
    work: String,
    seed: String,
    /// Serial number of the check.
    serial: u64,
}

impl Visitor {
    /// Returns the request that opens a check of the address with this number.
    pub(crate) fn opens(context: &str, number: u64) -> String {
        let address = super::lookups::address(number);
        let body =
            json!({"context": context, "address": address, "origin": ORIGIN, "originSite": ORIGIN});
        post("/window/v1/checks", "", &body.to_string())
    }

    /// Solves the puzzle in the response to the opening of a check.
    ///
    /// `time` is 0 for the first and 1 for the second check of this address.
    pub(crate) fn opened(context: &str, number: u64, time: u8, body: &[u8]) -> Result<Self> {
        let data = data(body)?;
        let text = |value: &Value| {
            value
                .as_str()
                .map(str::to_owned)
                .context("text is missing in an open check")
        };
        let bits = data["work"]["bits"]
            .as_u64()
            .context("a puzzle has no difficulty")?;
        let puzzle = ProofOfWork {
            salt: text(&data["work"]["salt"])?,
            difficulty_bits: bits.try_into()?,
        };
        let solution = (0..ATTEMPTS)
            .map(|attempt| attempt.to_string())
            .find(|attempt| puzzle.is_solved_by(attempt));
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

    /// Returns the request with the first batch: a press on the target at its position.
    pub(crate) fn first_batch(&self) -> Result<String> {
        let fraction = |digits: Option<&str>| {
            let number = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
            number
                .map(|number| f64::from(number) / f64::from(u16::MAX))
                .context("a check has no target position")
        };
        let position = (
            fraction(self.seed.get(..4))?,
            fraction(self.seed.get(4..8))?,
        );
        Ok(self.sends(evidence::batch(
            1,
            &self.context,
            &self.address,
            position,
            STARTS[0],
        )))
    }

    /// Returns the request with the second batch, for the second target of the first response.
    pub(crate) fn second(&self, body: &[u8]) -> Result<String> {
        let step = data(body)?["step"].take();
        let position = step["x"].as_f64().zip(step["y"].as_f64());
        let mut batch = evidence::batch(
            2,
            &self.context,
            &self.address,
            position.unwrap_or_default(),
            STARTS[1],
        );
        if position.is_none() {
            (batch["pointer"], batch["layout"]) = (json!([]), json!([]));
        }
        batch["ctx"]["answer"] = step["token"].clone();
        Ok(self.sends(batch))
    }

    /// Returns the request for the receipt.
    pub(crate) fn completes(&self) -> String {
        self.calls("complete", "")
    }

    fn sends(&self, batch: Value) -> String {
        self.calls("evidence", &self.with_unique_movements(batch).to_string())
    }

    /// Changes the movements of the batch so that they are unique, because repeated movements are rejected.
    fn with_unique_movements(&self, mut batch: Value) -> Value {
        let mut remainder = self.serial;
        for event in TELLING {
            if let Some(wait) = batch["pointer"]
                .get_mut(event)
                .and_then(|event| event.get_mut(1))
            {
                *wait = json!(wait.as_u64().unwrap_or_default() + remainder % LATER);
                remainder /= LATER;
            }
        }
        batch
    }

    fn calls(&self, what: &str, body: &str) -> String {
        let Self {
            id,
            challenge,
            work,
            ..
        } = self;
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
        Visitor {
            context: text(),
            address: text(),
            id: text(),
            challenge: text(),
            work: text(),
            seed: text(),
            serial,
        }
    }

    #[test]
    fn no_two_checks_have_the_same_movements() {
        let batch = evidence::batch(1, "", "", (0.5, 0.5), STARTS[0]);
        let movements =
            |serial| visitor(serial).with_unique_movements(batch.clone())["pointer"].to_string();
        let unique_movements: std::collections::BTreeSet<_> = (0..200)
            .chain([49 * 50, 50 * 50, 50 * 50 * 50])
            .map(movements)
            .collect();
        assert_eq!(unique_movements.len(), 203);
        assert_eq!(movements(0), batch["pointer"].to_string());
    }

    #[test]
    fn a_batch_without_movements_stays_as_it_is() {
        let empty = json!({"pointer": []});
        assert_eq!(visitor(7).with_unique_movements(empty.clone()), empty);
    }
}
