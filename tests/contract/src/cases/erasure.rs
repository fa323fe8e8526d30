//! Promises of `ErasureStore`.

use super::cases;
use super::snapshots::{continue_job, uploaded};
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, FOREVER, Fixture, TestAccount, while_written};
use crate::generate::{
    address, audit, bot, digest_of, erasure, human, labelled, lookup_parameters, overrule,
};
use crate::ledger::{assert_chained, assert_gapless};
use crate::state_dump::{EntityRefs, assert_same, everything};
use voight_domain::check::ConcludeOutcome;
use voight_domain::metering::{
    IdempotencyInput, LedgerId, LookupOutcome, LookupRequest, RecordedAnswer,
};
use voight_domain::ports::{EraseMode, Erasure, ErasureCounts};
use voight_domain::registry::{AuditAction, Context, ContextChange};
use voight_domain::verdict::{Confidence, OverrideTo, Truth};
use voight_domain::vocabulary::{CheckId, Environment, EoaAddress};

cases![
    archiving_removes_the_tombstones,
    dry_run_changes_nothing,
    erase_can_be_repeated,
    erase_never_interrupts_answers,
    erase_keeps_challenges_used,
    erase_keeps_the_ledger,
    erase_keeps_the_flag,
    erase_removes_all_personal_data,
    override_lifts_the_tombstone,
];

/// Fixture of an erasure: a bot in two contexts and a human in a third. Each has all data that a store can hold of an
/// address.
struct ErasureFixture {
    account: TestAccount,
    contexts: [Context; 3],
    sandbox: Context,
    checks: Vec<CheckId>,
}

const ERASED_ADDRESS: u32 = 1;

impl ErasureFixture {
    fn fill(fixture: &Fixture, who: EoaAddress) -> Self {
        let account = fixture.account();
        let contexts = [
            account.context.clone(),
            fixture.context(&account.key),
            fixture.context(&account.key),
        ];
        let test = fixture.issue(fixture.make.key(
            account.client.id,
            Environment::Sandbox,
            fixture.now(),
        ));
        let sandbox = fixture.context(&test);
        fixture.answer(&fixture.make.lookup(&test, &sandbox, who));
        let mut checks = Vec::new();
        for (context, assessment) in contexts.iter().zip([bot(), bot(), human()]) {
            let lookup = fixture.make.lookup(&account.key, context, who);
            let idempotency = IdempotencyInput {
                fingerprint: lookup_parameters(&context.id, who),
                ..fixture.make.idempotency()
            };
            fixture.answer(&LookupRequest {
                idempotency: Some(idempotency),
                ..lookup.clone()
            });
            let challenge = fixture.make.challenge(context, who, fixture.now());
            for number in 1..=2 {
                block_on_ok(fixture.store().append(
                    fixture.make.batch(&challenge, number, 900, fixture.now()),
                    FOREVER,
                ));
            }
            let mut check = fixture
                .make
                .conclusion(context, who, assessment, fixture.now());
            check.check = challenge.check;
            fixture.conclude(&check);
            checks.push(check.check);
            let entry = audit(AuditAction::AddressLabelled, &context.id, fixture.now());
            block_on_ok(fixture.store().put_labels(
                &context.id,
                vec![labelled(who, Truth::Bot, fixture.now())],
                entry,
            ));
        }
        Self {
            account,
            contexts,
            sandbox,
            checks,
        }
    }

    fn erasure(&self) -> Erasure {
        erasure(
            address(ERASED_ADDRESS),
            self.contexts.iter().chain([&self.sandbox]),
        )
    }

    fn names(&self, addresses: &[EoaAddress]) -> EntityRefs {
        EntityRefs {
            checks: self.checks.clone(),
            addresses: addresses.to_vec(),
            ..EntityRefs::default()
        }
    }

    fn look_up(&self, fixture: &Fixture, context: &Context) -> RecordedAnswer {
        match fixture.answer(&fixture.make.lookup(
            &self.account.key,
            context,
            address(ERASED_ADDRESS),
        )) {
            LookupOutcome::Recorded(answered, _) => answered,
            other => panic!("not recorded: {other:?}"),
        }
    }
}

fn known(fixture: &Fixture) -> ErasureFixture {
    ErasureFixture::fill(fixture, address(ERASED_ADDRESS))
}

