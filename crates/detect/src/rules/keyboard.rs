//! Rhythm of keys.

use super::timing::has_coarse_clock;
use crate::evidence_schema::KeyDown;
use crate::facts::CheckFacts;

/// Minimum number of keys for a rhythm.
const ENOUGH: usize = 6;
/// Minimum coefficient of variation of the gaps.
const SPREAD: f64 = 0.1;
/// Minimum median hold, in tenths of a millisecond.
const HOLD: i64 = 120;
/// Minimum median gap, in tenths of a millisecond.
const GAP: i64 = 250;
/// Minimum number of keys among which a typing person overlaps some.
const LONG_KEY_RUN: usize = 14;
/// Maximum median gap of typing, in tenths of a millisecond.
const QUICK: i64 = 2000;

/// Matches if keys came too evenly, too fast, or were not held.
///
/// No match occurs in 1,219 recorded stretches of people's typing.
pub(super) fn keyboard_rhythm(facts: &CheckFacts) -> Option<String> {
    if has_coarse_clock(facts) {
        return None;
    }
    struck(facts).find_map(|keys| {
        if keys.len() < ENOUGH {
            None
        } else {
            odd_rhythm(&keys)
        }
    })
}

/// Returns the trusted keys of each batch, without repeats.
fn struck(facts: &CheckFacts) -> impl Iterator<Item = Vec<KeyDown>> {
    facts.keys().map(|keys| {
        keys.iter()
            .filter(|key| key.trusted && !key.repeat)
            .copied()
            .collect()
    })
}

/// Matches if many keys were typed quickly, and none went down before the previous one came up.
///
/// People who type overlap keys; people who only step through a page do not, so only quick keys are considered.
pub(super) fn no_rollover(facts: &CheckFacts) -> Option<String> {
    let rolls = |pair: &[KeyDown]| {
        pair[0]
            .hold
            .is_none_or(|hold| pair[1].t < pair[0].t.saturating_add(hold))
    };
    let quick = |keys: &Vec<KeyDown>| {
        keys.len() >= LONG_KEY_RUN && middle(gaps(keys)).is_some_and(|gap| gap < QUICK)
    };
    let keys = struck(facts)
        .filter(|_| !has_coarse_clock(facts))
        .find(|keys| quick(keys) && !keys.windows(2).any(rolls))?;
    Some(format!(
        "{} quick keys went down one after the other",
        keys.len()
    ))
}

fn gaps(keys: &[KeyDown]) -> Vec<i64> {
    keys.windows(2)
        .map(|pair| pair[1].t.saturating_sub(pair[0].t))
        .collect()
}

fn odd_rhythm(keys: &[KeyDown]) -> Option<String> {
    let gaps = gaps(keys);
    let relative_deviation = spread(&gaps)?;
    if relative_deviation < SPREAD {
        return Some(format!(
            "{} keys came in even steps (spread {relative_deviation:.2})",
            keys.len()
        ));
    }
    let gap = middle(gaps)?;
    let hold = middle(keys.iter().filter_map(|key| key.hold).collect());
    if gap < GAP {
        return Some(format!(
            "{} keys came {:.1} ms apart",
            keys.len(),
            tenths(gap)
        ));
    }
    let hold = hold.filter(|hold| *hold < HOLD)?;
    Some(format!(
        "{} keys were held for {:.1} ms",
        keys.len(),
        tenths(hold)
    ))
}

fn middle(mut values: Vec<i64>) -> Option<i64> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

/// Returns the coefficient of variation.
fn spread(gaps: &[i64]) -> Option<f64> {
    #[expect(
        clippy::cast_precision_loss,
        reason = "lists are short, and times far below the limit"
    )]
    let values: Vec<f64> = gaps.iter().map(|gap| *gap as f64).collect();
    #[expect(clippy::cast_precision_loss, reason = "lists are short")]
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / count;
    let relative_deviation = variance.sqrt() / mean;
    relative_deviation.is_finite().then_some(relative_deviation)
}

#[expect(clippy::cast_precision_loss, reason = "only shown")]
fn tenths(value: i64) -> f64 {
    value as f64 / 10.0
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;
    use serde_json::json;

    fn typed(gaps: [i64; 8], hold: i64, flags: i64) -> Option<String> {
        let mut draft = CheckBuilder::keyboard();
        let mut rows = vec![json!([20_003, hold, flags])];
        rows.extend(gaps.map(|gap| json!([gap, hold, flags])));
        draft.first["keys"] = rows.into();
        draft.fires("keyboard_rhythm")
    }

    const PERSON: [i64; 8] = [1450, 900, 2210, 1310, 1120, 800, 3140, 1000];

    #[test]
    fn a_person_s_rhythm_is_uneven() {
        assert_eq!(typed(PERSON, 850, 1), None);
        assert_eq!(
            CheckBuilder::keyboard().fires("keyboard_rhythm"),
            None,
            "two keys are no rhythm"
        );
    }

    #[test]
    fn even_fast_and_unheld_keys_are_seen() {
        assert!(typed([1000; 8], 850, 1).is_some());
        assert!(typed(PERSON.map(|gap| gap / 10), 50, 1).is_some());
        assert!(typed(PERSON, 20, 1).is_some());
    }

    #[test]
    fn held_and_untrusted_keys_are_no_evidence() {
        assert_eq!(typed([333; 8], 20, 3), None, "repeats");
        assert_eq!(typed([333; 8], 20, 0), None, "untrusted");
        assert_eq!(typed(PERSON, -1, 1), None, "still down");
    }

    #[test]
    fn quick_keys_without_rollover_are_reported() {
        let fire_rollover = |gap: i64, hold: i64, last: i64| {
            let mut draft = CheckBuilder::keyboard();
            let mut rows: Vec<_> = (0..14_i64)
                .map(|at| json!([gap + at * 137 % 300, hold, 1]))
                .collect();
            rows[0][0] = 5003.into();
            rows[12][1] = last.into();
            draft.first["keys"] = rows.into();
            draft.fires("no_rollover")
        };
        assert!(fire_rollover(1000, 700, 700).is_some());
        assert_eq!(fire_rollover(1000, 700, 1800), None, "one rolls");
        assert_eq!(fire_rollover(3000, 700, 700), None, "steps through a page");
        assert_eq!(CheckBuilder::keyboard().fires("no_rollover"), None);
    }
}
