//! Scenario: a disk fills up under load and is freed.

use super::requirements;
use crate::harness::{
    AdminClient, ApiClient, Backend, LookupResult, RequestLog, ServerUnderTest, StopFlag,
    VerifiedLedger, eventually, pause,
};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
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
const UNTIL_FULL: Duration = Duration::from_mins(2);
/// Timeout of the recovery once space is available.
const UNTIL_BACK: Duration = Duration::from_secs(10);
/// Number of consecutive lookups with one outcome that shows a stable state.
const IN_A_ROW: usize = 20;

pub(super) const SCENARIO: Scenario = Scenario {
    name: "full-disk",
    about: "a full disk: reads succeed, lookups are rejected and not billed, and writes resume once space is free",
    unit: "fills",
    backends: Backend::ALL,
    tried: Tried::Server,
    ci_volume: 3,
    full_volume: 200,
    unmet_requirement: requirements::disk,
    run,
    expects_loss: false,
};

/// Clients that can be paused.
#[derive(Default)]
struct PausableLoad {
    request_log: RequestLog,
    paused: AtomicBool,
    stop: StopFlag,
}

/// Fills one disk once, because a store that was full has free space in its files afterwards.
///
/// The write that fails depends on the machine.
fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let disk = Disk::mount(cycle.dir, MEBIBYTES)
        .map_err(anyhow::Error::msg)
        .context("no disk")?;
    // The disk is hardly larger than the default reserve, within which the service is not ready.
    let deployment = ServerUnderTest::for_cycle(cycle, disk.path())
        .with_setting("VOIGHT__LIMITS__ENABLED", &false)
        .with_setting("VOIGHT__STORE__RESERVED_FREE_MIB", &0);
    let mut server = deployment.start();
    let account = server.account("acme");
    let admin = AdminClient::for_server(&deployment)?;
    let load = PausableLoad::default();
    thread::scope(|scope| {
        let _guard = load.stop.guard();
        for _ in 0..CONNECTIONS {
            scope.spawn(|| load.run(&deployment, &account));
        }
        let fixture = FullDiskFixture {
            disk: &disk,
            deployment: &deployment,
            account: &account,
            admin: &admin,
            load: &load,
        };
        let mut random = cycle.random();
        pause(random.u64(..500_000));
        fixture.fill(random.usize(..FREE_KIB))?;
        load.paused.store(!random.bool(), Ordering::SeqCst);
        fixture.free()
    })?;
    let exit = server.stop();
    ensure!(
        exit == Some(0),
        "the server ended with {exit:?}: {}",
        server.log()
    );
    let mut result =
        VerifiedLedger::read(deployment.open()?.as_ref(), &account)?.compare(&load.request_log)?;
    deployment.verify()?;
    result.volume = 1;
    Ok(result)
}

impl PausableLoad {
    fn run(&self, deployment: &ServerUnderTest, account: &TestAccount) {
        let mut client = ApiClient::new(deployment, account);
        while !self.stop.is_set() {
            if self.paused.load(Ordering::SeqCst)
                || !matches!(
                    self.request_log.send_lookup(&mut client),
                    LookupResult::Answered(_)
                )
            {
                pause(5_000);
            }
        }
    }
}

/// Fixture of a full disk.
struct FullDiskFixture<'a> {
    disk: &'a Disk,
    deployment: &'a ServerUnderTest,
    account: &'a TestAccount,
    admin: &'a AdminClient<'a>,
    load: &'a PausableLoad,
}

impl FullDiskFixture<'_> {
    /// Fills the disk except for `kibibytes`.
    fn fill(&self, kibibytes: usize) -> Result<()> {
        self.disk.fill(kibibytes);
        eventually("lookups are rejected", UNTIL_FULL, || {
            Ok(self.outcomes_match(|outcome| *outcome == LookupResult::Rejected))
        })?;
        eventually("the service is not ready", UNTIL_BACK, || {
            let readiness = self.admin.get("/readyz")?;
            Ok(readiness.status == 503 && readiness.body.contains("space"))
        })?;
        for _ in 0..10 {
            self.verify_reads()?;
        }
        Ok(())
    }

    /// Frees the disk, and resumes the load if it is paused.
    fn free(&self) -> Result<()> {
        self.disk.free();
        eventually("the service is ready", UNTIL_BACK, || {
            Ok(self.admin.get("/readyz")?.status == 200)
        })?;
        self.load.paused.store(false, Ordering::SeqCst);
        eventually("lookups are answered", UNTIL_BACK, || {
            Ok(self.outcomes_match(|outcome| matches!(outcome, LookupResult::Answered(_))))
        })
    }

    /// Returns `true` if [`IN_A_ROW`] consecutive lookups have this outcome.
    fn outcomes_match(&self, expected: impl Fn(&LookupResult) -> bool) -> bool {
        let mut client = ApiClient::new(self.deployment, self.account);
        (0..IN_A_ROW).all(|_| expected(&self.load.request_log.send_lookup(&mut client)))
    }

    fn verify_reads(&self) -> Result<()> {
        // Bulk reads are excluded: each needs an audit entry, which is a write.
        for path in ["/admin/v1/usage", "/admin/v1/contexts"] {
            self.admin.read(path)?;
        }
        let livez = self.admin.get("/livez")?;
        ensure!(livez.status == 200, "/livez returned {}", livez.status);
        Ok(())
    }
}
