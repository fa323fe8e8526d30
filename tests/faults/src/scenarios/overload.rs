//! Scenario: overload by slow clients, aborting clients, a flood of evidence and a flood of lookups.

mod evidence;
mod flood;
mod monitor;
mod slow;
mod steady;

use crate::harness::{AdminClient, Backend, RequestLog, ServerUnderTest, StopFlag, VerifiedLedger};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
use anyhow::{Context, Result, ensure};
use monitor::ServerMonitor;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;
use voight_tests::server::{Server, TestAccount};

/// Concurrency limit of the server.
const ADMITTED: usize = 256;
/// Number of threads of the flood. Their connections are five times the concurrency limit.
const FLOOD: usize = 8;
const CONNECTIONS: usize = 5 * ADMITTED / FLOOD;
/// Number of threads that post evidence.
const POSTING: usize = 4;
/// Duration of slow clients and evidence beside normal lookups, in seconds.
///
/// A flood of lookups and a recovery phase follow.
const SLOW_PHASE_SECONDS: u64 = 12;
const FLOOD_PHASE_SECONDS: u64 = 15;
const RECOVERY_PHASE_SECONDS: u64 = 8;
/// Maximum wait of a request for its response, in milliseconds.
const MAX_WAIT_MS: u64 = 10_000;
/// Maximum memory of the server, in MiB; half of it is the store's cache.
const MEMORY: u64 = 256;
/// Number of files that the server and the load clients must be able to open.
const OPEN: u64 = 4096;
/// Maximum number of additional open files of an idle server, compared with its start.
const FILES: u64 = 16;

pub(super) const SCENARIO: Scenario = Scenario {
    name: "overload",
    about: "slow clients, resets, floods: rejected requests are not billed; response time and memory are bounded",
    unit: "seconds",
    backends: &[Backend::Redb],
    tried: Tried::Server,
    ci_volume: SLOW_PHASE_SECONDS + FLOOD_PHASE_SECONDS + RECOVERY_PHASE_SECONDS,
    full_volume: 3600,
    unmet_requirement: || monitor::too_few_files(OPEN),
    run,
    expects_loss: false,
};

/// Runs the overload. The machine determines which requests are rejected.
fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let deployment = ServerUnderTest::for_cycle(cycle, cycle.dir)
        .with_setting("VOIGHT__LIMITS__ENABLED", &false)
        .with_setting("VOIGHT__SERVER__MAX_CONCURRENT_REQUESTS", &ADMITTED)
        // All connections have one address; limits per network are tested in `tests/e2e/attacks.rs`.
        .with_setting("VOIGHT__SERVER__TRUSTED_PROXIES", &"127.0.0.0/8")
        .with_setting("VOIGHT__EVIDENCE__MAX_SIZE_MIB", &64);
    let mut server = deployment.start();
    let fixture = OverloadFixture {
        deployment: &deployment,
        steady_client: server.account("steady"),
        excess_client: server.account("excess"),
        steady_log: RequestLog::default(),
        excess_log: RequestLog::default(),
    };
    let mut result = fixture.run(&server, cycle.seed)?;
    let exit = server.stop();
    ensure!(
        exit == Some(0),
        "the server ended with {exit:?}: {}",
        server.log()
    );
    let store = deployment.open()?;
    for (account, request_log) in [
        (&fixture.steady_client, &fixture.steady_log),
        (&fixture.excess_client, &fixture.excess_log),
    ] {
        let actual = VerifiedLedger::read(store.as_ref(), account)
            .and_then(|ledger| ledger.compare(request_log));
        result.add(&actual.with_context(|| format!("the client {}", account.client))?);
    }
    drop(store);
    deployment.verify()?;
    result.volume = SCENARIO.ci_volume;
    Ok(result)
}

/// Fixture of the overload: a client with ten requests a second, and a client with excess load.
struct OverloadFixture<'a> {
    deployment: &'a ServerUnderTest,
    steady_client: TestAccount,
    excess_client: TestAccount,
    steady_log: RequestLog,
    excess_log: RequestLog,
}

