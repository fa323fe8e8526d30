//! Backups that are taken while the store is in use.

use super::super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, FOREVER, Fixture, TestAccount, WRITERS, while_written};
use crate::generate::{address, bot};
use crate::ledger::{assert_chained, assert_gapless, assert_openings};
use crate::state_dump::{EntityRefs, assert_same, everything};
use std::io;
use std::sync::{Mutex, PoisonError};
use voight_domain::check::CheckConclusion;
use voight_domain::metering::{LedgerId, LookupOutcome, LookupRequest};
use voight_domain::ports::{Health, LedgerEntry, StoreError};
use voight_domain::vocabulary::{CheckId, Timestamp};

cases![
    backup_is_one_moment needs OnlineBackup,
    backup_settles_no_check needs OnlineBackup,
    backup_ends_with_its_reader needs OnlineBackup,
];

/// Number of operations of each writer.
const ROUNDS: usize = 12;
/// Number of backups that a case restores, distributed over all of them. Each needs a new store.
const RESTORED: usize = 5;

/// Backup with the number of the account's ledger rows before it started and after it ended.
struct TakenBackup {
    rows: (u64, u64),
    backup: Vec<u8>,
}

fn backup_is_one_moment(fixture: &mut Fixture) {
    let account = fixture.account();
    let backups = backups_while(fixture, &account, |writer| {
        for _ in 0..ROUNDS {
            let idempotency = Some(fixture.make.idempotency());
            let request = LookupRequest {
                idempotency,
                ..fixture.request(&account, address(number(writer)))
            };
            let outcome = fixture.answer(&request);
            assert!(
                matches!(outcome, LookupOutcome::Recorded(..)),
                "not recorded: {outcome:?}"
            );
            judge(fixture, &account, writer);
        }
    });
    let complete = fixture.ledger(account.client.id);
    for TakenBackup { rows, backup } in sample(&backups) {
        assert_is_a_moment(&fixture.restored(backup), &account, *rows, &complete);
    }
    let names = EntityRefs {
        addresses: (0..WRITERS).map(|writer| address(number(writer))).collect(),
        ..EntityRefs::default()
    };
    let quiet = fixture.restored(&backup(fixture));
    assert_same(
        &everything(quiet.store(), &names),
        &everything(fixture.store(), &names),
        "in a backup",
    );
}

/// Checks that the rows are a prefix of the ledger, and that the meter matches them.
fn assert_is_a_moment(
    restored: &Fixture,
    account: &TestAccount,
    (before, after): (u64, u64),
    complete: &[LedgerEntry],
) {
    let client = account.client.id;
    let rows = restored.ledger(client);
    let assessment = rows.len() as u64;
    assert!(
        before <= assessment,
        "{before} rows were acknowledged before the backup, and {assessment} are in the backup"
    );
    assert!(
        assessment <= after,
        "{assessment} rows are in the backup, and at its end there were {after}"
    );
    assert_gapless(&rows);
    assert_openings(&rows);
    assert_eq!(
        rows,
        complete[..rows.len()],
        "the backup's rows are not a prefix of the ledger"
    );
    match block_on_ok(restored.store().meter(LedgerId::live(client))) {
        Some(meter) => assert_chained(&meter, &rows, LedgerId::live(client)),
        None => assert_eq!(assessment, 0, "there are rows without a meter"),
    }
}

fn backup_settles_no_check(fixture: &mut Fixture) {
    let account = fixture.account();
    let judged_checks = Mutex::new(Vec::new());
    let backups = backups_while(fixture, &account, |writer| {
        for _ in 0..ROUNDS {
            let check = judge(fixture, &account, writer);
            judged_checks
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(check);
        }
    });
    let judged_checks = judged_checks
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    for TakenBackup { backup, .. } in sample(&backups) {
        let restored_store = fixture.restored(backup);
        let unjudged_checks = block_on_ok(
            restored_store
                .store()
                .unjudged_checks(Timestamp::from_millis(i64::MAX), ALL),
        );
        for check in judged_checks
            .iter()
            .filter(|check| !unjudged_checks.contains(check))
        {
            let is_there = !block_on_ok(restored_store.store().batches(*check)).is_empty();
            let is_concluded = block_on_ok(restored_store.store().concluded(*check)).is_some();
            assert!(
                is_concluded || !is_there,
                "the check {check} is not listed as unjudged"
            );
        }
    }
}

/// Stores the evidence of a check, its conclusion, and then the mark that it was judged.
fn judge(fixture: &Fixture, account: &TestAccount, writer: usize) -> CheckId {
    let challenge =
        fixture
            .make
            .challenge(&account.context, address(number(writer)), fixture.now());
    block_on_ok(fixture.store().append(
        fixture.make.batch(&challenge, 1, 100, fixture.now()),
        FOREVER,
    ));
    let conclusion =
        fixture
            .make
            .conclusion(&account.context, challenge.address, bot(), fixture.now());
    fixture.conclude(&CheckConclusion {
        check: challenge.check,
        ..conclusion
    });
    block_on_ok(fixture.store().mark_judged(challenge.check));
    challenge.check
}

fn backup_ends_with_its_reader(fixture: &mut Fixture) {
    /// Writer that accepts a fixed number of bytes and then fails.
    struct ShortReader(usize);

    impl io::Write for ShortReader {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let accepted_bytes = bytes.len().min(self.0);
            self.0 -= accepted_bytes;
            if accepted_bytes == 0 {
                Err(io::ErrorKind::BrokenPipe.into())
            } else {
                Ok(accepted_bytes)
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let account = fixture.account();
    fixture.answer(&fixture.request(&account, address(1)));
    let length = backup(fixture).len();
    for taken in [0, 1, length / 2, length - 1] {
        let result = fixture.store().backup(&mut ShortReader(taken));
        assert!(
            matches!(result, Err(StoreError::NotApplied(_))),
            "after {taken} bytes: {result:?}"
        );
        assert_eq!(
            fixture.store().health(),
            Health::Ready,
            "after {taken} bytes"
        );
    }
    assert!(matches!(
        fixture.answer(&fixture.request(&account, address(1))),
        LookupOutcome::Recorded(..)
    ));
}

/// Takes backups continuously while [`WRITERS`] threads write.
fn backups_while(
    fixture: &Fixture,
    account: &TestAccount,
    write: impl Fn(usize) + Sync,
) -> Vec<TakenBackup> {
    let rows = || {
        let meter = block_on_ok(fixture.store().meter(LedgerId::live(account.client.id)));
        meter.map_or(0, |meter| meter.seq)
    };
    let backups = Mutex::new(Vec::new());
    while_written(write, || {
        let mut backups = backups.lock().unwrap_or_else(PoisonError::into_inner);
        let first_row = rows();
        let backup = backup(fixture);
        backups.push(TakenBackup {
            rows: (first_row, rows()),
            backup,
        });
    });
    backups.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Iterates over [`RESTORED`] of the backups, starting with the first.
fn sample(taken: &[TakenBackup]) -> impl Iterator<Item = &TakenBackup> {
    taken.iter().step_by(taken.len().div_ceil(RESTORED))
}

fn backup(fixture: &Fixture) -> Vec<u8> {
    let mut backup = Vec::new();
    match fixture.store().backup(&mut backup) {
        Ok(_) => backup,
        Err(error) => panic!("the backup failed: {error}"),
    }
}

fn number(writer: usize) -> u32 {
    u32::try_from(writer).unwrap_or(u32::MAX)
}
