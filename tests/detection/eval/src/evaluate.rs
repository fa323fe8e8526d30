//! Detection evaluation on a corpus, with the code of production.
//!
//! Each check is evaluated by the parser, the rules, the model and the combination of the service, and enters a verdict by the
//! service's own join. The targets of a recording were drawn by no server, so the gate is skipped and rejects nothing.

mod abstain;
mod address_history;
mod adversarial;
mod calibration;
mod check_group;
mod cost;
mod expected;
mod family;
mod leave_one_out;
mod out_of_fold;
mod person;
mod replay;
mod tool;

pub use abstain::AbstainRow;
pub use calibration::{CalibrationBin, CalibrationRow};
pub use cost::{Allocations, CostUs, HostileRow};
pub use expected::{ExpectedRow, expected};
pub use family::FamilyRow;
pub use leave_one_out::LeaveOneOutRow;
pub use out_of_fold::OutOfFoldModels;
pub use person::{FlagsAfter, People};
pub use replay::{ReplayBasis, ReplayRow};
pub use tool::ToolRow;

use crate::corpus::Corpus;
use anyhow::Result;
use check_group::CheckGroup;
use serde::{Deserialize, Serialize};
use voight_detect::POLICY_VERSION;
use voight_tests::console::bar;

/// Output of `evaluate --json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Evaluation {
    /// Version of the behaviour model.
    pub model: u32,
    /// Version of the rules.
    pub policy: u32,
    /// Recorded sessions of automation, a row for each family.
    pub families: Vec<FamilyRow>,
    /// People, evaluated out of fold.
    pub people: People,
    /// Tools that move a pointer, compared with the people of the corpus.
    pub tools: Vec<ToolRow>,
    /// Share of replayed movements that are recognised.
    pub replay: ReplayRow,
    /// Rate at which the model abstains.
    pub abstain: Vec<AbstainRow>,
    /// Calibration of the published score.
    pub calibration: Vec<CalibrationRow>,
    /// Cost of an assessment, in microseconds.
    pub cost_us: CostUs,
    /// Files that were absent or contained no usable recording.
    pub skipped: Vec<String>,
}

/// Additional measurements for the page.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Details {
    /// `flags_after` of people without the multiple-testing correction over checks.
    pub flags_after_without_correction: FlagsAfter,
    /// Number of people's segments that the model evaluated.
    pub evaluated_segments: usize,
    /// Largest share of alarms of one person.
    pub worst_person: Option<f64>,
    /// One-sided 95 % bound of the share of people whom at least one of their checks flags.
    pub flagged_people_bound95: Option<f64>,
    /// One-sided 95 % lower bound of the share of remote-desktop streams on which the model abstains, by person.
    pub remote_bound95: Option<f64>,
    /// Sample sizes and bounds of the replay rows.
    pub replayed: ReplayBasis,
    /// Families evaluated with weights that were estimated without them.
    pub leave_one_out: Vec<LeaveOneOutRow>,
    /// Points of the reliability diagram.
    pub reliability: Vec<CalibrationBin>,
    /// Number of allocations of an assessment.
    pub allocations: Allocations,
    /// Cost of each kind of hostile evidence.
    pub hostile: Vec<HostileRow>,
}

/// Evaluation and its details.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EvaluationResults {
    /// Printed results.
    pub evaluation: Evaluation,
    /// Additional results.
    pub details: Details,
}

/// Runs the complete evaluation. All random numbers are derived from `seed`.
pub fn evaluate(mut corpus: Corpus, seed: u64) -> Result<EvaluationResults> {
    let behaviour = OutOfFoldModels::load()?;
    let (families, unreadable) = family::evaluate_check(&corpus.sessions, behaviour.service())?;
    corpus.skipped.extend(unreadable);
    let people = check_group::of_segments("people", &corpus.people, &behaviour)?;
    let tools = check_group::of_segments("tools", &corpus.tools, &behaviour)?;
    let logits = behaviour.logits(&corpus);
    let abstentions = abstain::measure(&corpus, &people, &behaviour)?;
    let populations = calibration::Populations::new(
        &people,
        families.iter().map(|family| &family.group).chain(&tools),
    );
    let spinner = bar("calibration, cost, replay", 4, "steps");
    let (calibration, reliability) = calibration::measure(&populations, seed);
    spinner.inc(1);
    let flags = person::flags_after(&people, seed);
    spinner.inc(1);
    let (cost_us, allocations, hostile) = cost::measure(&corpus, behaviour.service())?;
    let replay = crate::replay::replay(&corpus.people, seed);
    spinner.inc(1);
    spinner.finish_and_clear();
    Ok(EvaluationResults {
        evaluation: Evaluation {
            model: behaviour.version(),
            policy: POLICY_VERSION,
            families: families.iter().map(family::EvaluatedFamily::row).collect(),
            people: person::row(&corpus.people, &logits, &people, &flags),
            tools: tool::rows(&corpus, &logits),
            replay: replay::row(&replay),
            abstain: abstentions.rows,
            calibration,
            cost_us,
            skipped: corpus.skipped.clone(),
        },
        details: Details {
            flags_after_without_correction: flags.without_correction,
            evaluated_segments: logits.people.iter().flatten().count(),
            worst_person: person::worst(&corpus.people, &logits),
            flagged_people_bound95: person::flagged_bound(&people),
            remote_bound95: abstentions.remote_bound95,
            replayed: replay::details(&replay),
            leave_one_out: leave_one_out::measure(&families, &people),
            reliability,
            allocations,
            hostile,
        },
    })
}
