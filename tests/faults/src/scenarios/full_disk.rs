//! Scenario: a disk fills up under load, and gets its space back.

use super::requirements;
use crate::harness::{
    AdminClient, ApiClient, Backend, LookupResult, RequestLog, ServerUnderTest, StopFlag, VerifiedLedger, eventually,
    pause,
};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use anyhow::{Context, Result, ensure};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use voight_tests::disk::Disk;
use voight_tests::server::TestAccount;

const MEBIBYTES: u64 = 72;
/// Maximum free space when the disk is filled, in KiB.
const FREE_KIB: usize = 256;
const CONNECTIONS: usize = 4;
/// Timeout for using up the remaining space.
const UNTIL_FULL: Duration = Duration::from_secs(30);
/// Timeout of the recovery once space is available.
const UNTIL_BACK: Duration = Duration::from_secs(10);
/// Number of consecutive lookups with one outcome that shows a stable state.
const IN_A_ROW: usize = 20;

pub(super) const ROW: Scenario = Scenario {
    name: "full-disk",
    about: "a full disk: reads go on, lookups are refused and not billed, and all is well once there is space again",
    unit: "fills",
    subjects: Backend::ALL,
    ci_units: 5,
    goal: 200,
    unmet_requirement: requirements::disk,
    run,
    expects_loss: false,
};

/// Clients that can be paused.
#[derive(Default)]
struct PausableLoad {
    journal: RequestLog,
    quiet: AtomicBool,
    stop: StopFlag,
}

/// Fills one disk once: a store that was full has free space inside afterwards.
///
/// The write that meets the end of the disk depends on the machine.
fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let disk = Disk::mount(cycle.folder, MEBIBYTES).map_err(anyhow::Error::msg).context("no disk")?;
    let house = ServerUnderTest::for_cycle(cycle, disk.path()).with_setting("VOIGHT__LIMITS__ENABLED", &false);
    let mut server = house.start();
    let account = server.account("acme");
    let operator = AdminClient::for_server(&house)?;
    let load = PausableLoad::default();
    thread::scope(|scope| {
        let _at_end = load.stop.at_end();
        for _ in 0..CONNECTIONS {
            scope.spawn(|| load.run(&house, &account));
        }
        let stage = FullDiskFixture { disk: &disk, house: &house, account: &account, operator: &operator, load: &load };
        let mut random = cycle.random();
        pause(random.u64(..500_000));
        stage.fill(random.usize(..FREE_KIB), random.bool())
    })?;
    let exit = server.stop();
    ensure!(exit == Some(0), "the server ended with {exit:?}: {}", server.log());
    let mut tally = VerifiedLedger::read(house.open()?.as_ref(), &account)?.compare(&load.journal)?;
    house.verify()?;
    tally.units = 1;
    Ok(tally)
}

impl PausableLoad {
    fn run(&self, house: &ServerUnderTest, account: &TestAccount) {
        let mut customer = ApiClient::new(house, account);
        while !self.stop.is_set() {
            if self.quiet.load(Ordering::SeqCst)
                || !matches!(self.journal.send_lookup(&mut customer), LookupResult::Answered(_))
            {
                pause(5_000);
            }
        }
    }
}

/// Fixture of a full disk.
struct FullDiskFixture<'a> {
    disk: &'a Disk,
    house: &'a ServerUnderTest,
    account: &'a TestAccount,
    operator: &'a AdminClient<'a>,
    load: &'a PausableLoad,
}

impl FullDiskFixture<'_> {
    /// Fills the disk except for `kibibytes`, and frees it again, under load or without.
    fn fill(&self, kibibytes: usize, under_load: bool) -> Result<()> {
        self.disk.fill(kibibytes);
        eventually("lookups are refused", UNTIL_FULL, || {
            Ok(self.all_outcomes(|outcome| *outcome == LookupResult::Refused))
        })?;
        eventually("the service is not ready", UNTIL_BACK, || {
            let readiness = self.operator.get("/readyz")?;
            Ok(readiness.status == 503 && readiness.body.contains("space"))
        })?;
        for _ in 0..10 {
            self.reads_answer()?;
        }
        self.load.quiet.store(!under_load, Ordering::SeqCst);
        self.disk.free();
        eventually("the service is ready", UNTIL_BACK, || Ok(self.operator.get("/readyz")?.status == 200))?;
        self.load.quiet.store(false, Ordering::SeqCst);
        eventually("lookups are answered", UNTIL_BACK, || {
            Ok(self.all_outcomes(|outcome| matches!(outcome, LookupResult::Answered(_))))
        })
    }

    /// Returns `true` if [`IN_A_ROW`] consecutive lookups have this outcome.
    fn all_outcomes(&self, wanted: impl Fn(&LookupResult) -> bool) -> bool {
        let mut customer = ApiClient::new(self.house, self.account);
        (0..IN_A_ROW).all(|_| wanted(&self.load.journal.send_lookup(&mut customer)))
    }

    fn reads_answer(&self) -> Result<()> {
        // Bulk reads are excluded: each needs an audit entry, which is a write.
        for path in ["/admin/v1/usage", "/admin/v1/contexts"] {
            self.operator.read(path)?;
        }
        let alive = self.operator.get("/livez")?;
        ensure!(alive.status == 200, "/livez is answered {}", alive.status);
        Ok(())
    }
}
