//! Scenario: overload by slow clients, aborting clients, a flood of evidence and a flood of lookups.

mod evidence;
mod flood;
mod monitor;
mod slow;
mod steady;

use crate::harness::{AdminClient, Backend, RequestLog, ServerUnderTest, StopFlag, VerifiedLedger};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use anyhow::{Context, Result, ensure};
use monitor::ServerMonitor;
use std::thread;
use std::time::Duration;
use voight_tests::server::{Server, TestAccount};

/// Concurrency limit of the server.
const ADMITTED: usize = 256;
/// Number of threads of the flood; with their connections, five times the concurrency limit.
const FLOOD: usize = 8;
const CONNECTIONS: usize = 5 * ADMITTED / FLOOD;
/// Number of threads that post evidence.
const POSTING: usize = 4;
/// Duration of slow clients and evidence beside normal lookups, in seconds.
///
/// A flood of lookups and a recovery phase follow.
const SLOW_PHASE_SECONDS: u64 = 20;
const FLOODED: u64 = 30;
const RECOVERY_PHASE_SECONDS: u64 = 10;
/// Maximum wait of a request for its response, in milliseconds.
const MAX_WAIT_MS: u64 = 10_000;
/// Maximum memory of the server, in MiB; half of it is the store's cache.
const MEMORY: u64 = 256;
/// Number of files that the server and the load clients must be able to open.
const OPEN: u64 = 4096;
/// Maximum number of additional open files of an idle server, compared with its start.
const FILES: u64 = 16;

pub(super) const ROW: Scenario = Scenario {
    name: "overload",
    about: "slow clients, resets, floods: rejected requests are not billed, waits and memory are bounded",
    unit: "seconds",
    subjects: &[Backend::Redb],
    ci_units: SLOW_PHASE_SECONDS + FLOODED + RECOVERY_PHASE_SECONDS,
    goal: 3600,
    unmet_requirement: || monitor::too_few_files(OPEN),
    run,
    expects_loss: false,
};

/// Runs the overload. The machine determines which requests are rejected.
fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let house = ServerUnderTest::for_cycle(cycle, cycle.folder)
        .with_setting("VOIGHT__LIMITS__ENABLED", &false)
        .with_setting("VOIGHT__SERVER__MAX_CONCURRENT_REQUESTS", &ADMITTED)
        // All connections have one address; limits per network are tested in `tests/attacks.rs`.
        .with_setting("VOIGHT__SERVER__TRUSTED_PROXIES", &"127.0.0.0/8")
        .with_setting("VOIGHT__EVIDENCE__MAX_SIZE_MIB", &64);
    let mut server = house.start();
    let scene = OverloadFixture {
        house: &house,
        polite: server.account("polite"),
        greedy: server.account("greedy"),
        asked_politely: RequestLog::default(),
        asked_greedily: RequestLog::default(),
    };
    let mut tally = scene.play(&server, cycle.seed)?;
    let exit = server.stop();
    ensure!(exit == Some(0), "the server ended with {exit:?}: {}", server.log());
    let store = house.open()?;
    for (account, journal) in [(&scene.polite, &scene.asked_politely), (&scene.greedy, &scene.asked_greedily)] {
        let found = VerifiedLedger::read(store.as_ref(), account).and_then(|books| books.compare(journal));
        tally.add(&found.with_context(|| format!("the client {}", account.client))?);
    }
    drop(store);
    house.verify()?;
    tally.units = ROW.ci_units;
    Ok(tally)
}

/// Fixture of the overload: a client with ten requests a second, and load clients.
struct OverloadFixture<'a> {
    house: &'a ServerUnderTest,
    polite: TestAccount,
    greedy: TestAccount,
    asked_politely: RequestLog,
    asked_greedily: RequestLog,
}

impl OverloadFixture<'_> {
    fn play(&self, server: &Server, seed: u64) -> Result<CycleResult> {
        let operator = AdminClient::for_server(self.house)?;
        let mut watch = ServerMonitor::for_process(server.pid(), &operator)?;
        let (check, port) = (evidence::OpenCheck::open(self.house.public(), &self.greedy)?, self.house.public());
        let slow = [slow::first_head(port), slow::second_head(port), slow::body(port, &check)];
        let (storm, flood, peace) = (StopFlag::default(), StopFlag::default(), StopFlag::default());
        thread::scope(|scope| {
            let (storm_ends, flood_ends, peace_ends) = (storm.at_end(), flood.at_end(), peace.at_end());
            let polite = scope.spawn(|| steady::send_lookups(self.house, &self.polite, &self.asked_politely, &peace));
            let mut others: Vec<_> = slow.iter().map(|slow| scope.spawn(|| slow.run(&storm))).collect();
            others.push(scope.spawn(|| flood::break_off(self.house, &self.greedy, &self.asked_greedily, seed, &storm)));
            for _ in 0..POSTING {
                others.push(scope.spawn(|| evidence::post(port, &self.greedy, &storm)));
            }
            watch.look_for(Duration::from_secs(SLOW_PHASE_SECONDS))?;
            let refused = self.asked_politely.refused();
            ensure!(refused == 0, "{refused} lookups were refused beside slow clients and evidence");
            for _ in 0..FLOOD {
                others.push(
                    scope.spawn(|| flood::run(self.house, &self.greedy, &self.asked_greedily, CONNECTIONS, &flood)),
                );
            }
            watch.look_for(Duration::from_secs(FLOODED))?;
            ensure!(!watch.has_been_unready(), "the service was unready, although the excess was one client's");
            let refused = self.asked_politely.refused();
            ensure!(refused == 0, "{refused} lookups were refused beside the flood of another client");
            drop((storm_ends, flood_ends));
            let mut tally = CycleResult::default();
            for other in others {
                tally.add(&other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            watch.wait_for_recovery(FILES)?;
            let refused = self.asked_politely.refused();
            watch.look_for(Duration::from_secs(RECOVERY_PHASE_SECONDS))?;
            ensure!(self.asked_politely.refused() == refused, "lookups were refused after the flood");
            drop(peace_ends);
            tally.add(&polite.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            tally.add(&watch.tally()?);
            check_bounds(&tally)?;
            Ok(tally)
        })
    }
}

/// Verifies that the measurements are within their bounds.
fn check_bounds(tally: &CycleResult) -> Result<()> {
    for (what, bound) in [(flood::WAIT, MAX_WAIT_MS), (monitor::MEMORY, MEMORY)] {
        let peak = tally.peaks.get(what).copied().with_context(|| format!("{what} was not measured"))?;
        ensure!(peak <= bound, "{peak} {what}, and the bound is {bound}");
    }
    Ok(())
}
