//! Closed loop: each connection sends the next request as soon as it has the response.

use super::client::LoadClient;
use super::measured::{LoadMeasurement, RunningLoad, TargetServer};
use super::wire::LoadConnection;
use crate::clock::Stopwatch;
use anyhow::{Context, Result};
use std::rc::Rc;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::task::{LocalSet, spawn_local};

/// Runs each client on its own connection for `time`, or until it has no more requests. All pending requests are completed, and
/// the clients are returned in order.
pub(crate) fn run_closed_loop<A: LoadClient + 'static>(
    target: TargetServer,
    askers: Vec<A>,
    time: Duration,
) -> Result<LoadMeasurement<A>> {
    let runtime = Builder::new_current_thread().enable_all().build().context("no runtime for the load")?;
    LocalSet::new().block_on(&runtime, run(target, askers, time))
}

async fn run<A: LoadClient + 'static>(
    target: TargetServer,
    askers: Vec<A>,
    time: Duration,
) -> Result<LoadMeasurement<A>> {
    let wires = LoadConnection::open_all(target.ports().take(askers.len())).await?;
    let running = RunningLoad::begin(target)?;
    let mut asking = Vec::new();
    for (mut wire, mut asker) in wires.into_iter().zip(askers) {
        let (latency, whole) = (Rc::clone(&running.latency), running.watch);
        asking.push(spawn_local(async move {
            while whole.elapsed() < time && wire.prepare(&mut asker) {
                let watch = Stopwatch::start();
                let answer = wire.exchange().await?;
                latency.borrow_mut().add(watch.elapsed());
                asker.read_response(answer)?;
            }
            anyhow::Ok(asker)
        }));
    }
    let mut done = Vec::new();
    for asker in asking {
        done.push(asker.await.context("a connection has stopped")??);
    }
    running.end(done)
}
