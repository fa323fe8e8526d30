//! Replay of a verdict from its timeline.

use super::{Assessment, Event, EventKind, Layer, Nats, Observation, Verdict, observe};
use crate::linkage::{add_links, is_link};
use crate::registry::MinConfidence;
use crate::vocabulary::CheckId;

/// Check that decided a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecidingCheck {
    /// The check.
    pub check: CheckId,
    /// The rules that counted as evidence for a bot, with their weights.
    pub rules: Vec<(String, Nats)>,
}

/// Verdict that is recomputed, event by event, from other assessments of the same checks.
#[derive(Debug, Clone)]
pub struct VerdictReplay {
    min_confidence: MinConfidence,
    /// The recomputed verdict.
    pub verdict: Verdict,
    /// The first check that flagged the address in the original evaluation.
    pub flagged_before: Option<DecidingCheck>,
    /// The first check that flags the address in the replay.
    pub flagged_now: Option<DecidingCheck>,
}

impl VerdictReplay {
    /// Starts a replay without any state. Flags need the certainty of `min_confidence`.
    pub fn starting(min_confidence: MinConfidence) -> Self {
        Self {
            min_confidence,
            verdict: Verdict::default(),
            flagged_before: None,
            flagged_now: None,
        }
    }

    /// Applies the next event of the timeline, with the assessment `now` of its check.
    ///
    /// Without a new assessment the stored one is applied. Decisions of operators stay in force. An epoch that an
    /// earlier replay opened only sets the epoch number: its checks are re-evaluated like all others.
    pub fn apply(&mut self, event: &Event, now: Option<Assessment>) {
        match &event.kind {
            EventKind::Judged {
                check,
                completed,
                layer,
                assessment,
                observation,
            } => {
                if observation.is_some_and(|observation| observation.layer.flagged) {
                    self.flagged_before
                        .get_or_insert_with(|| DecidingCheck::new(*check, assessment));
                }
                let mut assessment =
                    now.map_or_else(|| assessment.clone(), |now| with_links(now, assessment));
                if !completed {
                    assessment.human = Nats::ZERO;
                }
                let Some(seen) = observe(
                    &self.verdict,
                    *layer,
                    &assessment,
                    self.min_confidence,
                    event.at,
                ) else {
                    return;
                };
                if seen.layer.flagged {
                    self.flagged_now
                        .get_or_insert_with(|| DecidingCheck::new(*check, &assessment));
                }
                self.verdict = self.verdict.with_observation(&seen);
            }
            EventKind::Overridden { epoch, to, .. } => {
                let overridden_verdict =
                    self.verdict
                        .overridden(*to, self.min_confidence.flag_threshold(), event.at);
                self.verdict = Verdict {
                    epoch: *epoch,
                    ..overridden_verdict
                };
                (self.flagged_before, self.flagged_now) = (None, None);
            }
            EventKind::Replayed { epoch, .. } => self.verdict.epoch = *epoch,
            EventKind::ClusterLimitExceeded { layer, limit, .. } if limit.flagged => {
                let flagged_layer =
                    Layer::operator_flag(self.min_confidence.flag_threshold(), event.at);
                let observation = Observation {
                    epoch: self.verdict.epoch,
                    kind: *layer,
                    layer: flagged_layer,
                };
                self.verdict = self.verdict.with_observation(&observation);
            }
            EventKind::Rejected { .. }
            | EventKind::LayerChanged { .. }
            | EventKind::ClusterLimitExceeded { .. } => {}
        }
    }
}

/// Returns the new assessment with the link findings of the stored one.
///
/// The linked checks are not re-evaluated together with this one.
fn with_links(mut now: Assessment, judged: &Assessment) -> Assessment {
    add_links(
        &mut now,
        judged
            .findings
            .iter()
            .filter(|finding| is_link(finding))
            .cloned(),
    );
    now
}

