//! Session with its evaluation.

use crate::drive::SessionEnd;
use serde_json::Value;
use std::collections::BTreeSet;

/// Evaluated session.
#[derive(Debug, Clone)]
pub struct EvaluatedSession {
    /// End of the session.
    pub ended: SessionEnd,
    /// `true` if the platform's lookup returned a bot.
    pub flagged: bool,
    /// `true` if the address is flagged without the rules on event times and fractions of pixels.
    pub flagged_without: bool,
    /// Evidence for a bot, in nats; `None` if the check was not evaluated.
    pub bot: Option<f64>,
    /// Rules that fired as evidence for a bot or in shadow.
    pub rules: BTreeSet<String>,
    /// Reasons of rejections.
    pub rejections: BTreeSet<String>,
    /// `true` if the behaviour model had enough movements.
    pub modelled: bool,
}

/// Cause groups that the author of a driver can avoid.
const AVOIDABLE_GROUPS: [&str; 2] = ["event_time_grid", "fractional_coordinates"];
/// Minimum evidence in nats, and number of cause groups, of a flag without a hard rule.
///
/// Copy of the rule of the domain, applied to the remaining groups.
const FLAG_REQUIREMENT: (f64, usize) = (3.58, 2);

impl EvaluatedSession {
    /// Evaluates a session by the operator's explanation of its address.
    pub fn new(mut ended: SessionEnd, flagged: bool, explanation: &Value) -> Self {
        let events = explanation["timeline"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let of = |kind: &'static str| events.iter().filter(move |event| event["event"] == kind);
        let rejections: BTreeSet<_> = of("refused").map(|event| text(&event["code"])).collect();
        let judgements: Vec<_> = of("judged").collect();
        if judgements.is_empty() && !rejections.is_empty() {
            ended = SessionEnd::Rejected;
        }
        let groups: Vec<_> = judgements
            .iter()
            .filter_map(|event| event["groups"].as_array())
            .flatten()
            .collect();
        let findings = groups
            .iter()
            .filter_map(|group| group["findings"].as_array())
            .flatten();
        let is_against = |finding: &&Value| finding["weight_nats"].as_f64().unwrap_or(0.0) >= 0.0;
        let rules = findings
            .filter(is_against)
            .map(|finding| text(&finding["rule"]))
            .collect();
        let bot = judgements
            .iter()
            .filter_map(|event| event["bot_nats"].as_f64())
            .reduce(f64::max);
        let hard = judgements.iter().any(|event| event["hard"] == true);
        let is_modelled = judgements.iter().any(|event| {
            event["model_version"]
                .as_u64()
                .is_some_and(|version| version > 0)
        });
        Self {
            ended,
            flagged,
            flagged_without: flagged && (hard || has_unavoidable_flag(&groups)),
            bot,
            rules,
            rejections,
            modelled: is_modelled,
        }
    }

    /// Returns `true` if a bot was flagged or rejected.
    pub const fn is_stopped(&self) -> bool {
        self.flagged || matches!(self.ended, SessionEnd::Rejected)
    }
}

/// Returns `true` if the groups other than the avoidable ones would flag the address.
fn has_unavoidable_flag(groups: &[&Value]) -> bool {
    let remaining = groups
        .iter()
        .filter(|group| !AVOIDABLE_GROUPS.contains(&group["group"].as_str().unwrap_or_default()));
    let nats: Vec<_> = remaining
        .filter_map(|cause| cause["counted_nats"].as_f64())
        .filter(|nats| *nats > 0.0)
        .collect();
    nats.iter().sum::<f64>() >= FLAG_REQUIREMENT.0 && nats.len() >= FLAG_REQUIREMENT.1
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::EvaluatedSession;
    use crate::drive::SessionEnd;
    use serde_json::{Value, json};

    fn cause(group: &str, nats: f64) -> Value {
        json!({"group": group, "counted_nats": nats, "findings": [{"rule": format!("a_{group}"), "weight_nats": nats}]})
    }

    fn explained(hard: bool, groups: &[Value]) -> Value {
        json!({"timeline": [{"event": "judged", "bot_nats": 4.0, "hard": hard, "groups": groups}]})
    }

    #[test]
    fn rules_for_a_human_are_excluded() {
        let session = EvaluatedSession::new(
            SessionEnd::Completed,
            true,
            &explained(true, &[cause("pressure", 2.0), cause("hand", -1.0)]),
        );
        assert!(session.rules.contains("a_pressure") && session.rules.len() == 1);
        assert_eq!(
            (session.bot, session.flagged_without, session.is_stopped()),
            (Some(4.0), true, true)
        );
        assert!(!session.modelled);
    }

    #[test]
    fn avoidable_flags_are_distinguished() {
        let avoidable = [cause("event_time_grid", 2.0), cause("pressure", 2.0)];
        assert!(
            !EvaluatedSession::new(SessionEnd::Completed, true, &explained(false, &avoidable))
                .flagged_without
        );
        let mut by_model = explained(false, &avoidable);
        by_model["timeline"][0]["model_version"] = 1.into();
        assert!(EvaluatedSession::new(SessionEnd::Completed, true, &by_model).modelled);
        let with_coalescing = [cause("coalescing", 2.0), cause("pressure", 2.0)];
        assert!(
            EvaluatedSession::new(
                SessionEnd::Completed,
                true,
                &explained(false, &with_coalescing)
            )
            .flagged_without
        );
    }

    #[test]
    fn timeline_rejection_overrides_page_result() {
        let explanation = json!({"timeline": [{"event": "refused", "code": "layout_not_drawn"}]});
        let session =
            EvaluatedSession::new(SessionEnd::Broken("no ending".into()), false, &explanation);
        assert!(session.is_stopped() && session.rejections.contains("layout_not_drawn"));
        let nothing = EvaluatedSession::new(SessionEnd::Completed, false, &json!({"timeline": []}));
        assert!(!nothing.is_stopped() && nothing.bot.is_none());
    }
}
