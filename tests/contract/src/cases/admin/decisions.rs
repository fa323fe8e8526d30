//! Decisions of operators, and the lists that operators read.

use super::super::cases;
use crate::block_on::{block_on, block_on_ok};
use crate::fixture::{ALL, Fixture, THREADS, together, while_written};
use crate::generate::{address, audit, bot, human, overrule};
use crate::paging::assert_paged;
use voight_domain::metering::LookupOutcome;
use voight_domain::ports::{AuditRecord, StoreError, VerdictRecord};
use voight_domain::registry::{AuditAction, AuditHead};
use voight_domain::verdict::{Confidence, EventKind, OverrideTo, Verdict};

cases![
    override_opens_an_epoch,
    audit_is_gapless,
    audit_is_chained,
    signing_keys_count_up,
    verdicts_are_paged_in_order,
];

fn override_opens_an_epoch(fixture: &mut Fixture) {
    let account = fixture.account();
    let check = |assessment| {
        let check =
            fixture
                .make
                .conclusion(&account.context, address(1), assessment, fixture.now());
        fixture.conclude(&check);
    };
    check(bot());
    let mut verdict_before =
        block_on_ok(fixture.store().verdict(&account.context.id, &address(1))).unwrap_or_default();
    for (epoch, to) in (1..).zip([
        OverrideTo::Human,
        OverrideTo::Bot,
        OverrideTo::Human,
        OverrideTo::Bot,
    ]) {
        let change = overrule(&account.context, address(1), to);
        let tau = change.tau;
        let reason = change.reason.clone();
        let entry = audit(
            AuditAction::VerdictOverridden,
            &account.context.id,
            fixture.now(),
        );
        let verdict = block_on_ok(fixture.store().override_verdict(change, entry.clone()));
        assert_eq!(verdict, verdict_before.overridden(to, tau, fixture.now()));
        assert_eq!(verdict.epoch, epoch);
        assert_kept(fixture, &account.context.id, verdict);
        let outcome = fixture.answer(&fixture.request(&account, address(1)));
        let LookupOutcome::Recorded(lookup, _) = outcome else {
            panic!("not recorded: {outcome:?}")
        };
        assert_eq!(lookup.answer.is_bot, to == OverrideTo::Bot, "{to:?}");
        assert_eq!(lookup.answer.score, Confidence::CERTAIN, "{to:?}");
        let last = block_on_ok(
            fixture
                .store()
                .timeline(&account.context.id, &address(1), 1),
        )
        .pop();
        assert_eq!(
            last.map(|event| event.kind),
            Some(EventKind::Overridden { epoch, to, reason })
        );
        assert_eq!(
            block_on_ok(fixture.store().audit(0, ALL))
                .pop()
                .map(|record| record.entry),
            Some(entry)
        );
        check(human());
        verdict_before = block_on_ok(fixture.store().verdict(&account.context.id, &address(1)))
            .unwrap_or_default();
        assert_eq!(verdict_before.epoch, epoch, "a check opened an epoch");
    }
}

fn assert_kept(fixture: &Fixture, context: &voight_domain::ContextId, verdict: Verdict) {
    assert_eq!(
        block_on_ok(fixture.store().verdict(context, &address(1))),
        Some(verdict)
    );
    let records = block_on_ok(fixture.store().verdicts(context, None, ALL));
    assert_eq!(
        records,
        [VerdictRecord {
            address: address(1),
            verdict
        }]
    );
}

fn audit_is_gapless(fixture: &mut Fixture) {
    const ROUNDS: usize = 5;
    let account = fixture.account();
    together(|thread| {
        for round in 0..ROUNDS {
            if round % 2 == 0 {
                fixture.context(&account.key);
            } else {
                let entry = audit(
                    AuditAction::ClockAcknowledged,
                    &format!("{thread}/{round}"),
                    fixture.now(),
                );
                block_on_ok(fixture.store().append_audit(entry));
            }
        }
    });
    let complete = block_on_ok(fixture.store().audit(0, ALL));
    assert_eq!(complete.len(), 3 + THREADS * ROUNDS);
    for (seq, record) in (1..).zip(&complete) {
        assert_eq!(record.seq, seq, "the log has a gap");
    }
    let last_seq = |last: Option<&AuditRecord>| last.map_or(0, |record| record.seq);
    let page = |last: Option<&AuditRecord>, limit| {
        block_on_ok(fixture.store().audit(last_seq(last), limit))
    };
    assert_paged(&complete, &[1, 7, complete.len(), ALL], page);
}