fn full_erasure() -> ErasureCounts {
    ErasureCounts {
        verdicts: 3,
        events: 3,
        ledger_addresses: 4,
        idempotency_records: 3,
        receipts: 3,
        labels: 3,
        batches: 6,
        links: 9,
        snapshot_rows: 0,
        tombstones: Vec::new(),
    }
}

fn erase_removes_all_personal_data(fixture: &mut Fixture) {
    let known = known(fixture);
    // More records of each kind than one transaction processes.
    for _ in 0..450 {
        fixture.answer(&fixture.request(&known.account, address(ERASED_ADDRESS)));
        fixture.conclude(&fixture.make.conclusion(
            &known.account.context,
            address(ERASED_ADDRESS),
            human(),
            fixture.now(),
        ));
    }
    let listed = [&[ERASED_ADDRESS, 0x0200_0000][..], &[0x0300_0000]];
    let looked_up = uploaded(fixture, &known.account, &listed);
    uploaded(fixture, &known.account, &listed);
    continue_job(fixture, &looked_up);
    let erased = block_on_ok(fixture.store().erase(&known.erasure()));
    let ErasureCounts {
        verdicts,
        events,
        ledger_addresses: openings,
        receipts,
        labels,
        snapshot_rows,
        ..
    } = erased;
    assert_eq!(
        (verdicts, events, openings, receipts, labels, snapshot_rows),
        (3, 453, 455, 453, 3, 2)
    );
    let shown = everything(fixture.store(), &known.names(&[])).join("\n");
    // The debug format of addresses, as in the text that is searched here.
    let short = format!("{:?}", address(ERASED_ADDRESS));
    assert!(!shown.contains(&short), "{shown}");
    for context in &known.contexts {
        let digest = format!("{:?}", digest_of(&context.id, address(ERASED_ADDRESS)));
        assert!(!shown.contains(&digest), "a link remains: {shown}");
        assert_eq!(
            block_on_ok(
                fixture
                    .store()
                    .verdict(&context.id, &address(ERASED_ADDRESS))
            ),
            None
        );
        assert_eq!(
            block_on_ok(
                fixture
                    .store()
                    .timeline(&context.id, &address(ERASED_ADDRESS), ALL)
            ),
            []
        );
    }
    assert_eq!(
        block_on_ok(fixture.store().unjudged_checks(FOREVER, ALL)),
        []
    );
}

fn erase_keeps_the_flag(fixture: &mut Fixture) {
    let known = known(fixture);
    let before = known
        .contexts
        .each_ref()
        .map(|context| known.look_up(fixture, context).answer);
    assert_eq!(before.map(|answer| answer.is_bot), [true, true, false]);
    let erased = block_on_ok(fixture.store().erase(&known.erasure()));
    assert_eq!(
        erased.tombstones,
        known.contexts[..2]
            .iter()
            .map(|context| context.id.clone())
            .collect::<Vec<_>>()
    );
    for (context, before) in known.contexts.iter().zip(before) {
        let after = known.look_up(fixture, context).answer;
        assert_eq!(after.is_bot, before.is_bot);
        assert!(
            !after.is_bot || after == before,
            "the score has changed: {after:?}"
        );
        let tombstone = block_on_ok(
            fixture
                .store()
                .tombstone(&context.id, digest_of(&context.id, address(ERASED_ADDRESS))),
        );
        assert_eq!(tombstone.is_some(), before.is_bot);
        fixture.conclude(&fixture.make.conclusion(
            context,
            address(ERASED_ADDRESS),
            human(),
            fixture.now(),
        ));
        assert_eq!(
            known.look_up(fixture, context).answer.is_bot,
            before.is_bot,
            "a check has cleared the flag"
        );
    }
    // Data stored after an erasure is erased like data from before it.
    assert_eq!(
        block_on_ok(fixture.store().erase(&known.erasure())).tombstones,
        erased.tombstones
    );
    assert_eq!(known.look_up(fixture, &known.contexts[0]).answer, before[0]);
    // The decision of an operator remains in force with its confidence.
    let entry = audit(
        AuditAction::VerdictOverridden,
        &known.contexts[1].id,
        fixture.now(),
    );
    block_on_ok(fixture.store().override_verdict(
        overrule(&known.contexts[1], address(ERASED_ADDRESS), OverrideTo::Bot),
        entry,
    ));
    block_on_ok(fixture.store().erase(&known.erasure()));
    let decided = known.look_up(fixture, &known.contexts[1]).answer;
    assert_eq!((decided.is_bot, decided.score), (true, Confidence::CERTAIN));
    let elsewhere = fixture.context(&known.account.key);
    assert!(
        !known.look_up(fixture, &elsewhere).answer.is_bot,
        "another context has a new flag"
    );
}

