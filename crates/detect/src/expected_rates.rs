//! Measured rates of the rules and the model at each minimum confidence, for the operator who chooses one.
//!
//! The rates are in `expected.json`, which `voight-detection-eval` writes. An empty list means that no rates have been measured.

use serde::Deserialize;
use std::sync::LazyLock;

static MEASURED: LazyLock<Vec<ExpectedRow>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../expected.json")).unwrap_or_default());

/// Measured share of sessions, with the one-sided 95 % confidence bound that a promise has to keep.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredRate {
    /// Number of sessions that were flagged.
    pub hits: u32,
    /// Number of sessions that were measured.
    pub of: u32,
    /// Confidence bound: the upper one for rare events, the lower one for common events.
    pub bound95: f64,
}

/// Expected rates of a minimum confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedRates {
    /// People's sessions that are flagged, at the nearest measured minimum confidence that flags at least as many.
    pub people_flagged: MeasuredRate,
    /// Automation sessions that are flagged, at the nearest measured minimum confidence that flags at most as many.
    pub bots_flagged: MeasuredRate,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedRow {
    min_confidence: u8,
    people_flagged: MeasuredRate,
    bots_flagged: MeasuredRate,
}

/// Returns the expected rates at a certainty of `percent`, or `None` outside of the measured range.
pub fn expected_rates(percent: u8) -> Option<ExpectedRates> {
    between(&MEASURED, percent)
}

fn between(rows: &[ExpectedRow], percent: u8) -> Option<ExpectedRates> {
    let below = rows
        .iter()
        .filter(|row| row.min_confidence <= percent)
        .max_by_key(|row| row.min_confidence)?;
    let above = rows
        .iter()
        .filter(|row| row.min_confidence >= percent)
        .min_by_key(|row| row.min_confidence)?;
    Some(ExpectedRates {
        people_flagged: below.people_flagged,
        bots_flagged: above.bots_flagged,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(min_confidence: u8, people: u32, bots: u32) -> ExpectedRow {
        let share = |hits| MeasuredRate {
            hits,
            of: 100,
            bound95: 0.5,
        };
        ExpectedRow {
            min_confidence,
            people_flagged: share(people),
            bots_flagged: share(bots),
        }
    }

    #[test]
    fn committed_rates_are_a_list_of_rows() {
        let rows: Vec<ExpectedRow> =
            serde_json::from_str(include_str!("../expected.json")).unwrap();
        assert!(
            rows.iter()
                .all(|row| (50..=99).contains(&row.min_confidence)),
            "{rows:?}"
        );
        assert!(
            rows.is_sorted_by(|a, b| a.min_confidence < b.min_confidence),
            "{rows:?}"
        );
    }

    #[test]
    fn worse_of_two_measurements_is_reported() {
        let rows = [row(80, 3, 97), row(90, 1, 95)];
        let rates = |percent| {
            between(&rows, percent)
                .map(|rates| (rates.people_flagged.hits, rates.bots_flagged.hits))
        };
        assert_eq!(
            [80, 85, 90].map(rates),
            [Some((3, 97)), Some((3, 95)), Some((1, 95))]
        );
        assert_eq!([79, 91].map(rates), [None, None]);
    }
}
