//! The rhythm of keys.

use super::timing::is_coarse;
use crate::facts::Facts;
use crate::wire::KeyDown;

/// Keys without which there is no rhythm.
const ENOUGH: usize = 6;
/// The least spread of the gaps, as a part of their mean.
const SPREAD: f64 = 0.1;
/// The least hold in the middle, in tenths of a millisecond.
const HOLD: i64 = 120;
/// The least gap in the middle, in tenths of a millisecond.
const GAP: i64 = 250;

/// Keys came too evenly, too fast, or were not held. Of 1,219 recorded stretches of people's typing, none is like that.
pub(super) fn keyboard_rhythm(facts: &Facts) -> Option<String> {
    if is_coarse(facts) {
        return None;
    }
    facts.keys().find_map(|keys| {
        let keys: Vec<KeyDown> = keys.iter().filter(|key| key.trusted && !key.repeat).copied().collect();
        if keys.len() < ENOUGH { None } else { odd_rhythm(&keys) }
    })
}

fn odd_rhythm(keys: &[KeyDown]) -> Option<String> {
    let gaps: Vec<i64> = keys.windows(2).map(|pair| pair[1].t.saturating_sub(pair[0].t)).collect();
    let spread = spread(&gaps)?;
    if spread < SPREAD {
        return Some(format!("{} keys came in even steps (spread {spread:.2})", keys.len()));
    }
    let (gap, hold) = (middle(gaps)?, middle(keys.iter().filter_map(|key| key.hold).collect()));
    if gap < GAP {
        return Some(format!("{} keys came {:.1} ms apart", keys.len(), tenths(gap)));
    }
    let hold = hold.filter(|hold| *hold < HOLD)?;
    Some(format!("{} keys were held for {:.1} ms", keys.len(), tenths(hold)))
}

fn middle(mut values: Vec<i64>) -> Option<i64> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

/// The standard deviation as a part of the mean.
fn spread(gaps: &[i64]) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "lists are short, and times far below the limit")]
    let values: Vec<f64> = gaps.iter().map(|gap| *gap as f64).collect();
    #[expect(clippy::cast_precision_loss, reason = "lists are short")]
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    let spread = variance.sqrt() / mean;
    spread.is_finite().then_some(spread)
}

#[expect(clippy::cast_precision_loss, reason = "only shown")]
fn tenths(value: i64) -> f64 {
    value as f64 / 10.0
}

#[cfg(test)]
mod tests {
    use crate::testing::Draft;
    use serde_json::json;

    fn typed(gaps: [i64; 8], hold: i64, flags: i64) -> Option<String> {
        let mut draft = Draft::keyboard();
        let mut rows = vec![json!([20_003, hold, flags])];
        rows.extend(gaps.map(|gap| json!([gap, hold, flags])));
        draft.first["keys"] = rows.into();
        draft.fires("keyboard_rhythm")
    }

    const PERSON: [i64; 8] = [1450, 900, 2210, 1310, 1120, 800, 3140, 1000];

    #[test]
    fn a_person_s_rhythm_is_uneven() {
        assert_eq!(typed(PERSON, 850, 1), None);
        assert_eq!(Draft::keyboard().fires("keyboard_rhythm"), None, "two keys are no rhythm");
    }

    #[test]
    fn even_fast_and_unheld_keys_are_seen() {
        assert!(typed([1000; 8], 850, 1).is_some());
        assert!(typed(PERSON.map(|gap| gap / 10), 50, 1).is_some());
        assert!(typed(PERSON, 20, 1).is_some());
    }

    #[test]
    fn a_held_key_untrusted_keys_and_unknown_holds_say_nothing() {
        assert_eq!(typed([333; 8], 20, 3), None, "repeats");
        assert_eq!(typed([333; 8], 20, 0), None, "untrusted");
        assert_eq!(typed(PERSON, -1, 1), None, "still down");
    }
}
