//! Expected error rates of a minimum confidence, printed next to it.

use voight_detect::{MeasuredRate, expected_rates};

/// Returns the table rows with the rates to expect at a certainty of `percent`.
pub(super) fn rows(percent: u8) -> [(&'static str, String); 2] {
    let (people, bots) = match expected_rates(percent) {
        Some(known) => (
            share(known.people_flagged, "at most"),
            share(known.bots_flagged, "at least"),
        ),
        None => ("not measured".to_owned(), "not measured".to_owned()),
    };
    [("  people flagged", people), ("  bots flagged", bots)]
}

fn share(MeasuredRate { hits, of, bound95 }: MeasuredRate, side: &str) -> String {
    format!(
        "{hits} of {of} sessions; with 95 % confidence {side} {:.2} %",
        bound95 * 100.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_has_a_confidence_bound() {
        let measured_rate = MeasuredRate {
            hits: 1,
            of: 400,
            bound95: 0.0118,
        };
        assert_eq!(
            share(measured_rate, "at most"),
            "1 of 400 sessions; with 95 % confidence at most 1.18 %"
        );
    }
}
