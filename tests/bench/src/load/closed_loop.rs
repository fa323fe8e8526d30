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
    clients: Vec<A>,
    time: Duration,
) -> Result<LoadMeasurement<A>> {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .context("no runtime for the load")?;
    LocalSet::new().block_on(&runtime, run(target, clients, time))
}

async fn run<A: LoadClient + 'static>(
    target: TargetServer,
    clients: Vec<A>,
    time: Duration,
) -> Result<LoadMeasurement<A>> {
    let wires = LoadConnection::open_all(target.ports().take(clients.len())).await?;
    let running = RunningLoad::begin(target)?;
    let mut tasks = Vec::new();
    for (mut wire, mut client) in wires.into_iter().zip(clients) {
        let latency = Rc::clone(&running.latency);
        let load_stopwatch = running.stopwatch;
        tasks.push(spawn_local(async move {
            while load_stopwatch.elapsed() < time && wire.prepare(&mut client) {
                let stopwatch = Stopwatch::start();
                let answer = wire.exchange().await?;
                latency.borrow_mut().add(stopwatch.elapsed());
                client.read_response(answer)?;
            }
            anyhow::Ok(client)
        }));
    }
    let mut finished_clients = Vec::new();
    for client in tasks {
        finished_clients.push(client.await.context("a connection has stopped")??);
    }
    running.end(finished_clients)
}