impl DecidingCheck {
    fn new(check: CheckId, assessment: &Assessment) -> Self {
        let against = assessment
            .findings
            .iter()
            .filter(|finding| finding.counted && finding.weight > Nats::ZERO);
        Self {
            check,
            rules: against
                .map(|finding| (finding.rule.clone(), finding.weight))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linkage::TRACE_REUSE;
    use crate::verdict::{Finding, LayerKind, OverrideTo};
    use crate::vocabulary::Timestamp;

    const AT: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    fn found(weight: i32, hard: bool) -> Assessment {
        let finding = Finding {
            rule: "webdriver".into(),
            group: "declared_automation".into(),
            weight: Nats::from_milli(weight),
            hard,
            counted: true,
            reason: String::new(),
        };
        let bot = finding.weight;
        Assessment {
            bot,
            hard,
            conclusive: true,
            human: Nats::from_milli(900),
            findings: vec![finding],
            ..Assessment::default()
        }
    }

    /// Returns the events of checks with these assessments, and the resulting verdict.
    fn judged(assessments: &[Assessment]) -> (Vec<Event>, Verdict) {
        let mut verdict = Verdict::default();
        let mut events = Vec::new();
        for (number, assessment) in (1..).zip(assessments) {
            let layer = LayerKind::Unverified;
            let assessment = assessment.clone();
            let observation = observe(&verdict, layer, &assessment, MinConfidence::default(), AT);
            verdict = observation.map_or(verdict, |observation| {
                verdict.with_observation(&observation)
            });
            let check = CheckId::from_bytes([number; 16]);
            events.push(Event {
                at: AT,
                kind: EventKind::Judged {
                    check,
                    completed: true,
                    layer,
                    assessment,
                    observation,
                },
            });
        }
        (events, verdict)
    }

    fn replay_events(events: &[Event], now: impl Fn(usize) -> Option<Assessment>) -> VerdictReplay {
        let mut replay = VerdictReplay::starting(MinConfidence::default());
        events
            .iter()
            .enumerate()
            .for_each(|(place, event)| replay.apply(event, now(place)));
        replay
    }

    #[test]
    fn replay_of_equal_assessments_is_equal() {
        // More checks than the maximum per day, so that some add nothing.
        let (events, verdict) = judged(&vec![found(500, false); 14]);
        assert_eq!(replay_events(&events, |_| None).verdict, verdict);
    }

    #[test]
    fn replay_sets_and_clears_flags() {
        let (events, verdict) = judged(&[found(0, false), found(6000, true)]);
        assert!(verdict.unverified.flagged);
        let clearing_replay = replay_events(&events, |_| Some(found(0, false)));
        assert!(
            !clearing_replay.verdict.unverified.flagged && clearing_replay.flagged_now.is_none()
        );
        let deciding_check = clearing_replay.flagged_before.unwrap();
        assert_eq!(deciding_check.check, CheckId::from_bytes([2; 16]));
        assert_eq!(
            deciding_check.rules,
            [("webdriver".to_owned(), Nats::from_milli(6000))]
        );
        let flagging_replay =
            replay_events(&events, |place| (place == 0).then(|| found(6000, true)));
        assert_eq!(
            flagging_replay
                .flagged_now
                .map(|deciding_check| deciding_check.check),
            Some(CheckId::from_bytes([1; 16]))
        );
    }

    #[test]
    fn replay_keeps_findings_of_links() {
        let mut linked_assessment = found(2000, false);
        linked_assessment.findings[0].group = TRACE_REUSE.to_owned();
        let mut soft = found(2000, false);
        soft.groups = 1;
        let (events, _) = judged(&[linked_assessment]);
        let replay = replay_events(&events, |_| Some(soft.clone()));
        assert_eq!(replay.verdict.unverified.bot, Nats::from_milli(4000));
        assert!(
            replay.verdict.unverified.flagged,
            "two groups with enough evidence"
        );
    }

    #[test]
    fn replay_keeps_overrides() {
        let (mut events, _) = judged(&[found(6000, true)]);
        let override_event = EventKind::Overridden {
            epoch: 7,
            to: OverrideTo::Human,
            reason: String::new(),
        };
        events.push(Event {
            at: AT,
            kind: override_event,
        });
        let replay = replay_events(&events, |_| None);
        assert_eq!(
            (replay.verdict.epoch, replay.verdict.unverified.flagged),
            (7, false)
        );
        assert_eq!(replay.flagged_before, None);
    }

    #[test]
    fn earlier_replay_is_replayed_again() {
        let (mut events, verdict) = judged(&[found(6000, true)]);
        events.push(Event {
            at: AT,
            kind: EventKind::Replayed {
                epoch: 1,
                policy: 1000,
                reason: String::new(),
            },
        });
        assert_eq!(
            replay_events(&events, |_| None).verdict,
            Verdict {
                epoch: 1,
                ..verdict
            }
        );
    }

    #[test]
    fn incomplete_check_replays_no_human_evidence() {
        let (mut events, _) = judged(&[found(0, false)]);
        if let EventKind::Judged { completed, .. } = &mut events[0].kind {
            *completed = false;
        }
        assert_eq!(
            replay_events(&events, |_| Some(found(0, false)))
                .verdict
                .unverified
                .human,
            Nats::ZERO
        );
    }
}
