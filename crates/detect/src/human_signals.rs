//! Evidence for a human: observations that two independent browser channels confirm.
//!
//! Human evidence never offsets evidence for a bot. It is small, because a machine with a real browser and system-level input
//! produces it as well.

use crate::evidence_schema::{PointerType, TouchPoint};
use crate::facts::CheckFacts;
use crate::model::ModelJudgement;
use crate::rules::{CauseGroup, move_delivery, timing};
use voight_domain::verdict::Nats;

/// Maximum sum of all human signals.
pub(crate) const HUMAN_CAP: Nats = Nats::from_milli(2500);
/// Weight of touch, until people on touch screens have been recorded.
const TOUCH: Nats = Nats::from_milli(1000);
const BUNDLED: Nats = Nats::from_milli(1000);
const ON_GRID: Nats = Nats::from_milli(700);
/// Minimum number of events (keys and mouse moments) that must be on one grid.
const ON_GRID_EVENTS: usize = 10;

/// Signal of a human.
pub(crate) struct HumanSignal {
    /// Stable name.
    pub(crate) name: &'static str,
    /// Cause group of which it is the opposite.
    pub(crate) group: CauseGroup,
    /// Positive weight.
    pub(crate) weight: Nats,
    /// Observation, as text.
    pub(crate) reason: String,
}

/// Returns the human signals of a check.
///
/// A check that was not completed, or not probed at submit, has none. A movement that the model did not judge is no signal.
pub(crate) fn human_signals(facts: &CheckFacts, behaviour: &ModelJudgement) -> Vec<HumanSignal> {
    if !facts.completed || !facts.is_covered() {
        return Vec::new();
    }
    [
        bundled_moves(facts, behaviour),
        kept_grid(facts, behaviour),
        touch(facts),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Matches if moves were bundled as an input device's are, and the raw updates confirm it.
fn bundled_moves(facts: &CheckFacts, behaviour: &ModelJudgement) -> Option<HumanSignal> {
    if !behaviour.is_judged() {
        return None;
    }
    let move_delivery::MoveDelivery {
        moves,
        bundled,
        raw,
    } = move_delivery::delivery(facts)?;
    let reason = || {
        format!(
            "{:.0} % of {moves} moves stand for several, with {raw:.2} raw updates for each",
            bundled * 100.0
        )
    };
    (bundled >= 0.1 && raw >= 1.05).then(|| HumanSignal {
        name: "bundled_moves",
        group: CauseGroup::Coalescing,
        weight: BUNDLED,
        reason: reason(),
    })
}

/// Matches if events keep the grid of the display server.
///
/// Only keys count if keys pressed the targets; all events count if the model judged the movements.
fn kept_grid(facts: &CheckFacts, behaviour: &ModelJudgement) -> Option<HumanSignal> {
    let (events, share) = match facts.presses().any(|press| press.down.is_some()) {
        true if behaviour.is_judged() => timing::grid(facts)?,
        true => return None,
        false => timing::key_grid(facts)?,
    };
    (events >= ON_GRID_EVENTS && share >= 0.99).then(|| HumanSignal {
        name: "kept_grid",
        group: CauseGroup::EventTimeGrid,
        weight: ON_GRID,
        reason: format!("{events} events share a fraction of a millisecond"),
    })
}

/// Matches if a finger with a radius touched where the pointer went down.
fn touch(facts: &CheckFacts) -> Option<HumanSignal> {
    let down = facts
        .presses()
        .filter_map(|press| press.down)
        .find(|down| down.pointer == PointerType::Touch && down.trusted)?;
    let near = |touch: &&TouchPoint| {
        let apart = (
            touch.x.saturating_sub(down.x).saturating_abs(),
            touch.y.saturating_sub(down.y).saturating_abs(),
        );
        touch.trusted && touch.kind == 0 && touch.radius.0 > 100 && apart.0 <= 200 && apart.1 <= 200
    };
    let has_finger = facts
        .batches()
        .iter()
        .flat_map(|batch| &batch.touches)
        .any(|touch| near(&touch));
    has_finger.then(|| HumanSignal {
        name: "finger",
        group: CauseGroup::Kinematics,
        weight: TOUCH,
        reason: "a finger with a size touched where the pointer went down".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;
    use serde_json::json;

    fn human(draft: &CheckBuilder) -> i32 {
        draft.assess_with(-1.0).human.as_milli()
    }

    #[test]
    fn a_mouse_on_linux_shows_two_signs() {
        assert_eq!(human(&CheckBuilder::person()), 1700);
        assert_eq!(human(&CheckBuilder::keyboard()), 0);
    }

    #[test]
    fn single_channel_gives_no_human_signal() {
        let mut draft = CheckBuilder::person();
        draft.second["counts"]["raw"] = draft.second["counts"]["move"].clone();
        assert_eq!(human(&draft), 700);
    }

    #[test]
    fn a_finger_is_worth_at_most_one_nat() {
        let mut draft = CheckBuilder::person();
        draft.all_rows(|_, row| row[10] = 2);
        assert_eq!(human(&draft), 0);
        draft.first["touches"] = json!([[0, 26_000, 21_000, 18_100, 0, 1200, 1100, 0, 1]]);
        assert_eq!(human(&draft), 1000);
    }

    #[test]
    fn incomplete_check_is_no_human_sign() {
        let mut draft = CheckBuilder::person();
        draft.completed = false;
        assert_eq!(human(&draft), 0);
    }
}
