//! `voight verdict replay`.

use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::cli::reference::ContextRef;
use crate::exit::{CommandError, Exit};
use crate::output::Table;
use clap::Args;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use voight_api::admin::{
    PublicAnswer, ReplayFlip, ReplayLine, ReplayProgress, ReplayRequest, routes,
};

/// Re-evaluate stored evidence under another policy and list the verdicts that would change
#[derive(Debug, Args)]
pub(in crate::cli) struct ReplayCommand {
    /// Context id, a unique prefix of it, or client/title
    #[arg(long, value_name = "CONTEXT")]
    context: ContextRef,
    /// Policy file (JSON): a version from 1000 on, and changes of rules: off, shadow, or a weight in nats
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// Apply the changed verdicts. Each address starts a new epoch; the changes are written to the audit log
    #[arg(long, requires = "reason")]
    apply: bool,
    /// Reason, written to the audit log. It must not contain an address
    #[arg(long, value_name = "TEXT", requires = "apply")]
    reason: Option<String>,
}

/// Result of a replay.
#[derive(Debug, Default, Serialize)]
struct ReplayResult {
    policy_version: u32,
    flips: Vec<ReplayFlip>,
    #[serde(flatten)]
    counts: ReplayProgress,
}

impl ReplayCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let policy = fs::read_to_string(&self.policy).map_err(|error| {
            let sentence = format!(
                "the policy {} cannot be read ({error}); name a JSON file",
                self.policy.display()
            );
            CommandError::new(Exit::Usage, sentence)
        })?;
        let session = invocation.session()?;
        let call = routes::REPLAY.call([self.context.as_str()]);
        let lines = session.client().send_and_read(
            &call,
            &ReplayRequest {
                policy,
                apply_reason: self.reason,
            },
        )?;
        let progress = Progress::of_addresses(invocation.output, "judging again");
        let replay_result = ReplayResult::read(lines, &progress)?;
        drop(progress);
        invocation
            .output
            .data(&replay_result, |result| ReplayText(result).to_string())
    }
}

impl ReplayResult {
    fn read(lines: impl Read, progress: &Progress) -> Result<Self, CommandError> {
        let broken = || {
            CommandError::internal(
                "the server aborted the replay; its log has the reason. Changes applied until then stay; repeat the replay",
            )
        };
        let mut result = Self::default();
        for line in BufReader::new(lines).lines() {
            let line = line.map_err(|_| broken())?;
            match serde_json::from_str(&line).map_err(|_| broken())? {
                ReplayLine::Flip(flip) => result.flips.push(flip),
                ReplayLine::Progress(more) => {
                    progress.add(more.addresses);
                    result.count(more);
                }
                ReplayLine::Done { policy_version } => {
                    return Ok(Self {
                        policy_version,
                        ..result
                    });
                }
            }
        }
        Err(broken())
    }

    const fn count(&mut self, more: ReplayProgress) {
        self.counts.addresses += more.addresses;
        self.counts.judged += more.judged;
        self.counts.without_evidence += more.without_evidence;
        self.counts.skipped += more.skipped;
    }
}

struct ReplayText<'a>(&'a ReplayResult);

impl Display for ReplayText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ReplayResult {
            policy_version,
            flips,
            counts,
        } = self.0;
        let ReplayProgress {
            addresses,
            judged,
            without_evidence,
            skipped,
        } = counts;
        if !flips.is_empty() {
            writeln!(f, "{}", table(flips))?;
        }
        let to_bot = flips.iter().filter(|flip| flip.to.is_bot).count();
        let to_human = flips.len() - to_bot;
        let applied_flips = flips
            .iter()
            .filter(|flip| flip.applied == Some(true))
            .count();
        writeln!(
            f,
            "With policy {policy_version}, {to_bot} of {addresses} addresses become bots and {to_human} become humans."
        )?;
        writeln!(
            f,
            "{judged} checks were evaluated again from their evidence."
        )?;
        if *without_evidence > 0 {
            writeln!(
                f,
                "{without_evidence} checks count with their original result: their evidence is deleted or no longer valid."
            )?;
        }
        if *skipped > 0 {
            writeln!(
                f,
                "{skipped} addresses were skipped: they have too many events."
            )?;
        }
        if flips.iter().any(|flip| flip.applied.is_some()) {
            let missed_flips = flips.len() - applied_flips;
            writeln!(
                f,
                "{applied_flips} epochs were started; {missed_flips} verdicts were skipped because they changed meanwhile: repeat the replay for those."
            )
        } else if flips.is_empty() {
            writeln!(f, "No answer changes.")
        } else {
            writeln!(
                f,
                "Nothing was changed. --apply --reason TEXT changes these answers."
            )
        }
    }
}

