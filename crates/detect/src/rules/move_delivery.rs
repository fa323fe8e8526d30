//! Delivery of moves.

use super::timing::has_coarse_clock;
use crate::evidence_schema::PointerEvent;
use crate::facts::CheckFacts;

/// Minimum number of moves for a result.
const MIN_MOVES: usize = 20;
/// Median interval of moves, in tenths of a millisecond, above which a stream is that of a remote desktop.
const SPARSE_INTERVAL: i64 = 300;

/// Coalescing of moves: their number, the share of those that combine several, and the raw updates per move.
pub(crate) struct MoveDelivery {
    pub(crate) moves: usize,
    pub(crate) bundled: f64,
    pub(crate) raw: f64,
}

/// Returns the delivery of trusted mouse moves, if the browser reports it and the moves suffice.
#[expect(clippy::cast_precision_loss, reason = "lists are short")]
pub(crate) fn delivery(facts: &CheckFacts) -> Option<MoveDelivery> {
    let coalesced_counts: Vec<i64> = facts
        .mouse_moves()
        .filter_map(|event| event.coalesced)
        .collect();
    let counts = facts.counts()?;
    let moves = counts.moves.filter(|n| *n > 0)?;
    let raw = counts.raw.filter(|n| *n > 0)?;
    if coalesced_counts.len() < MIN_MOVES || is_sparse(facts) {
        return None;
    }
    let bundled_moves = coalesced_counts.iter().filter(|count| **count > 1).count();
    Some(MoveDelivery {
        moves: coalesced_counts.len(),
        bundled: bundled_moves as f64 / coalesced_counts.len() as f64,
        raw: raw as f64 / moves as f64,
    })
}

/// Returns `true` if the moves are as sparse as over a remote desktop.
pub(crate) fn is_sparse(facts: &CheckFacts) -> bool {
    let moves: Vec<&PointerEvent> = facts.mouse_moves().collect();
    let mut gaps: Vec<i64> = moves
        .windows(2)
        .map(|pair| pair[1].t.saturating_sub(pair[0].t))
        .collect();
    gaps.sort_unstable();
    gaps.len() >= MIN_MOVES / 2 && gaps[gaps.len() / 2] > SPARSE_INTERVAL
}

/// Matches if no move was coalesced, and each had exactly one raw update.
pub(super) fn never_coalesced(facts: &CheckFacts) -> Option<String> {
    let MoveDelivery {
        moves,
        bundled,
        raw,
    } = delivery(facts)?;
    let alone = bundled <= 0.0 && (raw - 1.0).abs() < 0.005;
    alone.then(|| format!("each of {moves} moves came alone, with {raw:.2} raw updates for each"))
}

/// Median delay, in tenths of a millisecond, from which on moves wait for frames.
///
/// A driver's moves do, a device's rarely.
const LATE_DISPATCH: i64 = 110;

/// Matches if moves reached their handler as late as those that a driver sends one by one.
pub(super) fn late_dispatch(facts: &CheckFacts) -> Option<String> {
    let mut delays: Vec<i64> = facts.mouse_moves().map(|event| event.latency).collect();
    if delays.len() < MIN_MOVES || is_sparse(facts) || has_coarse_clock(facts) {
        return None;
    }
    delays.sort_unstable();
    let delay = delays[delays.len() / 2];
    (delay >= LATE_DISPATCH).then(|| {
        format!(
            "{} moves were handled {} ms late, in the middle",
            delays.len(),
            delay / 10
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;

    fn alone() -> CheckBuilder {
        let mut draft = CheckBuilder::person();
        draft.all_rows(|_, row| row[13] = 1);
        draft.second["counts"]["raw"] = draft.second["counts"]["move"].clone();
        draft
    }

    #[test]
    fn missing_coalesced_events_are_reported() {
        assert_eq!(CheckBuilder::person().fires("never_coalesced"), None);
        assert!(alone().fires("never_coalesced").is_some());
    }

    #[test]
    fn both_channels_must_agree() {
        let mut draft = alone();
        draft.second["counts"]["raw"] = 70.into();
        assert_eq!(draft.fires("never_coalesced"), None);
        draft.second["counts"]["raw"] = 0.into();
        assert_eq!(
            draft.fires("never_coalesced"),
            None,
            "a browser without raw updates"
        );
        let mut not_offered = alone();
        not_offered.all_rows(|_, row| row[13] = -1);
        assert_eq!(not_offered.fires("never_coalesced"), None);
    }

    #[test]
    fn remote_desktop_is_no_evidence() {
        let mut draft = alone();
        draft.all_rows(|at, row| {
            row[13] = 1;
            row[1] += 250 * i64::try_from(at).unwrap();
        });
        assert_eq!(draft.fires("never_coalesced"), None);
    }
    #[test]
    fn moves_that_wait_for_frames_are_watched() {
        for (latency, fires) in [(40, false), (109, false), (110, true)] {
            let mut draft = CheckBuilder::person();
            draft.all_rows(|_, row| row[15] = latency);
            assert_eq!(draft.fires("late_dispatch").is_some(), fires, "{latency}");
        }
        assert_eq!(CheckBuilder::keyboard().fires("late_dispatch"), None);
    }
}