impl OverloadFixture<'_> {
    fn send_steady_lookups(&self, stop: &StopFlag) -> CycleResult {
        steady::send_lookups(self.deployment, &self.steady_client, &self.steady_log, stop)
    }

    fn abort_connections(&self, seed: u64, stop: &StopFlag) -> Result<CycleResult> {
        flood::abort_connections(
            self.deployment,
            &self.excess_client,
            &self.excess_log,
            seed,
            stop,
        )
    }

    fn flood(&self, stop: &StopFlag) -> Result<CycleResult> {
        flood::run(
            self.deployment,
            &self.excess_client,
            &self.excess_log,
            CONNECTIONS,
            stop,
        )
    }

    /// Fails if a lookup of the steady client was rejected.
    fn ensure_none_rejected(&self, cause: &str) -> Result<()> {
        let rejected_count = self.steady_log.rejected();
        ensure!(
            rejected_count == 0,
            "{rejected_count} lookups were rejected {cause}"
        );
        Ok(())
    }

    fn run(&self, server: &Server, seed: u64) -> Result<CycleResult> {
        let admin = AdminClient::for_server(self.deployment)?;
        let mut monitor = ServerMonitor::for_process(server.pid(), &admin)?;
        let check = evidence::OpenCheck::open(self.deployment.public(), &self.excess_client)?;
        let port = self.deployment.public();
        let slow = [
            slow::first_head(port),
            slow::second_head(port),
            slow::body(port, &check),
        ];
        let slow_stop = StopFlag::default();
        let flood_stop = StopFlag::default();
        let steady_stop = StopFlag::default();
        thread::scope(|scope| {
            let slow_guard = slow_stop.guard();
            let flood_guard = flood_stop.guard();
            let steady_guard = steady_stop.guard();
            let steady_client = scope.spawn(|| self.send_steady_lookups(&steady_stop));
            let mut clients: Vec<_> = slow
                .iter()
                .map(|slow| scope.spawn(|| slow.run(&slow_stop)))
                .collect();
            clients.push(scope.spawn(|| self.abort_connections(seed, &slow_stop)));
            for _ in 0..POSTING {
                clients.push(scope.spawn(|| evidence::post(port, &self.excess_client, &slow_stop)));
            }
            monitor.monitor_for(Duration::from_secs(SLOW_PHASE_SECONDS))?;
            self.ensure_none_rejected("under slow clients and evidence")?;
            for _ in 0..FLOOD {
                clients.push(scope.spawn(|| self.flood(&flood_stop)));
            }
            monitor.monitor_for(Duration::from_secs(FLOOD_PHASE_SECONDS))?;
            ensure!(
                !monitor.has_been_unready(),
                "the service was unready, although one client caused the excess load"
            );
            self.ensure_none_rejected("under the flood of another client")?;
            drop((slow_guard, flood_guard));
            let mut result = CycleResult::default();
            for client in clients {
                result.add(&join(client)?);
            }
            monitor.wait_for_recovery(FILES)?;
            let rejected_before = self.steady_log.rejected();
            monitor.monitor_for(Duration::from_secs(RECOVERY_PHASE_SECONDS))?;
            ensure!(
                self.steady_log.rejected() == rejected_before,
                "lookups were rejected after the flood"
            );
            drop(steady_guard);
            result.add(&join(steady_client));
            result.add(&monitor.finish()?);
            check_bounds(&result)?;
            Ok(result)
        })
    }
}

/// Returns the result of a thread, or continues its panic.
fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Verifies that the measurements are within their bounds.
fn check_bounds(result: &CycleResult) -> Result<()> {
    for (what, bound) in [(flood::WAIT, MAX_WAIT_MS), (monitor::MEMORY, MEMORY)] {
        let maximum = result
            .maxima
            .get(what)
            .copied()
            .with_context(|| format!("{what} was not measured"))?;
        ensure!(maximum <= bound, "{maximum} {what}, the bound is {bound}");
    }
    Ok(())
}
