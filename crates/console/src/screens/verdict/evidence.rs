//! Evidence of the strongest check, as bars around one zero line.

use crate::format::{Time, nats_text};
use crate::visit::Visit;
use askama::filters::HtmlSafe;
use std::fmt;
use voight_domain::verdict::{Assessment, Event, EventKind, Finding, Nats};

/// Width of one nat in the chart.
const NAT_WIDTH: f64 = 10.0;
/// Position of the zero line; the chart reaches from -3 to +6 nats.
const ZERO: f64 = 30.0;
const MIN_NATS: f64 = -3.0;
const MAX_NATS: f64 = 6.0;

/// Evidence of a check.
pub(super) struct Evidence {
    /// Time of the check.
    pub(super) at: Time,
    /// Number of the checks in the history.
    pub(super) checks: usize,
    /// Rows in the order of their weight.
    pub(super) findings: Vec<FindingRow>,
    /// Evidence for a bot, of all causes.
    pub(super) bot: String,
    /// Bar of that evidence.
    pub(super) bar: Bar,
    /// Evidence that a flag needs.
    pub(super) threshold: String,
    /// Certainty of the context as a mark in the chart.
    pub(super) mark: String,
    /// Versions of the rules and of the model.
    pub(super) versions: String,
}

/// Row of a finding.
pub(super) struct FindingRow {
    /// Meaning of the match.
    pub(super) meaning: String,
    /// Innocent explanation; empty without one.
    pub(super) benign: String,
    /// Name of the rule.
    pub(super) rule: String,
    /// Exact observation.
    pub(super) reason: String,
    /// Bar of the weight.
    pub(super) bar: Bar,
    /// Weight as text.
    pub(super) weight: String,
    /// `true` if the finding counts.
    pub(super) is_counted: bool,
}

/// Bar from the zero line to a number of nats.
pub(super) struct Bar(f64);

impl HtmlSafe for Bar {}

impl Bar {
    fn new(weight: Nats) -> Self {
        Self(weight.as_f64().clamp(MIN_NATS, MAX_NATS))
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.0 * NAT_WIDTH;
        let fill = if width < 0.0 { "fp" } else { "fb" };
        write!(
            f,
            "<path class=\"{fill}\" d=\"M{ZERO} 1h{width:.1}v12h{:.1}z\"/>",
            -width
        )
    }
}

impl Evidence {
    /// Returns the evidence of the check with the most evidence for a bot; `None` without a check.
    pub(super) fn strongest(visit: &Visit, timeline: &[Event], threshold: Nats) -> Option<Self> {
        let checks: Vec<_> = timeline.iter().filter_map(assessed).collect();
        let (at, assessment) = checks
            .iter()
            .max_by_key(|(at, assessment)| (assessment.bot, *at))?;
        let mut findings: Vec<_> = assessment.findings.iter().collect();
        findings.sort_by_key(|finding| (!finding.counted, std::cmp::Reverse(finding.weight)));
        let position = ZERO + threshold.as_f64().clamp(MIN_NATS, MAX_NATS) * NAT_WIDTH;
        Some(Self {
            at: Time::new(*at, visit.now),
            checks: checks.len(),
            findings: findings
                .into_iter()
                .map(|finding| FindingRow::new(visit, finding))
                .collect(),
            bot: nats_text(assessment.bot),
            bar: Bar::new(assessment.bot),
            threshold: nats_text(threshold),
            mark: format!("{position:.1}"),
            versions: format!(
                "Policy {}, model {}",
                assessment.versions.policy, assessment.versions.model
            ),
        })
    }
}

fn assessed(event: &Event) -> Option<(voight_domain::Timestamp, &Assessment)> {
    match &event.kind {
        EventKind::Judged { assessment, .. } => Some((event.at, assessment)),
        _ => None,
    }
}

impl FindingRow {
    fn new(visit: &Visit, finding: &Finding) -> Self {
        let texts = visit.state.settings.rule_text(&finding.rule);
        Self {
            meaning: texts.map_or_else(|| finding.rule.clone(), |texts| texts.meaning.to_owned()),
            benign: texts.map_or_else(String::new, |texts| texts.benign_explanation.to_owned()),
            rule: finding.rule.clone(),
            reason: finding.reason.clone(),
            bar: Bar::new(finding.weight),
            weight: nats_text(finding.weight),
            is_counted: finding.counted,
        }
    }
}
