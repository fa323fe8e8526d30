//! Evidence for a human: what two channels of the browser confirm together. It never offsets evidence for a bot, and it
//! is small, because a machine with a real browser and input at the level of the system shows it too.

use crate::facts::CheckFacts;
use crate::rules::{CauseGroup, moves, timing};
use crate::wire::{PointerType, TouchPoint};
use voight_domain::verdict::Nats;

/// The most that all signs add together.
pub(crate) const HUMAN_CAP: Nats = Nats::from_milli(2500);
/// The most that touch adds, until people on touch have been recorded.
const TOUCH: Nats = Nats::from_milli(1000);
const BUNDLED: Nats = Nats::from_milli(1000);
const ON_GRID: Nats = Nats::from_milli(700);
/// Keys and mouse moments that must lie on one grid.
const ON_GRID_EVENTS: usize = 10;

/// A sign of a human.
pub(crate) struct HumanSignal {
    /// Its stable name.
    pub(crate) name: &'static str,
    /// The group whose opposite it is.
    pub(crate) group: CauseGroup,
    /// What it is worth, positive.
    pub(crate) weight: Nats,
    /// What was seen.
    pub(crate) reason: String,
}

/// The signs of a human in a check. One that was not completed, or not looked at when evidence was submitted, has none; a
/// movement that the model did not judge is no sign.
pub(crate) fn human_signals(facts: &CheckFacts) -> Vec<HumanSignal> {
    if !facts.completed || !facts.is_covered() {
        return Vec::new();
    }
    [bundled_moves(facts), kept_grid(facts), touch(facts)].into_iter().flatten().collect()
}

/// Moves were bundled as an input device's are, and the raw updates confirm it.
fn bundled_moves(facts: &CheckFacts) -> Option<HumanSignal> {
    if !facts.behaviour.is_judged() {
        return None;
    }
    let moves::MoveDelivery { moves, bundled, raw } = moves::delivery(facts)?;
    let reason =
        || format!("{:.0} % of {moves} moves stand for several, with {raw:.2} raw updates for each", bundled * 100.0);
    (bundled >= 0.1 && raw >= 1.05).then(|| HumanSignal {
        name: "bundled_moves",
        group: CauseGroup::Coalescing,
        weight: BUNDLED,
        reason: reason(),
    })
}

/// Events keep the grid of the display server: those of keys, where keys pressed; all, where the model judged movements.
fn kept_grid(facts: &CheckFacts) -> Option<HumanSignal> {
    let (events, share) = match facts.presses().any(|press| press.down.is_some()) {
        true if facts.behaviour.is_judged() => timing::grid(facts)?,
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

/// A finger with a size touched where the pointer went down.
fn touch(facts: &CheckFacts) -> Option<HumanSignal> {
    let down = facts
        .presses()
        .filter_map(|press| press.down)
        .find(|down| down.pointer == PointerType::Touch && down.trusted)?;
    let near = |touch: &&TouchPoint| {
        let apart = (touch.x.saturating_sub(down.x).saturating_abs(), touch.y.saturating_sub(down.y).saturating_abs());
        touch.trusted && touch.kind == 0 && touch.radius.0 > 100 && apart.0 <= 200 && apart.1 <= 200
    };
    let touched = facts.batches().iter().flat_map(|batch| &batch.touches).any(|touch| near(&touch));
    touched.then(|| HumanSignal {
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
    fn one_channel_alone_is_no_sign() {
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
    fn a_check_that_was_not_completed_says_nothing_for_a_human() {
        let mut draft = CheckBuilder::person();
        draft.completed = false;
        assert_eq!(human(&draft), 0);
    }
}
