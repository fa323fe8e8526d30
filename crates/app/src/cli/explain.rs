//! Renders an explained verdict as text: findings by cause group, and the event history, newest event first.

use crate::output::{printable, word, yes_no};
use std::fmt::{self, Display, Formatter};
use voight_api::admin::{
    CauseGroup, CheckFindings, ContextMode, Explanation, Finding, HistoryEvent, Layer,
    TimelineEvent,
};

/// Renders the explanation as text.
pub(super) fn render(explanation: &Explanation) -> String {
    ExplanationText(explanation).to_string()
}

struct ExplanationText<'a>(&'a Explanation);

impl Display for ExplanationText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Explanation {
            context_id,
            audit_subject: audit_digest,
            mode,
            min_confidence,
            flag_threshold_nats,
            ..
        } = self.0;
        let Explanation {
            enforced_answer,
            verdict,
            timeline,
            ..
        } = self.0;
        writeln!(f, "address  {}\ncontext  {context_id}", verdict.address)?;
        writeln!(
            f,
            "answer   isBot {}, certainty {:.2}",
            verdict.is_bot, verdict.score
        )?;
        if *mode == ContextMode::Observe {
            let is_bot = enforced_answer.is_bot;
            let score = enforced_answer.score;
            writeln!(
                f,
                "         mode observe: with mode enforce the answer would be isBot {is_bot}, certainty {score:.2}"
            )?;
        }
        writeln!(f, "epoch    {}", verdict.epoch)?;
        writeln!(
            f,
            "audit    {audit_digest} names the address in the audit log"
        )?;
        writeln!(
            f,
            "flag     requires {flag_threshold_nats:+.3} nats for a bot ({min_confidence} % certainty), and a hard rule or two cause groups\n         each nat makes a bot 2.7 times as likely"
        )?;
        layer(f, "layers   owned     ", &verdict.owned)?;
        layer(f, "         unverified", &verdict.unverified)?;
        if verdict.has_tombstone {
            writeln!(
                f,
                "erased   a tombstone keeps the flag in force until an override, or until the context is archived"
            )?;
        } else if timeline.is_empty() {
            writeln!(
                f,
                "\nNo data is stored about this address in this context: no check was evaluated."
            )?;
        }
        timeline
            .iter()
            .rev()
            .try_for_each(|history_event| event(f, history_event))
    }
}

fn layer(f: &mut Formatter<'_>, name: &str, layer: &Layer) -> fmt::Result {
    let since = layer
        .first_flagged_at
        .as_ref()
        .map_or_else(String::new, |at| format!(" since {at}"));
    let Layer {
        flagged,
        bot_nats,
        human_nats,
        checks,
        ..
    } = layer;
    let flag_text = yes_no(*flagged);
    writeln!(
        f,
        "{name} flagged {flag_text}{since}; {checks} checks, bot {bot_nats:+.3}, human {human_nats:+.3} nats"
    )
}

fn event(f: &mut Formatter<'_>, HistoryEvent { at, outcome }: &HistoryEvent) -> fmt::Result {
    match outcome {
        TimelineEvent::Judged(found) => {
            writeln!(f, "\n{at}  check {} evaluated", found.check_id)?;
            judged(f, found)
        }
        TimelineEvent::Refused {
            check_id,
            code,
            reason,
        } => {
            writeln!(
                f,
                "\n{at}  check {check_id} rejected: it has no effect\n  {code}: {}",
                printable(reason)
            )
        }
        TimelineEvent::LayerChanged {
            check_id,
            unverified_flagged,
            owned_flagged,
        } => layer_change(f, at, check_id, [*unverified_flagged, *owned_flagged]),
        TimelineEvent::ClusterLimitExceeded {
            check_id,
            layer,
            cluster,
            rank,
            limit,
            flagged,
        } => {
            let consequence = limit_consequence(*flagged);
            writeln!(
                f,
                "\n{at}  check {check_id} exceeded a limit of the context\n  address number {rank} of one {cluster}, the limit is {limit}; {layer} layer {consequence}"
            )
        }
        TimelineEvent::Overridden { epoch, to, reason } => {
            writeln!(
                f,
                "\n{at}  an operator set the verdict to {}; epoch {epoch} started\n  reason: {}",
                word(to),
                printable(reason)
            )
        }
        TimelineEvent::Replayed {
            epoch,
            policy_version,
            reason,
        } => {
            writeln!(
                f,
                "\n{at}  the earlier checks were evaluated again with policy {policy_version}; epoch {epoch} started\n  reason: {}",
                printable(reason)
            )
        }
    }
}