fn erase_keeps_the_ledger(fixture: &mut Fixture) {
    let known = known(fixture);
    let (client, other) = (known.account.client.id, address(ERASED_ADDRESS + 1));
    let others = ErasureFixture::fill(fixture, other);
    let meters = || {
        [Environment::Live, Environment::Sandbox].map(|environment| {
            block_on_ok(fixture.store().meter(LedgerId {
                client,
                environment,
            }))
        })
    };
    let (rows, meters_before) = (fixture.ledger(client), meters());
    let theirs = everything(fixture.store(), &others.names(&[other]));
    let of_others = |lines: Vec<String>| -> Vec<String> {
        let theirs = [
            &others.account.client.id.to_string(),
            &others.account.context.id.to_string(),
        ]
        .map(String::clone);
        lines
            .into_iter()
            .filter(|line| theirs.iter().any(|id| line.contains(id.as_str())))
            .collect()
    };
    block_on_ok(fixture.store().erase(&known.erasure()));
    let after = fixture.ledger(client);
    assert_eq!(meters(), meters_before);
    assert_eq!(
        after.iter().map(|entry| entry.row).collect::<Vec<_>>(),
        rows.iter().map(|entry| entry.row).collect::<Vec<_>>()
    );
    assert!(after.iter().all(|entry| entry.opening.is_none()));
    assert_gapless(&after);
    let theirs_after = everything(fixture.store(), &others.names(&[other]));
    assert_same(&of_others(theirs_after), &of_others(theirs), "of others");
    for check in &others.checks {
        assert_eq!(
            block_on_ok(fixture.store().batches(*check)).len(),
            2,
            "the evidence of another address was deleted"
        );
        assert!(
            block_on_ok(fixture.store().concluded(*check))
                .is_some_and(|concluded| concluded.receipt.is_some())
        );
    }
    known.look_up(fixture, &known.contexts[0]);
    let [Some(meter), _] = meters() else {
        panic!("the meter is missing")
    };
    assert_chained(&meter, &fixture.ledger(client), LedgerId::live(client));
}

fn erase_keeps_challenges_used(fixture: &mut Fixture) {
    let account = fixture.account();
    let check = fixture.make.conclusion(
        &account.context,
        address(ERASED_ADDRESS),
        human(),
        fixture.now(),
    );
    fixture.conclude(&check);
    block_on_ok(
        fixture
            .store()
            .erase(&erasure(address(ERASED_ADDRESS), [&account.context])),
    );
    let concluded = block_on_ok(fixture.store().concluded(check.check));
    assert!(
        concluded.is_some_and(|concluded| concluded.receipt.is_none()),
        "the receipt remains, or the challenge is no longer used"
    );
    assert!(matches!(
        fixture.conclude(&check),
        ConcludeOutcome::Refused(_)
    ));
    assert_eq!(
        block_on_ok(
            fixture
                .store()
                .verdict(&account.context.id, &address(ERASED_ADDRESS))
        ),
        None
    );
}

fn erase_can_be_repeated(fixture: &mut Fixture) {
    let known = known(fixture);
    let first = block_on_ok(fixture.store().erase(&known.erasure()));
    assert_eq!(
        ErasureCounts {
            tombstones: Vec::new(),
            ..first.clone()
        },
        full_erasure()
    );
    let after = everything(fixture.store(), &known.names(&[address(ERASED_ADDRESS)]));
    let second = block_on_ok(fixture.store().erase(&known.erasure()));
    assert_eq!(
        second,
        ErasureCounts {
            tombstones: first.tombstones,
            ..ErasureCounts::default()
        }
    );
    assert_same(
        &everything(fixture.store(), &known.names(&[address(ERASED_ADDRESS)])),
        &after,
        "after a second erase",
    );
}

