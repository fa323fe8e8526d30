//! Promises of `LinkStore`.

use super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{Fixture, THREADS, TestAccount, together};
use crate::generate::{address, audit, digest_of, human};
use std::time::Duration;
use voight_domain::check::CheckConclusion;
use voight_domain::linkage::{
    Cluster, ClusterKey, ClusterKind, INDEX_PAGES, LinkSignals, NETWORK_QUOTA, OWNER_QUOTA,
    PAGE_CHECKS, TRACE_REUSE,
};
use voight_domain::registry::{AuditAction, ContextChange, DeviceLimitPolicy};
use voight_domain::secrets::NetworkHash;
use voight_domain::verdict::{EventKind, LayerKind};

cases![
    traces_are_kept,
    index_is_bounded,
    links_stay_in_their_context,
    clusters_only_grow,
    over_limit_is_decided_in_the_step,
    assigned_addresses_are_members,
];

const DEVICE: ClusterKey = ClusterKey {
    kind: ClusterKind::Device,
    digest: [0xde; 16],
};

/// Returns a check of the `number`-th address, which presents the fingerprints of `like` if given.
fn check(
    fixture: &Fixture,
    account: &TestAccount,
    number: u32,
    like: Option<&CheckConclusion>,
) -> CheckConclusion {
    let conclusion =
        fixture
            .make
            .conclusion(&account.context, address(number), human(), fixture.now());
    let Some(like) = like else { return conclusion };
    let traces = like.link_signals.traces.clone();
    CheckConclusion {
        link_signals: LinkSignals {
            traces,
            ..conclusion.link_signals
        },
        ..conclusion
    }
}

/// Returns a check of the `number`-th address on a shared device.
fn on_device(fixture: &Fixture, account: &TestAccount, number: u32) -> CheckConclusion {
    let conclusion = check(fixture, account, number, None);
    CheckConclusion {
        link_signals: LinkSignals {
            device: Some(DEVICE),
            ..conclusion.link_signals
        },
        ..conclusion
    }
}

/// Returns `true` if a check of the `number`-th address was linked by its fingerprints.
fn is_linked(fixture: &Fixture, account: &TestAccount, number: u32) -> bool {
    let timeline = block_on_ok(fixture.store().timeline(
        &account.context.id,
        &address(number),
        100,
    ));
    timeline.iter().any(|event| match &event.kind {
        EventKind::Judged { assessment, .. } => assessment
            .findings
            .iter()
            .any(|finding| finding.group == TRACE_REUSE && finding.counted),
        _ => false,
    })
}

fn cluster(fixture: &Fixture, account: &TestAccount, key: ClusterKey) -> Cluster {
    block_on_ok(fixture.store().cluster(&account.context.id, key)).unwrap_or_default()
}

fn traces_are_kept(fixture: &mut Fixture) {
    let account = fixture.account();
    let first = check(fixture, &account, 1, None);
    fixture.conclude(&first);
    fixture.clock.advance(Duration::from_hours(24));
    for number in 2..=4 {
        fixture.conclude(&check(fixture, &account, number, Some(&first)));
    }
    fixture.conclude(&check(fixture, &account, 5, None));
    fixture.conclude(&check(fixture, &account, 1, Some(&first)));
    let is_linked_by_number = [1, 2, 3, 4, 5].map(|number| is_linked(fixture, &account, number));
    assert_eq!(
        is_linked_by_number,
        [true, true, true, true, false],
        "the first check, after others had its fingerprints"
    );
}

fn index_is_bounded(fixture: &mut Fixture) {
    let account = fixture.account();
    let checks = |fixture: &Fixture| -> usize {
        block_on_ok(fixture.store().traces(&account.context.id))
            .values()
            .map(|page| page.0.len())
            .sum()
    };
    for _ in 0..3 * OWNER_QUOTA {
        fixture.conclude(&check(fixture, &account, 1, None));
    }
    assert_eq!(checks(fixture), OWNER_QUOTA, "of one address");
    // Many concurrent checks, so that a store may commit them together.
    let network = Some(NetworkHash([0xee; 16]));
    together(|thread| {
        for round in [1, 2] {
            let number = u32::try_from(round * 1000 + thread).unwrap_or(u32::MAX);
            let conclusion = check(fixture, &account, number, None);
            let link_signals = LinkSignals {
                network,
                ..conclusion.link_signals
            };
            fixture.conclude(&CheckConclusion {
                link_signals,
                ..conclusion
            });
        }
    });
    assert_eq!(
        checks(fixture),
        OWNER_QUOTA + NETWORK_QUOTA,
        "checks of one network, and earlier ones"
    );
    let pages = block_on_ok(fixture.store().traces(&account.context.id));
    assert!(
        pages
            .iter()
            .all(|(number, page)| *number < INDEX_PAGES && page.0.len() <= PAGE_CHECKS)
    );
}