fn table(flips: &[ReplayFlip]) -> Table {
    let mut table = Table::new(["ADDRESS", "IS", "WOULD BE", "DECIDED BY", "IN CHECK"]);
    for flip in flips {
        let rules: Vec<_> = flip
            .rules
            .iter()
            .map(|rule| format!("{} {:+.1}", rule.rule, rule.weight_nats))
            .collect();
        let rules = match (rules.is_empty(), flip.to.is_bot) {
            (true, _) => "-".to_owned(),
            (false, true) => rules.join(", "),
            // The rules that decided before have no sufficient weight any more.
            (false, false) => format!("until now {}", rules.join(", ")),
        };
        let check = flip.check_id.as_deref().unwrap_or("-");
        table.row([
            flip.address.as_str(),
            &answer(flip.from),
            &answer(flip.to),
            &rules,
            check,
        ]);
    }
    table
}

fn answer(PublicAnswer { is_bot, score }: PublicAnswer) -> String {
    format!("{} {score:.2}", if is_bot { "bot" } else { "human" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Output;
    use voight_api::admin::CountedRule;

    fn flip(applied: Option<bool>) -> ReplayFlip {
        ReplayFlip {
            address: "0x1111111111111111111111111111111111111111".into(),
            from: PublicAnswer {
                is_bot: true,
                score: 0.94,
            },
            to: PublicAnswer {
                is_bot: false,
                score: 0.2,
            },
            check_id: Some("01k0ab3cdefghjkmnpqrstvwxy".into()),
            rules: vec![CountedRule {
                rule: "webdriver".into(),
                weight_nats: 6.0,
            }],
            applied,
        }
    }

    fn read(lines: &[ReplayLine]) -> Result<ReplayResult, CommandError> {
        let text: String = lines
            .iter()
            .map(|line| serde_json::to_string(line).unwrap() + "\n")
            .collect();
        ReplayResult::read(
            text.as_bytes(),
            &Progress::of_addresses(Output::Json, "test"),
        )
    }

    #[test]
    fn a_replay_is_described_as_text() {
        let progress = ReplayProgress {
            addresses: 2,
            judged: 3,
            without_evidence: 1,
            skipped: 0,
        };
        let done_line = ReplayLine::Done {
            policy_version: 1000,
        };
        let lines = [
            ReplayLine::Flip(flip(None)),
            ReplayLine::Progress(progress),
            ReplayLine::Progress(progress),
            done_line,
        ];
        let text = ReplayText(&read(&lines).unwrap()).to_string();
        for part in [
            "bot 0.94",
            "until now webdriver +6.0",
            "With policy 1000, 0 of 4 addresses become bots and 1 become humans.",
            "2 checks count with their original result",
            "Nothing was changed.",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }

    #[test]
    fn applied_and_skipped_changes_are_counted() {
        let lines = [
            ReplayLine::Flip(flip(Some(true))),
            ReplayLine::Flip(flip(Some(false))),
            ReplayLine::Done {
                policy_version: 1000,
            },
        ];
        let text = ReplayText(&read(&lines).unwrap()).to_string();
        assert!(
            text.contains(
                "1 epochs were started; 1 verdicts were skipped because they changed meanwhile"
            ),
            "{text}"
        );
    }

    #[test]
    fn an_incomplete_response_is_an_error() {
        let lines = [ReplayLine::Flip(flip(None))];
        assert!(
            read(&lines)
                .unwrap_err()
                .message
                .contains("aborted the replay")
        );
    }
}
