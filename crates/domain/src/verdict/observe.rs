//! The observation that one check adds to a verdict.

use super::{Assessment, DayCount, Layer, LayerKind, Nats, Verdict};
use crate::registry::Sensitivity;
use crate::vocabulary::Timestamp;

/// The ordinal up to which evidence is spread; from here on every check pays the same.
pub const MAX_PENALISED_CHECKS: u32 = 12;
/// Covered checks of an address per context, layer and day (UTC) that are judged; later ones add nothing.
pub const MAX_CHECKS_PER_DAY: u32 = 12;

/// What one check says of an address: fixed by [`observe`] inside the transaction that burns its challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observation {
    /// The epoch in which it was made.
    pub epoch: u32,
    /// Whose check it was.
    pub kind: LayerKind,
    /// Its contribution.
    pub layer: Layer,
}

impl Observation {
    /// The observation as a verdict that knows nothing else.
    pub fn as_verdict(&self) -> Verdict {
        let mut verdict = Verdict { epoch: self.epoch, ..Verdict::default() };
        match self.kind {
            LayerKind::Owned => verdict.bound = self.layer,
            LayerKind::Unverified => verdict.claimed = self.layer,
        }
        verdict
    }
}

/// `s(k) = ln(k (k + 1) / 2)` nats, the price of the k-th covered check, at most that of the twelfth.
///
/// A person who does many checks must not be convicted by chance: the shares `2 / (k (k + 1))` sum to 2.3 however
/// many checks follow.
pub fn repeat_penalty(ordinal: u32) -> Nats {
    let k = f64::from(ordinal.clamp(1, MAX_PENALISED_CHECKS));
    Nats::from_f64((k * (k + 1.0) / 2.0).ln())
}

/// The observation that `assessment` makes of an address whose verdict was `before`; `None` if the day's checks are
/// used up.
///
/// A flag needs `bot - s(k) >= tau` and either a hard rule, which pays no spread, or two groups with different innocent
/// causes. A check that abstains (not covered) spends no ordinal and counts only by a hard rule, and never for a human.
pub fn observe(
    before: &Verdict,
    kind: LayerKind,
    assessment: &Assessment,
    sensitivity: Sensitivity,
    at: Timestamp,
) -> Option<Observation> {
    let known = before.layer(kind);
    let today = known.today.count_on(at.day());
    if assessment.conclusive && today >= MAX_CHECKS_PER_DAY {
        return None;
    }
    let ordinal = known.conclusive_checks + u32::from(assessment.conclusive);
    let bot = match (assessment.hard, assessment.conclusive) {
        (true, _) => assessment.bot,
        (false, true) => assessment.bot - repeat_penalty(ordinal),
        (false, false) => Nats::ZERO,
    };
    let flagged = bot >= sensitivity.flag_threshold() && (assessment.hard || assessment.groups >= 2);
    let layer = Layer {
        flagged,
        bot: bot.max(Nats::ZERO),
        human: if assessment.conclusive { assessment.human.max(Nats::ZERO) } else { Nats::ZERO },
        first_flagged_at: flagged.then_some(at),
        conclusive_checks: ordinal,
        today: DayCount { date: at.day(), checks: today + u32::from(assessment.conclusive) },
        versions: assessment.versions,
        decision: None,
        last_check_at: assessment.conclusive.then_some(at),
    };
    Some(Observation { epoch: before.epoch, kind, layer })
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    fn soft(bot: i32, groups: u8) -> Assessment {
        Assessment { bot: Nats::from_milli(bot), groups, conclusive: true, ..Assessment::default() }
    }

    fn observe_change(before: &Verdict, assessment: &Assessment) -> Option<Observation> {
        observe(before, LayerKind::Unverified, assessment, Sensitivity::default(), AT)
    }

    #[test]
    fn s_of_k_is_as_designed() {
        assert_eq!(repeat_penalty(1), Nats::ZERO);
        assert_eq!(repeat_penalty(2), Nats::from_milli(1099));
        assert_eq!(repeat_penalty(12), repeat_penalty(50));
        let shares: f64 = (1..=50).map(|k| (-repeat_penalty(k).as_f64()).exp()).sum();
        assert!((shares - 2.33).abs() < 0.02 || shares > 2.3, "{shares}");
    }

    #[test]
    fn two_capped_soft_groups_convict_at_the_first_check_only() {
        let first = observe_change(&Verdict::default(), &soft(4000, 2)).unwrap();
        assert!(first.layer.flagged);
        let clean = observe_change(&Verdict::default(), &soft(0, 0)).unwrap();
        let second = observe_change(&Verdict::default().with_observation(&clean), &soft(4000, 2)).unwrap();
        assert!(!second.layer.flagged);
        assert_eq!(second.layer.conclusive_checks, 2);
    }

    #[test]
    fn one_soft_group_never_convicts() {
        assert!(!observe_change(&Verdict::default(), &soft(20_000, 1)).unwrap().layer.flagged);
    }

    #[test]
    fn a_hard_rule_pays_no_spread_and_needs_no_cover() {
        let mut before = Verdict::default();
        before.claimed.conclusive_checks = 40;
        let hard = Assessment { bot: Nats::from_milli(6000), hard: true, ..Assessment::default() };
        let seen = observe_change(&before, &hard).unwrap();
        assert!(seen.layer.flagged);
        assert_eq!((seen.layer.conclusive_checks, seen.layer.first_flagged_at), (40, Some(AT)));
    }

    #[test]
    fn a_check_that_abstains_spends_no_ordinal_and_says_nothing_soft() {
        let blind = Assessment { conclusive: false, ..soft(9000, 3) };
        let seen = observe_change(&Verdict::default(), &blind).unwrap();
        assert_eq!((seen.layer.flagged, seen.layer.bot, seen.layer.conclusive_checks), (false, Nats::ZERO, 0));
    }

    #[test]
    fn a_check_that_abstains_says_nothing_for_a_human() {
        let shown =
            |covered| Assessment { conclusive: covered, human: Nats::from_milli(1700), ..Assessment::default() };
        let human = |covered| observe_change(&Verdict::default(), &shown(covered)).unwrap().layer.human.as_milli();
        assert_eq!((human(true), human(false)), (1700, 0));
    }

    #[test]
    fn the_thirteenth_covered_check_of_a_day_is_not_judged() {
        let mut verdict = Verdict::default();
        for _ in 0..MAX_CHECKS_PER_DAY {
            verdict = verdict.with_observation(&observe_change(&verdict, &soft(0, 0)).unwrap());
        }
        assert_eq!(observe_change(&verdict, &soft(9000, 3)), None);
        let tomorrow = AT.saturating_add(std::time::Duration::from_hours(24));
        let later = observe(&verdict, LayerKind::Unverified, &soft(0, 0), Sensitivity::default(), tomorrow).unwrap();
        assert_eq!(later.layer.today.checks, 1);
    }

    #[test]
    fn human_evidence_never_offsets_bot_evidence() {
        let both = Assessment { human: Nats::from_milli(9000), ..soft(4000, 2) };
        assert!(observe_change(&Verdict::default(), &both).unwrap().layer.flagged);
    }
}
