//! Promises of `ErasureStore`.

use super::cases;
use super::endpoints::{self, TEST, conclude_with};
use super::snapshots::{continue_job, uploaded};
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, FOREVER, Fixture, TestAccount, while_written};
use crate::generate::{
    address, answered, audit, bot, digest_of, erasure, human, labelled, lookup_parameters, overrule,
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
use voight_domain::webhooks::EndpointName;

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
    endpoint: EndpointName,
}

const ERASED_ADDRESS: u32 = 1;

impl ErasureFixture {
    fn fill(fixture: &Fixture, who: EoaAddress) -> Self {
        let account = fixture.account();
        let endpoint = endpoints::create(fixture, &account);
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
        deliver(fixture, endpoint, who);
        Self {
            account,
            contexts,
            sandbox,
            checks,
            endpoint,
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

/// Delivers the events of the endpoint. Three responses repeat the address in letters of different case, the others do not.
fn deliver(fixture: &Fixture, endpoint: EndpointName, who: EoaAddress) {
    let attempts = endpoints::claim(fixture, endpoint, ALL);
    let text = who.to_string();
    let responses = [
        format!("no bot: {text}!"),
        text.to_uppercase(),
        text.to_lowercase(),
    ];
    let others = std::iter::repeat("ok");
    let responses = responses.iter().map(String::as_str).chain(others);
    let responses = attempts.into_iter().zip(responses);
    let reports = conclude_with(fixture, endpoint, answered(200), responses);
    assert!(reports.len() > 3, "{reports:?}");
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
        client_events: 3,
        deliveries: 3,
        tombstones: Vec::new(),
    }
}

fn assert_no_verdict(fixture: &Fixture, context: &Context) {
    let store = fixture.store();
    let erased_address = address(ERASED_ADDRESS);
    let verdict = block_on_ok(store.verdict(&context.id, &erased_address));
    assert_eq!(verdict, None);
    let timeline = block_on_ok(store.timeline(&context.id, &erased_address, ALL));
    assert_eq!(timeline, []);
}

fn erase_removes_all_personal_data(fixture: &mut Fixture) {
    let erasure_fixture = known(fixture);
    // More records of each kind than one transaction processes.
    for _ in 0..450 {
        fixture.answer(&fixture.request(&erasure_fixture.account, address(ERASED_ADDRESS)));
        fixture.conclude(&fixture.make.conclusion(
            &erasure_fixture.account.context,
            address(ERASED_ADDRESS),
            human(),
            fixture.now(),
        ));
    }
    let slices = [&[ERASED_ADDRESS, 0x0200_0000][..], &[0x0300_0000]];
    let looked_up = uploaded(fixture, &erasure_fixture.account, &slices);
    uploaded(fixture, &erasure_fixture.account, &slices);
    continue_job(fixture, &looked_up);
    let text = address(ERASED_ADDRESS).to_string();
    let tests = std::iter::repeat_n((TEST, text.as_str()), 450);
    conclude_with(fixture, erasure_fixture.endpoint, answered(200), tests);
    let counts = block_on_ok(fixture.store().erase(&erasure_fixture.erasure()));
    let ErasureCounts {
        verdicts,
        events,
        ledger_addresses: openings,
        receipts,
        labels,
        snapshot_rows,
        deliveries,
        ..
    } = counts;
    assert_eq!(
        (verdicts, events, openings, receipts, labels, snapshot_rows),
        (3, 453, 455, 453, 3, 2)
    );
    assert_eq!(deliveries, 453);
    let store_text = everything(fixture.store(), &erasure_fixture.names(&[])).join("\n");
    // The debug format of addresses, as in the text that is searched here.
    let short = format!("{:?}", address(ERASED_ADDRESS));
    assert!(!store_text.contains(&short), "{store_text}");
    let has_address = store_text.to_lowercase().contains(&text.to_lowercase());
    assert!(!has_address, "a response remains: {store_text}");
    for context in &erasure_fixture.contexts {
        let digest = format!("{:?}", digest_of(&context.id, address(ERASED_ADDRESS)));
        assert!(
            !store_text.contains(&digest),
            "a link remains: {store_text}"
        );
        assert_no_verdict(fixture, context);
    }
    assert_eq!(
        block_on_ok(fixture.store().unjudged_checks(FOREVER, ALL)),
        []
    );
}

/// Concludes a check of the erased address that supports a human.
fn pass_check(fixture: &Fixture, context: &Context) {
    let erased_address = address(ERASED_ADDRESS);
    fixture.conclude(
        &fixture
            .make
            .conclusion(context, erased_address, human(), fixture.now()),
    );
}

/// Overrides the verdict of the erased address.
fn override_as_bot(fixture: &Fixture, context: &Context) {
    let entry = audit(AuditAction::VerdictOverridden, &context.id, fixture.now());
    let change = overrule(context, address(ERASED_ADDRESS), OverrideTo::Bot);
    block_on_ok(fixture.store().override_verdict(change, entry));
}

/// Returns `true` if a tombstone of the erased address remains.
fn has_tombstone(fixture: &Fixture, context: &Context) -> bool {
    let digest = digest_of(&context.id, address(ERASED_ADDRESS));
    block_on_ok(fixture.store().tombstone(&context.id, digest)).is_some()
}

fn erase_keeps_the_flag(fixture: &mut Fixture) {
    let erasure_fixture = known(fixture);
    let answers_before = erasure_fixture
        .contexts
        .each_ref()
        .map(|context| erasure_fixture.look_up(fixture, context).answer);
    assert_eq!(
        answers_before.map(|answer| answer.is_bot),
        [true, true, false]
    );
    let counts = block_on_ok(fixture.store().erase(&erasure_fixture.erasure()));
    assert_eq!(
        counts.tombstones,
        erasure_fixture.contexts[..2]
            .iter()
            .map(|context| context.id.clone())
            .collect::<Vec<_>>()
    );
    for (context, answer_before) in erasure_fixture.contexts.iter().zip(answers_before) {
        let answer_after = erasure_fixture.look_up(fixture, context).answer;
        assert_eq!(answer_after.is_bot, answer_before.is_bot);
        assert!(
            !answer_after.is_bot || answer_after == answer_before,
            "the score has changed: {answer_after:?}"
        );
        assert_eq!(has_tombstone(fixture, context), answer_before.is_bot);
        pass_check(fixture, context);
        assert_eq!(
            erasure_fixture.look_up(fixture, context).answer.is_bot,
            answer_before.is_bot,
            "a check has cleared the flag"
        );
    }
    // Data stored after an erasure is erased like data from before it.
    assert_eq!(
        block_on_ok(fixture.store().erase(&erasure_fixture.erasure())).tombstones,
        counts.tombstones
    );
    assert_eq!(
        erasure_fixture
            .look_up(fixture, &erasure_fixture.contexts[0])
            .answer,
        answers_before[0]
    );
    // The decision of an operator remains in force with its confidence.
    override_as_bot(fixture, &erasure_fixture.contexts[1]);
    block_on_ok(fixture.store().erase(&erasure_fixture.erasure()));
    let answer = erasure_fixture
        .look_up(fixture, &erasure_fixture.contexts[1])
        .answer;
    assert_eq!((answer.is_bot, answer.score), (true, Confidence::CERTAIN));
    let elsewhere = fixture.context(&erasure_fixture.account.key);
    assert!(
        !erasure_fixture.look_up(fixture, &elsewhere).answer.is_bot,
        "another context has a new flag"
    );
}

fn erase_keeps_the_ledger(fixture: &mut Fixture) {
    let erasure_fixture = known(fixture);
    let client = erasure_fixture.account.client.id;
    let other_address = address(ERASED_ADDRESS + 1);
    let other_fixture = ErasureFixture::fill(fixture, other_address);
    let meters = || {
        [Environment::Live, Environment::Sandbox].map(|environment| {
            block_on_ok(fixture.store().meter(LedgerId {
                client,
                environment,
            }))
        })
    };
    let rows = fixture.ledger(client);
    let meters_before = meters();
    let theirs = everything(fixture.store(), &other_fixture.names(&[other_address]));
    let of_others = |lines: Vec<String>| -> Vec<String> {
        let theirs = [
            &other_fixture.account.client.id.to_string(),
            &other_fixture.account.context.id.to_string(),
        ]
        .map(String::clone);
        lines
            .into_iter()
            .filter(|line| theirs.iter().any(|id| line.contains(id.as_str())))
            .collect()
    };
    block_on_ok(fixture.store().erase(&erasure_fixture.erasure()));
    let ledger_after = fixture.ledger(client);
    assert_eq!(meters(), meters_before);
    assert_eq!(
        ledger_after
            .iter()
            .map(|entry| entry.row)
            .collect::<Vec<_>>(),
        rows.iter().map(|entry| entry.row).collect::<Vec<_>>()
    );
    assert!(ledger_after.iter().all(|entry| entry.opening.is_none()));
    assert_gapless(&ledger_after);
    let theirs_after = everything(fixture.store(), &other_fixture.names(&[other_address]));
    assert_same(&of_others(theirs_after), &of_others(theirs), "of others");
    for check in &other_fixture.checks {
        assert_eq!(
            block_on_ok(fixture.store().batches(*check)).len(),
            2,
            "the evidence of another address was deleted"
        );
        assert!(
            block_on_ok(fixture.store().concluded(*check))
                .is_some_and(|conclusion| conclusion.receipt.is_some())
        );
    }
    erasure_fixture.look_up(fixture, &erasure_fixture.contexts[0]);
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
    let stored_conclusion = block_on_ok(fixture.store().concluded(check.check));
    assert!(
        stored_conclusion.is_some_and(|conclusion| conclusion.receipt.is_none()),
        "the receipt remains, or the challenge is no longer used"
    );
    assert!(matches!(
        fixture.conclude(&check),
        ConcludeOutcome::Rejected(_)
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
    let erasure_fixture = known(fixture);
    let first = block_on_ok(fixture.store().erase(&erasure_fixture.erasure()));
    assert_eq!(
        ErasureCounts {
            tombstones: Vec::new(),
            ..first.clone()
        },
        full_erasure()
    );
    let state_after = everything(
        fixture.store(),
        &erasure_fixture.names(&[address(ERASED_ADDRESS)]),
    );
    let second = block_on_ok(fixture.store().erase(&erasure_fixture.erasure()));
    assert_eq!(
        second,
        ErasureCounts {
            tombstones: first.tombstones,
            ..ErasureCounts::default()
        }
    );
    assert_same(
        &everything(
            fixture.store(),
            &erasure_fixture.names(&[address(ERASED_ADDRESS)]),
        ),
        &state_after,
        "after a second erase",
    );
}

fn erase_never_interrupts_answers(fixture: &mut Fixture) {
    let erasure_fixture = known(fixture);
    let [context, ..] = &erasure_fixture.contexts;
    let ask = |_| {
        for round in 0..20 {
            assert!(
                erasure_fixture.look_up(fixture, context).answer.is_bot,
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
        drop(block_on_ok(
            fixture.store().erase(&erasure_fixture.erasure()),
        ));
    });
    let client = erasure_fixture.account.client.id;
    let meter = block_on_ok(fixture.store().meter(LedgerId::live(client)));
    let rows = fixture.ledger(client);
    assert_gapless(&rows);
    assert_chained(
        &meter.unwrap_or_else(|| panic!("the meter is missing")),
        &rows,
        LedgerId::live(client),
    );
    block_on_ok(fixture.store().erase(&erasure_fixture.erasure()));
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
    let erasure_fixture = known(fixture);
    let state_before = everything(
        fixture.store(),
        &erasure_fixture.names(&[address(ERASED_ADDRESS)]),
    );
    let counts = block_on_ok(fixture.store().erase(&Erasure {
        mode: EraseMode::DryRun,
        ..erasure_fixture.erasure()
    }));
    assert_same(
        &everything(
            fixture.store(),
            &erasure_fixture.names(&[address(ERASED_ADDRESS)]),
        ),
        &state_before,
        "after a dry run",
    );
    assert_eq!(
        block_on_ok(fixture.store().erase(&erasure_fixture.erasure())),
        counts
    );
}

fn override_lifts_the_tombstone(fixture: &mut Fixture) {
    let erasure_fixture = known(fixture);
    let [context, other_context, _] = &erasure_fixture.contexts;
    block_on_ok(fixture.store().erase(&erasure_fixture.erasure()));
    let entry = audit(AuditAction::VerdictOverridden, &context.id, fixture.now());
    block_on_ok(fixture.store().override_verdict(
        overrule(context, address(ERASED_ADDRESS), OverrideTo::Human),
        entry,
    ));
    assert!(!erasure_fixture.look_up(fixture, context).answer.is_bot);
    assert_eq!(
        block_on_ok(
            fixture
                .store()
                .tombstone(&context.id, digest_of(&context.id, address(ERASED_ADDRESS)))
        ),
        None
    );
    assert!(
        erasure_fixture
            .look_up(fixture, other_context)
            .answer
            .is_bot,
        "the flag of another context was cleared"
    );
}

fn archiving_removes_the_tombstones(fixture: &mut Fixture) {
    let erasure_fixture = known(fixture);
    let [context, other_context, _] = &erasure_fixture.contexts;
    block_on_ok(fixture.store().erase(&erasure_fixture.erasure()));
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
        tombstone(other_context).is_some(),
        "the tombstone of another context was removed"
    );
    assert!(!erasure_fixture.look_up(fixture, context).answer.is_bot);
    // An erasure leaves no tombstone in an archived context either.
    fixture.conclude(&fixture.make.conclusion(
        context,
        address(ERASED_ADDRESS),
        bot(),
        fixture.now(),
    ));
    assert_eq!(
        block_on_ok(fixture.store().erase(&erasure_fixture.erasure())).tombstones,
        std::slice::from_ref(&other_context.id)
    );
    assert!(!erasure_fixture.look_up(fixture, context).answer.is_bot);
}
