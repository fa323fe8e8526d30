//! Link decision: findings of a check, and the link data to store.

use super::cluster::{Cluster, ClusterKey, ClusterKind};
use super::index::{IndexedCheck, insert};
use super::{LinkFacts, LinkSignals, LinkWrite, MovementReuse, reuse};
use crate::registry::{ContextSettings, DeviceLimitPolicy, OwnershipPolicy};
use crate::verdict::{Assessment, Finding, GroupRole, LayerKind, Nats};
use crate::vocabulary::{CheckId, Timestamp};

/// Cause group of reused movements.
pub const TRACE_REUSE: &str = "trace_reuse";
/// Cause group of shared devices and networks; never one of the two groups that a flag needs.
pub const DEVICE_OR_NETWORK: &str = "device_or_network";

/// Weight of a reused movement, a soft rule: its rate was measured on recordings, not in production.
const REUSE_WEIGHT: Nats = Nats::from_milli(2000);
/// Weight of more addresses on a device than the context permits. Families and offices share devices.
const DEVICE_LIMIT_WEIGHT: Nats = Nats::from_milli(500);

/// Result of linking a check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LinkDecision {
    /// The findings, to be added to the assessment, which sets `counted`.
    pub(crate) findings: Vec<Finding>,
    /// The limit that the address exceeds.
    pub(crate) over_limit: Option<ClusterLimitExceeded>,
    /// The link data to store.
    pub(crate) write: LinkWrite,
}

/// Limit of a context that the number of addresses in a cluster exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusterLimitExceeded {
    /// The kind of the cluster.
    pub cluster: ClusterKind,
    /// The rank of the address in the order in which members were first seen.
    pub rank: u32,
    /// The limit of the context.
    pub limit: u32,
    /// `true` if the context flags such addresses, `false` if it only reports them.
    pub flagged: bool,
}

/// Check to link.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkCheck<'a> {
    pub(crate) id: CheckId,
    pub(crate) layer: LayerKind,
    /// `true` for a completed check. Only completed checks are stored and ranked.
    pub(crate) completed: bool,
    pub(crate) presented: &'a LinkSignals,
}

/// Decides the link findings of a check, and the link data to store. Pure.
///
/// If the context requires a signature in every check, only owned checks are stored: checks without proof of ownership
/// link no address.
pub(crate) fn link(
    check: LinkCheck<'_>,
    facts: &LinkFacts,
    settings: &ContextSettings,
    now: Timestamp,
) -> LinkDecision {
    let signals = check.presented;
    let movement_reuse = reuse(&signals.traces, signals.subject, &facts.pages, now);
    let mut decision = LinkDecision {
        findings: movement_reuse.iter().map(reuse_finding).collect(),
        ..LinkDecision::default()
    };
    let is_linkable = check.completed
        && (check.layer == LayerKind::Owned || settings.ownership_proof != OwnershipPolicy::Always);
    if !is_linkable {
        return decision;
    }
    decision.write.page = indexed(check, now).map(|check| insert(&facts.pages, check));
    for key in signals.clusters().chain(facts.assigned) {
        let previous_cluster = facts.clusters.get(&key).cloned().unwrap_or_default();
        let cluster = previous_cluster
            .clone()
            .with_member(signals.subject, now, check.layer);
        decision.rank(key, &cluster, check, settings);
        if cluster != previous_cluster {
            decision.write.clusters.push((key, cluster));
        }
    }
    decision
}

impl LinkDecision {
    /// Adds the rank of the address in a cluster as a finding, and the limit if it is exceeded. A network is only
    /// reported, because too many visitors share one.
    fn rank(
        &mut self,
        key: ClusterKey,
        cluster: &Cluster,
        check: LinkCheck<'_>,
        settings: &ContextSettings,
    ) {
        let members = cluster.members.len();
        let rank = u32::try_from(cluster.arrival_rank(check.presented.subject, check.layer))
            .unwrap_or(u32::MAX);
        let limit = settings.device_limit;
        let over = key.kind != ClusterKind::Network && rank > limit;
        if members > 1 || over {
            let beyond = if over {
                format!(", beyond the limit of {limit}")
            } else {
                String::new()
            };
            self.findings.push(Finding {
                rule: format!("{}_cluster", key.kind.as_str()),
                group: DEVICE_OR_NETWORK.to_owned(),
                weight: if over {
                    DEVICE_LIMIT_WEIGHT
                } else {
                    Nats::ZERO
                },
                hard: false,
                counted: false,
                reason: format!("address {rank} of {members} seen on {key}{beyond}"),
            });
        }
        if over && self.over_limit.is_none() {
            let is_flagged = settings.device_policy == DeviceLimitPolicy::Flag;
            self.over_limit = Some(ClusterLimitExceeded {
                cluster: key.kind,
                rank,
                limit,
                flagged: is_flagged,
            });
        }
    }
}

/// Returns `true` if a finding is derived from other checks.
pub(crate) fn is_link(finding: &Finding) -> bool {
    [TRACE_REUSE, DEVICE_OR_NETWORK].contains(&finding.group.as_str())
}

/// Adds the link findings of a check to the assessment of its evidence. Reused movements may be one of the two groups
/// that a flag needs, shared devices and networks never.
pub(crate) fn add_links(assessment: &mut Assessment, findings: impl IntoIterator<Item = Finding>) {
    for finding in findings {
        let role = if finding.group == TRACE_REUSE {
            GroupRole::Convicting
        } else {
            GroupRole::Supporting
        };
        assessment.add(finding, role);
    }
}

/// Returns the index entry of the check; `None` without fingerprints or network.
fn indexed(check: LinkCheck<'_>, now: Timestamp) -> Option<IndexedCheck> {
    let LinkSignals {
        subject: owner,
        network,
        traces,
        ..
    } = check.presented.clone();
    let network = network.filter(|_| !traces.is_empty())?;
    Some(IndexedCheck {
        check: check.id,
        at: now,
        owner,
        network,
        traces,
    })
}

fn reuse_finding(found: &MovementReuse) -> Finding {
    let MovementReuse {
        movements,
        addresses,
        address,
        concurrent: at_once,
    } = found;
    let when = if *at_once {
        ", one of them at the same time"
    } else {
        ""
    };
    let digest = data_encoding::HEXLOWER.encode(&address.0[..4]);
    Finding {
        rule: if *at_once {
            "trace_at_once"
        } else {
            "trace_reuse"
        }
        .to_owned(),
        group: TRACE_REUSE.to_owned(),
        weight: REUSE_WEIGHT,
        hard: false,
        counted: false,
        reason: format!(
            "{movements} movements were made for {addresses} other addresses ({digest}){when}"
        ),
    }
}
