//! Links of checks, on recordings of people.
//!
//! The file is `human_pointer.jsonl.gz` in the directory that `VOIGHT_CORPUS` names, by default `shared/data` next to the
//! repository. Without it the tests are skipped, which CI treats as a failure.

use fastrand::Rng;
use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use voight_detection_eval::corpus::pointer::{RecordedMovement, read};
use voight_detection_eval::replay::{Transformation, trace_of, transform};
use voight_domain::Timestamp;
use voight_domain::linkage::{
    FingerprintIndex, FingerprintPage, IndexedCheck, MovementFingerprint, PAGE_CHECKS, reuse,
};
use voight_domain::secrets::{AddressDigest, NetworkHash};
use voight_domain::vocabulary::CheckId;
use voight_tests::skip::skipped;

/// Number of pairs of checks of two people that are compared.
const PAIRS: usize = 10_000;
const LATER: Timestamp = Timestamp::from_millis(1_000_000_000);

fn people(test: &str) -> Option<Vec<RecordedMovement>> {
    let shared_data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    let dir = env::var_os("VOIGHT_CORPUS").map_or(shared_data, PathBuf::from);
    let assessment = read(&dir.join("human_pointer.jsonl.gz")).expect("the recordings can be read");
    if assessment.is_none() {
        let reason = format!(
            "there is no human_pointer.jsonl.gz in {}; set VOIGHT_CORPUS to its directory",
            dir.display()
        );
        skipped(test, &reason);
    }
    assessment
}

fn owner(number: usize) -> AddressDigest {
    let mut digest = [0; 16];
    digest[..8].copy_from_slice(&(number as u64).to_be_bytes());
    AddressDigest(digest)
}

fn indexed(number: usize, traces: Vec<MovementFingerprint>) -> IndexedCheck {
    let check = CheckId::from_bytes(owner(number).0);
    let network = NetworkHash([0; 16]);
    IndexedCheck {
        check,
        at: Timestamp::from_millis(0),
        owner: owner(number),
        network,
        traces,
    }
}

fn pages(checks: &[IndexedCheck]) -> FingerprintIndex {
    let pages = checks
        .chunks(PAGE_CHECKS)
        .map(|checks| FingerprintPage(checks.to_vec()));
    (0..).zip(pages).collect()
}

/// Check of a person, of two movements.
struct Check<'a> {
    person: &'a str,
    movements: Vec<&'a RecordedMovement>,
    traces: Vec<MovementFingerprint>,
}

/// Groups consecutive movements of one person into checks of two.
fn checks(segments: &[RecordedMovement]) -> Vec<Check<'_>> {
    let mut by_person: BTreeMap<&str, Vec<(&RecordedMovement, MovementFingerprint)>> =
        BTreeMap::new();
    for segment in segments.iter().filter(|segment| segment.human) {
        if let Some(trace) = trace_of(&segment.points) {
            by_person
                .entry(&segment.user)
                .or_default()
                .push((segment, trace));
        }
    }
    let mut checks = Vec::new();
    for (person, movements) in by_person {
        for pair in movements.chunks_exact(2) {
            let (movements, traces) = pair.iter().copied().unzip();
            checks.push(Check {
                person,
                movements,
                traces,
            });
        }
    }
    checks
}

#[test]
fn replayed_path_links_later_wallets() {
    let Some(segments) = people("replayed_path_links_later_wallets") else {
        return;
    };
    let checks = checks(&segments);
    let mut rng = Rng::with_seed(7);
    let mut linked_paths = 0_usize;
    let mut presented_paths = 0_usize;
    for (position, path) in checks.iter().enumerate().step_by(150) {
        // Earlier checks of other people, never of the person whose path is replayed.
        let other_checks = checks
            .iter()
            .enumerate()
            .filter(|(_, other)| other.person != path.person)
            .step_by(20);
        let other_checks: Vec<_> = other_checks
            .map(|(number, other)| indexed(number, other.traces.clone()))
            .collect();
        for change in [
            Transformation::Exact,
            Transformation::Mirrored,
            Transformation::Warped,
        ] {
            let mut available = other_checks.clone();
            for wallet in 0..3 {
                let changed_traces = path
                    .movements
                    .iter()
                    .filter_map(|segment| trace_of(&transform(&segment.points, change, &mut rng)));
                let repeated_traces: Vec<_> = changed_traces.collect();
                let assessment = reuse(
                    &repeated_traces,
                    owner(100_000 + wallet),
                    &pages(&available),
                    LATER,
                );
                if wallet == 0 {
                    assert_eq!(
                        assessment, None,
                        "path {position}: the first wallet is linked to people"
                    );
                } else {
                    presented_paths += 1;
                    linked_paths += usize::from(assessment.is_some());
                }
                available.push(indexed(100_000 + wallet, repeated_traces));
            }
        }
    }
    eprintln!("{linked_paths} of {presented_paths} presentations after the first are linked");
    assert!(
        presented_paths > 100 && linked_paths * 100 >= presented_paths * 95,
        "{linked_paths} of {presented_paths}"
    );
}

#[test]
fn checks_of_different_people_are_not_linked() {
    let Some(segments) = people("checks_of_different_people_are_not_linked") else {
        return;
    };
    let checks = checks(&segments);
    let mut rng = Rng::with_seed(11);
    let mut linked_pairs = 0;
    for _ in 0..PAIRS {
        let (one, other) = loop {
            let first_check = &checks[rng.usize(..checks.len())];
            let second_check = &checks[rng.usize(..checks.len())];
            if first_check.person != second_check.person {
                break (first_check, second_check);
            }
        };
        let available = pages(&[indexed(1, one.traces.clone())]);
        linked_pairs += usize::from(reuse(&other.traces, owner(2), &available, LATER).is_some());
    }
    assert_eq!(
        linked_pairs, 0,
        "of {PAIRS} pairs of checks of different people"
    );
}