/// Writes a change of the answering layer, with the flags of both layers.
fn layer_change(f: &mut Formatter<'_>, at: &str, check_id: &str, flags: [bool; 2]) -> fmt::Result {
    let [unverified, owned] = flags.map(flag_word);
    writeln!(
        f,
        "\n{at}  the answer switched to the owned layer with check {check_id}\n  before, the unverified layer answered: {unverified}; the owned layer: {owned}"
    )
}

const fn limit_consequence(flagged: bool) -> &'static str {
    if flagged {
        "flagged (device_policy flag)"
    } else {
        "reported only (device_policy report)"
    }
}

const fn flag_word(flagged: bool) -> &'static str {
    if flagged { "flagged" } else { "not flagged" }
}

fn judged(f: &mut Formatter<'_>, check: &CheckFindings) -> fmt::Result {
    let completion = if check.completed {
        "completed"
    } else {
        "not completed in time, so no signal counts for a human"
    };
    writeln!(
        f,
        "  {completion}; {} layer; policy {}, model {}",
        check.layer, check.policy_version, check.model_version
    )?;
    writeln!(
        f,
        "  bot {:+.3}, human {:+.3} nats; {}",
        check.bot_nats,
        check.human_nats,
        conclusion(check)
    )?;
    let (against, rest): (Vec<_>, Vec<_>) = check
        .groups
        .iter()
        .partition(|cause| cause.counted_nats > 0.0);
    let (favour, silent): (Vec<_>, Vec<_>) =
        rest.into_iter().partition(|cause| cause.counted_nats < 0.0);
    side(
        f,
        "evidence for a bot (the strongest finding of each group counts)",
        &against,
    )?;
    side(f, "evidence for a human", &favour)?;
    side(f, "without weight", &silent)
}

const fn conclusion(check: &CheckFindings) -> &'static str {
    match (check.flagged, check.hard, check.conclusive) {
        (None, ..) => "not counted: the daily number of checks was exceeded",
        (Some(true), true, _) => "flagged by a hard rule",
        (Some(true), false, _) => "flagged",
        (Some(false), _, true) => "not flagged",
        (Some(false), _, false) => "not flagged: the evidence is inconclusive",
    }
}

fn side(f: &mut Formatter<'_>, heading: &str, causes: &[&CauseGroup]) -> fmt::Result {
    if causes.is_empty() {
        return Ok(());
    }
    writeln!(f, "  {heading}")?;
    causes.iter().try_for_each(|cause| {
        writeln!(f, "    group {}: {:+.3}", cause.group, cause.counted_nats)?;
        cause
            .findings
            .iter()
            .try_for_each(|finding| line(f, finding))
    })
}

fn line(f: &mut Formatter<'_>, finding: &Finding) -> fmt::Result {
    let hard = if finding.hard { ", hard" } else { "" };
    let count_note = if finding.counted { "" } else { ", not counted" };
    let Finding {
        rule,
        weight_nats,
        reason,
        ..
    } = finding;
    writeln!(
        f,
        "      {weight_nats:+.3} {rule}{hard}{count_note}: {}",
        printable(reason)
    )?;
    match benign_explanation(rule).filter(|_| finding.counted && *weight_nats > 0.0) {
        Some(cause) => writeln!(f, "             benign explanation: {cause}"),
        None => Ok(()),
    }
}