fn erase_never_interrupts_answers(fixture: &mut Fixture) {
    let known = known(fixture);
    let [context, ..] = &known.contexts;
    let ask = |_| {
        for round in 0..20 {
            assert!(
                known.look_up(fixture, context).answer.is_bot,
                "a lookup without the flag was answered"
            );
            if round % 5 == 0 {
                fixture.conclude(&fixture.make.conclusion(
                    context,
                    address(ERASED_ADDRESS),
                    human(),
                    fixture.now(),
                ));
            }
        }
    };
    while_written(ask, || {
        drop(block_on_ok(fixture.store().erase(&known.erasure())))
    });
    let client = known.account.client.id;
    let (meter, rows) = (
        block_on_ok(fixture.store().meter(LedgerId::live(client))),
        fixture.ledger(client),
    );
    assert_gapless(&rows);
    assert_chained(
        &meter.unwrap_or_else(|| panic!("the meter is missing")),
        &rows,
        LedgerId::live(client),
    );
    block_on_ok(fixture.store().erase(&known.erasure()));
    assert!(
        fixture
            .ledger(client)
            .iter()
            .all(|entry| entry.opening.is_none())
    );
    assert_eq!(
        block_on_ok(
            fixture
                .store()
                .timeline(&context.id, &address(ERASED_ADDRESS), ALL)
        ),
        []
    );
}

fn dry_run_changes_nothing(fixture: &mut Fixture) {
    let known = known(fixture);
    let before = everything(fixture.store(), &known.names(&[address(ERASED_ADDRESS)]));
    let counts = block_on_ok(fixture.store().erase(&Erasure {
        mode: EraseMode::DryRun,
        ..known.erasure()
    }));
    assert_same(
        &everything(fixture.store(), &known.names(&[address(ERASED_ADDRESS)])),
        &before,
        "after a dry run",
    );
    assert_eq!(block_on_ok(fixture.store().erase(&known.erasure())), counts);
}

fn override_lifts_the_tombstone(fixture: &mut Fixture) {
    let known = known(fixture);
    let [context, other, _] = &known.contexts;
    block_on_ok(fixture.store().erase(&known.erasure()));
    let entry = audit(AuditAction::VerdictOverridden, &context.id, fixture.now());
    block_on_ok(fixture.store().override_verdict(
        overrule(context, address(ERASED_ADDRESS), OverrideTo::Human),
        entry,
    ));
    assert!(!known.look_up(fixture, context).answer.is_bot);
    assert_eq!(
        block_on_ok(
            fixture
                .store()
                .tombstone(&context.id, digest_of(&context.id, address(ERASED_ADDRESS)))
        ),
        None
    );
    assert!(
        known.look_up(fixture, other).answer.is_bot,
        "the flag of another context was cleared"
    );
}

fn archiving_removes_the_tombstones(fixture: &mut Fixture) {
    let known = known(fixture);
    let [context, other, _] = &known.contexts;
    block_on_ok(fixture.store().erase(&known.erasure()));
    let tombstone = |context: &Context| {
        block_on_ok(
            fixture
                .store()
                .tombstone(&context.id, digest_of(&context.id, address(ERASED_ADDRESS))),
        )
    };
    let change = |change| {
        let entry = audit(AuditAction::ContextChanged, &context.id, fixture.now());
        block_on_ok(fixture.store().change_context(&context.id, change, entry));
    };
    change(ContextChange::default());
    assert!(
        tombstone(context).is_some(),
        "a change that does not archive removed the tombstone"
    );
    change(ContextChange {
        archived_at: Some(Some(fixture.now())),
        ..ContextChange::default()
    });
    assert_eq!(tombstone(context), None);
    assert!(
        tombstone(other).is_some(),
        "the tombstone of another context was removed"
    );
    assert!(!known.look_up(fixture, context).answer.is_bot);
    // An erasure leaves no tombstone in an archived context either.
    fixture.conclude(&fixture.make.conclusion(
        context,
        address(ERASED_ADDRESS),
        bot(),
        fixture.now(),
    ));
    assert_eq!(
        block_on_ok(fixture.store().erase(&known.erasure())).tombstones,
        std::slice::from_ref(&other.id)
    );
    assert!(!known.look_up(fixture, context).answer.is_bot);
}
