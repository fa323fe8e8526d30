//! Number of series, whatever callers send.

use super::labels::{CheckStep, LookupLabel, RedemptionLabel, RejectionReason};
use super::{Metrics, TextFormat};
use crate::error::ApiError;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use voight_api::ErrorId;
use voight_domain::ports::{CommitHistograms, DatabaseStatus, Health, LogStatus, StoreStatus};
use voight_domain::services::{CheckedVerdict, RuleHit};
use voight_domain::verdict::{LayerKind, Status};

/// Number of distinct addresses, keys, contexts and paths.
const CALLERS: u64 = 1_000_000;
/// Number of callers after which every series exists.
const WARM_UP: u64 = 50_000;
/// Number of callers between two reports of the assessor.
const REPORT_EVERY: u64 = 100;

/// Returns the series without their values.
fn series(metrics: &Metrics) -> BTreeSet<String> {
    let text = metrics.render(TextFormat::Classic).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned()))
        .collect()
}

/// Records all that a caller can cause, with values that no other caller has.
fn record_caller(metrics: &Metrics, caller: u64) {
    let address = format!("0x{caller:040x}");
    let path = format!("/api/v1/users/eoa/{address}?context_id=quest.{caller:026}&key=vk_{caller}");
    let took = Duration::from_micros(caller);
    let status = [200, 400, 404, 429, 503][usize::try_from(caller % 5).unwrap()];
    metrics.record_request(path.clone(), "GET", status, took);
    metrics.route(&path, "POST").record(took);
    let lookups = LookupLabel::all();
    let redemptions = RedemptionLabel::all();
    let reasons = RejectionReason::all();
    let index = usize::try_from(caller).unwrap();
    metrics.record_lookup(lookups[index % lookups.len()]);
    metrics.record_redemption(redemptions[index % redemptions.len()]);
    metrics.record_rejection(reasons[index % reasons.len()]);
    let message = ApiError::with_message(ErrorId::CheckRejected, address.clone());
    metrics.record_step(CheckStep::Open, &Err::<(), _>(message));
    if caller.is_multiple_of(REPORT_EVERY) {
        let hit = RuleHit {
            rule: address,
            counted: true,
        };
        metrics.record_rule_hits(BTreeMap::from([(hit, 1)]));
        let verdict = CheckedVerdict {
            status: Status::Bot,
            layer: LayerKind::Owned,
        };
        metrics.record_verdicts(BTreeMap::from([(verdict, 1)]));
        metrics.set_store_status(&Health::Unreachable(path), &store_status(caller));
    }
}

/// Returns the status of a store whose names and numbers are those of this caller.
fn store_status(caller: u64) -> StoreStatus {
    let commits = CommitHistograms::default();
    commits.record(
        usize::try_from(caller).unwrap(),
        Duration::from_micros(caller),
    );
    let log = LogStatus {
        bytes: caller,
        lag: Duration::from_millis(caller),
    };
    let database = |name| DatabaseStatus {
        name,
        queued_commands: caller,
        log: Some(log),
    };
    StoreStatus {
        ledger_commits: Some(commits.snapshot()),
        databases: ["main", "evidence", "another"].map(database).into(),
        evidence_bytes: Some(caller),
        ..StoreStatus::default()
    }
}

#[test]
fn series_are_constant_over_a_million_callers() {
    let metrics = Metrics::default();
    (0..WARM_UP).for_each(|caller| record_caller(&metrics, caller));
    let before = series(&metrics);
    (WARM_UP..CALLERS).for_each(|caller| record_caller(&metrics, caller));
    assert_eq!(series(&metrics), before);
    assert!(before.len() < 10_000, "{} series", before.len());
}
