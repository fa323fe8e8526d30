//! Summary of a timeline, for a list of verdicts.

use super::{Assessment, Event, EventKind, Nats};
use crate::linkage::ClusterLimitExceeded;
use crate::vocabulary::Timestamp;

/// Rule of a verdict that an operator set.
const OVERRIDE: &str = "override";
/// Rule of a flag by a limit of addresses in a cluster.
const CLUSTER_LIMIT: &str = "cluster_limit";

/// Latest change of a verdict, and what decided it in the current epoch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TimelineSummary {
    /// Time of the latest event; `None` without events.
    pub last_event_at: Option<Timestamp>,
    /// Rule that flagged the address first: the strongest finding of the check, `cluster_limit`, or `override` for a decision of an
    /// operator. `None` without a flag and a decision.
    pub rule: Option<String>,
    /// Latest exceeded limit of addresses in a cluster; `None` if none was exceeded.
    pub link: Option<ClusterLimitExceeded>,
}

impl TimelineSummary {
    /// Summarises events, which are ordered from the oldest to the newest.
    pub fn from_events(events: &[Event]) -> Self {
        let mut summary = Self::default();
        for event in events {
            summary.last_event_at = Some(event.at);
            match &event.kind {
                EventKind::Judged {
                    assessment,
                    observation,
                    ..
                } if observation.is_some_and(|observation| observation.layer.flagged) => {
                    summary.rule = summary.rule.take().or_else(|| strongest_rule(assessment));
                }
                EventKind::ClusterLimitExceeded { limit, .. } => {
                    summary.link = Some(*limit);
                    if limit.flagged {
                        summary.rule.get_or_insert_with(|| CLUSTER_LIMIT.to_owned());
                    }
                }
                EventKind::Overridden { .. } => {
                    (summary.rule, summary.link) = (Some(OVERRIDE.to_owned()), None);
                }
                EventKind::Replayed { .. } => (summary.rule, summary.link) = (None, None),
                EventKind::Judged { .. }
                | EventKind::Rejected { .. }
                | EventKind::LayerChanged { .. } => {}
            }
        }
        summary
    }
}

/// Returns the counted rule with the largest weight for a bot.
fn strongest_rule(assessment: &Assessment) -> Option<String> {
    let against = assessment
        .findings
        .iter()
        .filter(|finding| finding.counted && finding.weight > Nats::ZERO);
    against
        .max_by_key(|finding| (finding.hard, finding.weight))
        .map(|finding| finding.rule.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linkage::ClusterKind;
    use crate::verdict::{Finding, Layer, LayerKind, Observation, OverrideTo};
    use crate::vocabulary::CheckId;

    fn event(second: i64, kind: EventKind) -> Event {
        Event {
            at: Timestamp::from_millis(1_800_000_000_000 + second * 1_000),
            kind,
        }
    }

    fn judged(flagged: bool, rules: &[(&str, i32)]) -> EventKind {
        let finding = |(rule, milli): &(&str, i32)| Finding {
            rule: (*rule).to_owned(),
            group: (*rule).to_owned(),
            weight: Nats::from_milli(*milli),
            hard: false,
            counted: true,
            reason: String::new(),
        };
        let assessment = Assessment {
            findings: rules.iter().map(finding).collect(),
            ..Assessment::default()
        };
        let layer = Layer {
            flagged,
            ..Layer::default()
        };
        let observation = Some(Observation {
            epoch: 0,
            kind: LayerKind::Unverified,
            layer,
        });
        let check = CheckId::from_bytes([1; 16]);
        EventKind::Judged {
            check,
            completed: true,
            layer: LayerKind::Unverified,
            assessment,
            observation,
        }
    }

    fn limit(flagged: bool) -> EventKind {
        let limit = ClusterLimitExceeded {
            cluster: ClusterKind::Device,
            rank: 4,
            limit: 3,
            flagged,
        };
        EventKind::ClusterLimitExceeded {
            check: CheckId::from_bytes([1; 16]),
            layer: LayerKind::Unverified,
            limit,
        }
    }

    fn overridden() -> EventKind {
        EventKind::Overridden {
            epoch: 1,
            to: OverrideTo::Human,
            reason: String::new(),
        }
    }

    #[test]
    fn summary_names_the_first_flagging_rule() {
        let weak = judged(false, &[("tremor", 100)]);
        let first = judged(
            true,
            &[("teleport", 900), ("webdriver", 4_500), ("tremor", -500)],
        );
        let second = judged(true, &[("jump", 9_000)]);
        let rule = |kinds: &[&EventKind]| {
            let events: Vec<_> = (0..)
                .zip(kinds)
                .map(|(second, kind)| event(second, (*kind).clone()))
                .collect();
            TimelineSummary::from_events(&events).rule
        };
        assert_eq!(rule(&[&weak]), None);
        assert_eq!(
            rule(&[&weak, &first, &second]).as_deref(),
            Some("webdriver")
        );
        assert_eq!(rule(&[&first, &overridden()]).as_deref(), Some("override"));
        let replay_event = EventKind::Replayed {
            epoch: 1,
            policy: 2,
            reason: String::new(),
        };
        assert_eq!(
            rule(&[&first, &replay_event, &second]).as_deref(),
            Some("jump")
        );
        assert_eq!(
            rule(&[&limit(true), &first]).as_deref(),
            Some("cluster_limit")
        );
    }

    #[test]
    fn summary_keeps_the_latest_link() {
        let events = [event(0, limit(false)), event(5, judged(false, &[]))];
        let summary = TimelineSummary::from_events(&events);
        assert_eq!(summary.last_event_at, Some(events[1].at));
        assert_eq!(
            summary.link.map(|link| (link.rank, link.flagged)),
            Some((4, false))
        );
        assert_eq!(summary.rule, None);
        let override_summary =
            TimelineSummary::from_events(&[event(0, limit(false)), event(5, overridden())]);
        assert_eq!(override_summary.link, None);
        assert_eq!(
            TimelineSummary::from_events(&[]),
            TimelineSummary::default()
        );
    }
}
