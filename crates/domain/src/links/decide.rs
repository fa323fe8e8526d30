//! What links say of a check, and what is kept of it.

use super::cluster::{Cluster, ClusterKey, ClusterKind};
use super::index::{IndexedCheck, insert};
use super::{LinkFacts, LinkSignals, LinkWrite, MovementReuse, reuse};
use crate::registry::{ContextSettings, DeviceLimitPolicy, OwnershipPolicy};
use crate::verdict::{Assessment, Finding, LayerKind, Nats};
use crate::vocabulary::{CheckId, Timestamp};

/// The cause group of reused movements.
pub const TRACE_REUSE: &str = "trace_reuse";
/// The cause group of shared devices and networks; never one of the two groups that a flag needs.
pub const DEVICE_OR_NETWORK: &str = "device_or_network";

/// A reused movement is a soft sign: its rate was measured on recordings, not on people under this window.
const REUSE_WEIGHT: Nats = Nats::from_milli(2000);
/// More addresses on a device than the context allows. Families and offices share devices.
const DEVICE_LIMIT_WEIGHT: Nats = Nats::from_milli(500);

/// What links make of a check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LinkDecision {
    /// What was found, for the assessment; `counted` is left to it.
    pub(crate) findings: Vec<Finding>,
    /// The limit that the address is beyond.
    pub(crate) over_limit: Option<ClusterLimitExceeded>,
    /// What is kept.
    pub(crate) write: LinkWrite,
}

/// An address came after as many others of its cluster as the context allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusterLimitExceeded {
    /// What they share.
    pub cluster: ClusterKind,
    /// The address's place in the order in which members were first seen.
    pub rank: u32,
    /// The limit of the context.
    pub limit: u32,
    /// Whether the context flags such addresses, or only reports them.
    pub flagged: bool,
}

/// A check about to be linked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkCheck<'a> {
    pub(crate) id: CheckId,
    pub(crate) layer: LayerKind,
    /// Only completed checks are kept, and have a rank.
    pub(crate) completed: bool,
    pub(crate) presented: &'a LinkSignals,
}

/// Decides what links say of a check, and what is kept of it. Pure.
///
/// Where the context asks for binding at every check, only bound ones are kept: a stranger's claims link nobody.
pub(crate) fn link(
    check: LinkCheck<'_>,
    facts: &LinkFacts,
    settings: &ContextSettings,
    now: Timestamp,
) -> LinkDecision {
    let presented = check.presented;
    let reused = reuse(&presented.traces, presented.subject, &facts.pages, now);
    let mut linked = LinkDecision { findings: reused.iter().map(reuse_finding).collect(), ..LinkDecision::default() };
    let kept = check.completed && (check.layer == LayerKind::Owned || settings.binding != OwnershipPolicy::Always);
    if !kept {
        return linked;
    }
    linked.write.page = indexed(check, now).map(|check| insert(&facts.pages, check));
    for key in presented.clusters().chain(facts.assigned) {
        let before = facts.clusters.get(&key).cloned().unwrap_or_default();
        let after = before.clone().with_member(presented.subject, now, check.layer);
        linked.rank(key, &after, check, settings);
        if after != before {
            linked.write.clusters.push((key, after));
        }
    }
    linked
}

impl LinkDecision {
    /// Says which place the address has in a cluster, and whether that is beyond the limit. A network is only reported: too
    /// many people share one.
    fn rank(&mut self, key: ClusterKey, cluster: &Cluster, check: LinkCheck<'_>, settings: &ContextSettings) {
        let members = cluster.members.len();
        let rank = u32::try_from(cluster.arrival_rank(check.presented.subject, check.layer)).unwrap_or(u32::MAX);
        let limit = settings.device_limit;
        let over = key.kind != ClusterKind::Network && rank > limit;
        if members > 1 || over {
            let beyond = if over { format!(", beyond the limit of {limit}") } else { String::new() };
            self.findings.push(Finding {
                rule: format!("{}_cluster", key.kind.as_str()),
                group: DEVICE_OR_NETWORK.to_owned(),
                weight: if over { DEVICE_LIMIT_WEIGHT } else { Nats::ZERO },
                hard: false,
                counted: false,
                reason: format!("address {rank} of {members} seen on {key}{beyond}"),
            });
        }
        if over && self.over_limit.is_none() {
            let flagged = settings.device_policy == DeviceLimitPolicy::Flag;
            self.over_limit = Some(ClusterLimitExceeded { cluster: key.kind, rank, limit, flagged });
        }
    }
}

/// Whether a finding rests on other checks.
pub(crate) fn is_link(finding: &Finding) -> bool {
    [TRACE_REUSE, DEVICE_OR_NETWORK].contains(&finding.group.as_str())
}

/// Adds what links say of a check to what its evidence says. Reused movements may be one of the two groups that a flag needs,
/// shared devices and networks never.
pub(crate) fn add_links(assessment: &mut Assessment, findings: impl IntoIterator<Item = Finding>) {
    for finding in findings {
        let convicts = finding.group == TRACE_REUSE;
        assessment.add(finding, convicts);
    }
}

/// The check as the index keeps it; `None` if it has no traces.
fn indexed(check: LinkCheck<'_>, now: Timestamp) -> Option<IndexedCheck> {
    let LinkSignals { subject: owner, network, traces, .. } = check.presented.clone();
    let network = network.filter(|_| !traces.is_empty())?;
    Some(IndexedCheck { check: check.id, at: now, owner, network, traces })
}

fn reuse_finding(found: &MovementReuse) -> Finding {
    let MovementReuse { movements, addresses, address, concurrent: at_once } = found;
    let when = if *at_once { ", one of them at the same time" } else { "" };
    let digest = data_encoding::HEXLOWER.encode(&address.0[..4]);
    Finding {
        rule: if *at_once { "trace_at_once" } else { "trace_reuse" }.to_owned(),
        group: TRACE_REUSE.to_owned(),
        weight: REUSE_WEIGHT,
        hard: false,
        counted: false,
        reason: format!("{movements} movements were made for {addresses} other addresses ({digest}){when}"),
    }
}