/// Returns the innocent explanation of a rule of this release.
fn benign_explanation(rule: &str) -> Option<&'static str> {
    voight_detect::rules()
        .iter()
        .find(|spec| spec.name == rule)
        .map(|spec| spec.benign_explanation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_api::admin::{OverrideTo, PublicAnswer, Verdict};

    fn finding(rule: &str, weight_nats: f64, counted: bool) -> Finding {
        let group = if weight_nats < 0.0 {
            "hand"
        } else {
            "automation"
        }
        .to_owned();
        Finding {
            rule: rule.to_owned(),
            group,
            weight_nats,
            hard: false,
            counted,
            reason: format!("{rule} was seen"),
        }
    }

    fn layer(flagged: bool) -> Layer {
        Layer {
            flagged,
            bot_nats: 4.5,
            human_nats: 0.0,
            first_flagged_at: None,
            checks: 1,
        }
    }

    fn explanation(outcome: Option<TimelineEvent>) -> Explanation {
        Explanation {
            context_id: "spring.01k0ab3cdefghjkmnpqrstvwxy".into(),
            audit_subject: "00112233445566778899aabbccddeeff".into(),
            mode: ContextMode::Observe,
            min_confidence: 90,
            flag_threshold_nats: 3.583,
            enforced_answer: PublicAnswer {
                is_bot: true,
                score: 0.94,
            },
            verdict: Verdict {
                address: "0x1111111111111111111111111111111111111111".into(),
                is_bot: false,
                score: 0.0,
                epoch: 0,
                has_tombstone: false,
                owned: layer(false),
                unverified: layer(true),
            },
            timeline: outcome
                .into_iter()
                .map(|outcome| HistoryEvent {
                    at: "2026-11-21T10:00:00Z".into(),
                    outcome,
                })
                .collect(),
        }
    }

    #[test]
    fn cause_groups_are_listed_under_the_side_that_they_support() {
        let causes = [
            (
                "automation",
                4.5,
                vec![finding("teleport", 4.5, true), finding("jump", 1.0, false)],
            ),
            ("hand", -0.5, vec![finding("tremor", -0.5, true)]),
        ];
        let causes = causes.map(|(group, counted_nats, findings)| CauseGroup {
            group: group.into(),
            counted_nats,
            findings,
        });
        let text = render(&explanation(Some(TimelineEvent::Judged(CheckFindings {
            check_id: "01k0ab3cdefghjkmnpqrstvwxy".into(),
            completed: true,
            layer: "unverified".into(),
            bot_nats: 4.5,
            human_nats: 0.5,
            hard: false,
            conclusive: true,
            flagged: Some(true),
            policy_version: 1,
            model_version: 0,
            groups: causes.to_vec(),
        }))));
        let places = [
            "the answer would be isBot true, certainty 0.94",
            "requires +3.583 nats for a bot (90 % certainty)",
            "evidence for a bot",
            "+4.500 teleport: teleport was seen",
            "benign explanation: a pointing aid",
            "+1.000 jump, not counted",
            "evidence for a human",
            "-0.500 tremor",
        ]
        .map(|part| {
            text.find(part)
                .unwrap_or_else(|| panic!("{part} is not in\n{text}"))
        });
        assert!(places.is_sorted(), "{text}");
        assert!(!text.contains("without weight"));
    }

    #[test]
    fn newest_event_is_printed_first() {
        let mut history = explanation(None);
        for (day, epoch) in [(20, 1), (21, 2)] {
            let outcome = TimelineEvent::Overridden {
                epoch,
                to: OverrideTo::Human,
                reason: "x".into(),
            };
            history.timeline.push(HistoryEvent {
                at: format!("2026-11-{day}T10:00:00Z"),
                outcome,
            });
        }
        let text = render(&history);
        assert!(
            text.find("2026-11-21T").unwrap() < text.find("2026-11-20T").unwrap(),
            "{text}"
        );
    }

    #[test]
    fn an_unknown_address_and_the_words_of_others_are_shown_safely() {
        assert!(render(&explanation(None)).contains("No data is stored"));
        let mut after_erasure = explanation(None);
        after_erasure.verdict.has_tombstone = true;
        assert!(
            render(&after_erasure).contains("a tombstone keeps the flag")
                && !render(&after_erasure).contains("No data is stored")
        );
        let layer_change = TimelineEvent::LayerChanged {
            check_id: "01k0".into(),
            unverified_flagged: true,
            owned_flagged: false,
        };
        let text = render(&explanation(Some(layer_change)));
        assert!(
            text.contains("with check 01k0")
                && text.contains("answered: flagged; the owned layer: not flagged")
        );
        let override_event = TimelineEvent::Overridden {
            epoch: 1,
            to: OverrideTo::Human,
            reason: "a\u{1b}[31mb".into(),
        };
        assert!(render(&explanation(Some(override_event))).contains("reason: a\\u{1b}[31mb"));
    }
}