fn links_stay_in_their_context(fixture: &mut Fixture) {
    let account = fixture.account();
    let elsewhere = TestAccount {
        context: fixture.context(&account.key),
        client: account.client.clone(),
        key: account.key.clone(),
    };
    let first = CheckConclusion {
        ..on_device(fixture, &account, 1)
    };
    fixture.conclude(&first);
    let check_elsewhere = check(fixture, &elsewhere, 2, Some(&first));
    fixture.conclude(&CheckConclusion {
        link_signals: LinkSignals {
            device: Some(DEVICE),
            ..check_elsewhere.link_signals
        },
        ..check_elsewhere
    });
    assert!(
        !is_linked(fixture, &elsewhere, 2),
        "a fingerprint of another context"
    );
    for (account, number) in [(&account, 1), (&elsewhere, 2)] {
        let members = cluster(fixture, account, DEVICE).members;
        assert_eq!(
            members.into_keys().collect::<Vec<_>>(),
            [digest_of(&account.context.id, address(number))]
        );
        let pages = block_on_ok(fixture.store().traces(&account.context.id));
        assert_eq!(pages.values().map(|page| page.0.len()).sum::<usize>(), 1);
    }
}

fn clusters_only_grow(fixture: &mut Fixture) {
    let account = fixture.account();
    let mut cluster_before = Cluster::default();
    for number in [3, 1, 2, 3, 1] {
        let layer = if number == 2 {
            LayerKind::Owned
        } else {
            LayerKind::Unverified
        };
        fixture.conclude(&CheckConclusion {
            layer,
            ..on_device(fixture, &account, number)
        });
        let cluster_after = cluster(fixture, &account, DEVICE);
        for (member, seen) in &cluster_before.members {
            assert_eq!(
                cluster_after.members.get(member),
                Some(seen),
                "a member is missing, or has another time"
            );
        }
        assert!(
            cluster_after
                .members
                .contains_key(&digest_of(&account.context.id, address(number)))
        );
        cluster_before = cluster_after;
        fixture.clock.advance(Duration::from_mins(1));
    }
    assert_eq!(cluster_before.members.len(), 3);
    let ranks = [3, 1, 2].map(|number| {
        cluster_before.arrival_rank(
            digest_of(&account.context.id, address(number)),
            LayerKind::Unverified,
        )
    });
    assert_eq!(ranks, [1, 2, 3]);
    let expired_check = CheckConclusion {
        receipt: None,
        ..on_device(fixture, &account, 4)
    };
    fixture.conclude(&expired_check);
    assert_eq!(
        cluster(fixture, &account, DEVICE),
        cluster_before,
        "a check that was not completed joins no cluster"
    );
}

fn over_limit_is_decided_in_the_step(fixture: &mut Fixture) {
    const LIMIT: u32 = 5;
    let account = fixture.account();
    let change = ContextChange {
        device_limit: Some(LIMIT),
        device_policy: Some(DeviceLimitPolicy::Flag),
        ..ContextChange::default()
    };
    let entry = audit(
        AuditAction::ContextChanged,
        &account.context.id,
        fixture.now(),
    );
    block_on_ok(
        fixture
            .store()
            .change_context(&account.context.id, change, entry),
    );
    let number = |thread: usize| u32::try_from(thread).unwrap_or(u32::MAX);
    together(|thread| fixture.conclude(&on_device(fixture, &account, number(thread))));
    let is_flagged = |number| {
        block_on_ok(
            fixture
                .store()
                .verdict(&account.context.id, &address(number)),
        )
        .is_some_and(|verdict| verdict.unverified.flagged)
    };
    let flagged_count = (0..number(THREADS))
        .filter(|number| is_flagged(*number))
        .count();
    assert_eq!(flagged_count, THREADS - LIMIT as usize);
    let is_limit_event = |event: &EventKind| matches!(event, EventKind::ClusterLimitExceeded { limit, .. } if limit.flagged);
    for number in (0..number(THREADS)).filter(|number| is_flagged(*number)) {
        let timeline = block_on_ok(fixture.store().timeline(
            &account.context.id,
            &address(number),
            10,
        ));
        assert!(
            timeline.iter().any(|event| is_limit_event(&event.kind)),
            "a flag without its event"
        );
    }
}

fn assigned_addresses_are_members(fixture: &mut Fixture) {
    let account = fixture.account();
    let cluster_of = |number: u8| ClusterKey {
        kind: ClusterKind::Operator,
        digest: [number; 16],
    };
    let digest = |number| digest_of(&account.context.id, address(number));
    let assign = |members: Vec<_>| {
        let entry = audit(
            AuditAction::ClusterImported,
            &account.context.id,
            fixture.now(),
        );
        block_on_ok(fixture.store().assign(&account.context.id, members, entry));
    };
    let conclude = |number| fixture.conclude(&check(fixture, &account, number, None));
    assign(vec![(digest(1), cluster_of(1)), (digest(2), cluster_of(1))]);
    assert_eq!(
        cluster(fixture, &account, cluster_of(1)),
        Cluster::default(),
        "the cluster has addresses before the first check"
    );
    for number in 1..=3 {
        conclude(number);
    }
    let members = |number| {
        cluster(fixture, &account, cluster_of(number))
            .members
            .into_keys()
            .collect::<Vec<_>>()
    };
    assert_eq!(members(1), [digest(1), digest(2)]);
    assign(vec![(digest(2), cluster_of(2))]);
    conclude(2);
    assert_eq!(
        (members(1), members(2)),
        (vec![digest(1), digest(2)], vec![digest(2)])
    );
}
