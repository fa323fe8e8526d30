//! Expected rates of each minimum confidence that an operator may choose.

use super::check_group::{self, CheckGroup};
use super::{OutOfFoldModels, family};
use crate::corpus::Corpus;
use crate::rates::SYNTHETIC;
use crate::stats::{SampleCluster, rounded, upper_bound};
use anyhow::{Context, Result};
use serde::Serialize;
use voight_domain::Timestamp;
use voight_domain::registry::MinConfidence;
use voight_domain::verdict::{Assessment, LayerKind, Verdict, observe};

/// Measured minimum confidences; a minimum confidence between two of them gets the worse rate.
const PERCENT: [u8; 7] = [50, 60, 70, 80, 90, 95, 99];

/// Minimum confidence, and its rates for checks that are evaluated separately.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpectedRow {
    min_confidence: u8,
    people_flagged: BoundedRate,
    bots_flagged: BoundedRate,
}

/// Share of checks, with its one-sided 95 % bound, clustered by person or family.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct BoundedRate {
    hits: usize,
    of: usize,
    bound95: f64,
}

/// Measures all minimum confidences with the assessors of [`evaluate`](super::evaluate).
pub fn expected(corpus: &Corpus) -> Result<Vec<ExpectedRow>> {
    let behaviour = OutOfFoldModels::load()?;
    let (families, _) = family::evaluate_check(&corpus.sessions, behaviour.service())?;
    let driven_groups = families
        .into_iter()
        .map(|family| family.group)
        .filter(|group| !group.name.starts_with(SYNTHETIC));
    let families: Vec<CheckGroup> = driven_groups.collect();
    let people = check_group::of_segments("people", &corpus.people, &behaviour)?;
    PERCENT
        .into_iter()
        .map(|percent| row(percent, &people, &families))
        .collect()
}

fn row(percent: u8, people: &[CheckGroup], families: &[CheckGroup]) -> Result<ExpectedRow> {
    let min_confidence = MinConfidence::try_from(percent)?;
    let flagged_clusters = |groups: &[CheckGroup]| -> Vec<SampleCluster> {
        let hits = |group: &CheckGroup| {
            group
                .checks
                .iter()
                .filter(|assessment| is_flagged(assessment, min_confidence))
                .count()
        };
        groups
            .iter()
            .map(|group| SampleCluster {
                n: group.checks.len(),
                hits: hits(group),
            })
            .collect()
    };
    let people = flagged_clusters(people);
    let bots = flagged_clusters(families);
    let missed_bots: Vec<SampleCluster> = bots
        .iter()
        .map(|SampleCluster { n, hits }| SampleCluster {
            n: *n,
            hits: n - hits,
        })
        .collect();
    let maximum = upper_bound(&people).context("the corpus has no people")?;
    let miss_bound =
        upper_bound(&missed_bots).context("the corpus has no sessions of automation")?;
    Ok(ExpectedRow {
        min_confidence: percent,
        people_flagged: share(&people, maximum),
        bots_flagged: share(&bots, 1.0 - miss_bound),
    })
}

fn share(clusters: &[SampleCluster], bound: f64) -> BoundedRate {
    let sum = |of: fn(&SampleCluster) -> usize| clusters.iter().map(of).sum();
    BoundedRate {
        hits: sum(|cluster| cluster.hits),
        of: sum(|cluster| cluster.n),
        bound95: rounded(bound),
    }
}

/// Returns `true` if the check alone flags an address.
fn is_flagged(assessment: &Assessment, min_confidence: MinConfidence) -> bool {
    let observation = observe(
        &Verdict::default(),
        LayerKind::Unverified,
        assessment,
        min_confidence,
        Timestamp::default(),
    );
    observation.is_some_and(|observation| observation.layer.flagged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_domain::verdict::Nats;

    fn group(nats: &[i32]) -> CheckGroup {
        let check = |milli: &i32| Assessment {
            bot: Nats::from_milli(*milli),
            groups: 2,
            conclusive: true,
            ..Assessment::default()
        };
        CheckGroup {
            name: String::new(),
            checks: nats.iter().map(check).collect(),
        }
    }

    #[test]
    fn a_higher_min_confidence_flags_fewer_checks() {
        let people = [group(&[0, 1500]), group(&[0, 0])];
        let families = [group(&[2000, 6000])];
        let row = |percent| row(percent, &people, &families).unwrap();
        let hits = |percent| {
            (
                row(percent).people_flagged.hits,
                row(percent).bots_flagged.hits,
            )
        };
        assert_eq!([50, 60, 90].map(hits), [(1, 2), (0, 2), (0, 1)]);
        let ExpectedRow {
            people_flagged,
            bots_flagged,
            ..
        } = row(90);
        assert_eq!((people_flagged.of, bots_flagged.of), (4, 2));
        assert!(
            people_flagged.bound95 > 0.0 && bots_flagged.bound95 < 0.5,
            "{people_flagged:?} {bots_flagged:?}"
        );
    }

    #[test]
    fn incomplete_corpus_is_an_error() {
        assert!(
            row(90, &[], &[group(&[6000])])
                .unwrap_err()
                .to_string()
                .contains("no people")
        );
        assert!(
            row(90, &[group(&[0])], &[])
                .unwrap_err()
                .to_string()
                .contains("no sessions of automation")
        );
    }
}
