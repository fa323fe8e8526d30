//! Promises of `ReplayStore`.

use super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, TestAccount};
use crate::generate::{address, audit, bot, human, replacement};
use voight_domain::metering::LookupOutcome;
use voight_domain::registry::AuditAction;
use voight_domain::verdict::{EventKind, Verdict};

cases![
    replacement_needs_what_it_replaces,
    replacement_opens_an_epoch
];

fn verdict(fixture: &Fixture, account: &TestAccount) -> Verdict {
    block_on_ok(fixture.store().verdict(&account.context.id, &address(1))).unwrap_or_default()
}

fn is_bot(fixture: &Fixture, account: &TestAccount) -> bool {
    match fixture.answer(&fixture.request(account, address(1))) {
        LookupOutcome::Recorded(answered, _) => answered.answer.is_bot,
        other => panic!("not recorded: {other:?}"),
    }
}

/// Removes a flag by a replacement, and restores it unchanged.
fn replacement_opens_an_epoch(fixture: &mut Fixture) {
    let account = fixture.account();
    fixture.conclude(
        &fixture
            .make
            .conclusion(&account.context, address(1), bot(), fixture.now()),
    );
    let flagged_verdict = verdict(fixture, &account);
    for (epoch, layers) in [(1, Verdict::default()), (2, flagged_verdict)] {
        let change = replacement(
            &account.context,
            address(1),
            verdict(fixture, &account),
            layers,
        );
        let entry = audit(
            AuditAction::VerdictReplayed,
            &account.context.id,
            fixture.now(),
        );
        let policy = change.policy;
        let reason = change.reason.clone();
        let new_verdict = block_on_ok(fixture.store().replace_verdict(change, entry.clone()));
        let expected_verdict = Verdict { epoch, ..layers };
        for verdict in new_verdict.iter().chain(&Some(verdict(fixture, &account))) {
            assert!(verdict.has_same_layers(&expected_verdict), "{verdict:?}");
        }
        assert!(new_verdict.is_some());
        assert_eq!(is_bot(fixture, &account), layers.unverified.flagged);
        let last = block_on_ok(
            fixture
                .store()
                .timeline(&account.context.id, &address(1), 1),
        )
        .pop();
        assert_eq!(
            last.map(|event| event.kind),
            Some(EventKind::Replayed {
                epoch,
                policy,
                reason
            })
        );
        assert_eq!(
            block_on_ok(fixture.store().audit(0, ALL))
                .pop()
                .map(|record| record.entry),
            Some(entry)
        );
    }
}

fn replacement_needs_what_it_replaces(fixture: &mut Fixture) {
    let account = fixture.account();
    let replace = |before, number| {
        let change = replacement(
            &account.context,
            address(number),
            before,
            Verdict::default(),
        );
        let entry = audit(
            AuditAction::VerdictReplayed,
            &account.context.id,
            fixture.now(),
        );
        block_on_ok(fixture.store().replace_verdict(change, entry))
    };
    let check = |assessment| {
        fixture
            .make
            .conclusion(&account.context, address(1), assessment, fixture.now())
    };
    fixture.conclude(&check(human()));
    let earlier_verdict = verdict(fixture, &account);
    fixture.conclude(&check(bot()));
    let now = verdict(fixture, &account);
    let log = block_on_ok(fixture.store().audit(0, ALL));
    assert_eq!(
        replace(earlier_verdict, 1),
        None,
        "a later check would be lost"
    );
    assert_eq!(
        replace(Verdict::default(), 2),
        None,
        "there is no verdict to replace"
    );
    assert_eq!(verdict(fixture, &account), now);
    assert_eq!(
        block_on_ok(
            fixture
                .store()
                .timeline(&account.context.id, &address(1), ALL)
        )
        .len(),
        2
    );
    assert_eq!(
        block_on_ok(
            fixture
                .store()
                .timeline(&account.context.id, &address(2), ALL)
        ),
        []
    );
    assert_eq!(block_on_ok(fixture.store().audit(0, ALL)), log);
}