fn audit_is_chained(fixture: &mut Fixture) {
    const ROUNDS: usize = 5;
    assert_eq!(
        block_on_ok(fixture.store().audit_head()),
        AuditHead::genesis()
    );
    let account = fixture.account();
    assert_eq!(
        block_on_ok(fixture.store().audit_head()).seq,
        3,
        "client, key and context were not chained once each"
    );
    let fold = |until: u64| {
        let entries = block_on_ok(fixture.store().audit(0, ALL))
            .into_iter()
            .map(|record| record.entry);
        let until = usize::try_from(until).unwrap_or(usize::MAX);
        entries
            .take(until)
            .fold(AuditHead::genesis(), |head, entry| head.extended_by(&entry))
    };
    let assert_head_matches = || {
        // Entries that are added between the two calls are after the head.
        let head = block_on_ok(fixture.store().audit_head());
        assert_eq!(head, fold(head.seq));
    };
    let change = overrule(&account.context, address(1), OverrideTo::Bot);
    let entry = audit(
        AuditAction::VerdictOverridden,
        &account.context.id,
        fixture.now(),
    );
    block_on_ok(fixture.store().override_verdict(change, entry));
    assert_head_matches();
    while_written(
        |_| (0..ROUNDS).for_each(|_| drop(fixture.context(&account.key))),
        assert_head_matches,
    );
    assert_head_matches();
    assert_eq!(
        block_on_ok(fixture.store().audit_head()).seq,
        block_on_ok(fixture.store().audit(0, ALL)).len() as u64
    );
}

fn signing_keys_count_up(fixture: &mut Fixture) {
    let entry = |number: u32| {
        audit(
            AuditAction::SigningKeyRotated,
            &format!("key {number}"),
            fixture.now(),
        )
    };
    let take = |number| block_on(fixture.store().activate_signing_key(number, entry(number)));
    assert_eq!(block_on_ok(fixture.store().signing_key()), 0);
    for number in 1..=3 {
        // All concurrent rotations request the same key number.
        assert!(together(|_| take(number)).iter().all(Result::is_ok));
        for other in [number - 1, number + 2, u32::MAX] {
            assert!(
                matches!(take(other), Err(StoreError::Conflict(_))),
                "{other} was assigned after {number}"
            );
        }
        assert_eq!(block_on_ok(fixture.store().signing_key()), number);
    }
    let log: Vec<_> = block_on_ok(fixture.store().audit(0, ALL))
        .into_iter()
        .map(|record| record.entry)
        .collect();
    assert_eq!(log, [1, 2, 3].map(entry), "a rotation is audited once");
}

fn verdicts_are_paged_in_order(fixture: &mut Fixture) {
    let account = fixture.account();
    // Contexts whose ids sort before and after it, of the same client and of another.
    let other_contexts = [
        fixture.context(&account.key),
        fixture.context(&account.key),
        fixture.account().context,
    ];
    for number in [7, 0, 300, 2, 65_536, 9, 1] {
        fixture.conclude(&fixture.make.conclusion(
            &account.context,
            address(number),
            bot(),
            fixture.now(),
        ));
        for other_context in &other_contexts {
            fixture.conclude(&fixture.make.conclusion(
                other_context,
                address(number + 1),
                human(),
                fixture.now(),
            ));
        }
    }
    let page = |last: Option<&VerdictRecord>, limit| {
        block_on_ok(fixture.store().verdicts(
            &account.context.id,
            last.map(|record| record.address),
            limit,
        ))
    };
    let complete = page(None, ALL);
    let addresses: Vec<_> = complete.iter().map(|record| record.address).collect();
    assert_eq!(addresses, [0, 1, 2, 7, 9, 300, 65_536].map(address));
    for VerdictRecord { address, verdict } in &complete {
        assert_eq!(
            block_on_ok(fixture.store().verdict(&account.context.id, address)).as_ref(),
            Some(verdict)
        );
    }
    assert_paged(&complete, &[1, 2, 3, complete.len(), ALL], page);
    let behind = block_on_ok(
        fixture
            .store()
            .verdicts(&account.context.id, Some(address(8)), 1),
    );
    assert_eq!(
        behind,
        complete[4..5],
        "a page begins after an address that has no verdict"
    );
}
