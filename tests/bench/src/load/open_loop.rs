//! Open loop: requests are sent at fixed times, independent of pending responses.
//!
//! Each request has a scheduled time. If all connections are busy then, it waits, and its latency counts from the scheduled
//! time: a stall of the server is charged for all requests scheduled in the meantime (no coordinated omission).

use super::client::LoadClient;
use super::measured::{LoadMeasurement, RunningLoad, TargetServer};
use super::wire::LoadConnection;
use crate::clock::Stopwatch;
use anyhow::{Context, Result, ensure};
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::task::{LocalSet, spawn_local, yield_now};

/// Request rate per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate(pub(crate) u32);

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Rate {
    /// Returns the scheduled time of a request, counted from 0.
    fn send_time(self, number: u32) -> Duration {
        Duration::from_secs(1).mul_f64(f64::from(number) / f64::from(self.0.max(1)))
    }

    /// Returns the number of requests scheduled within `time`.
    fn within(self, time: Duration) -> u32 {
        let number = f64::from(self.0) * time.as_secs_f64();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rate times several seconds"
        )]
        let number = number as u32;
        number
    }
}

/// Sends requests at this rate for `time`, on one connection per client. Waits for the last response.
pub(crate) fn run_open_loop<A: LoadClient + 'static>(
    target: TargetServer,
    clients: Vec<A>,
    rate: Rate,
    time: Duration,
) -> Result<LoadMeasurement<A>> {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .context("no runtime for the load")?;
    LocalSet::new().block_on(&runtime, run(target, clients, rate, time))
}

/// Scheduled requests, and the number of the next one.
struct RequestSchedule {
    waiting: Semaphore,
    next: Cell<u32>,
}

async fn run<A: LoadClient + 'static>(
    target: TargetServer,
    clients: Vec<A>,
    rate: Rate,
    time: Duration,
) -> Result<LoadMeasurement<A>> {
    let wires = LoadConnection::open_all(target.ports().take(clients.len())).await?;
    let schedule = Rc::new(RequestSchedule {
        waiting: Semaphore::new(0),
        next: Cell::new(0),
    });
    let running = RunningLoad::begin(target)?;
    let mut tasks = Vec::new();
    for (mut wire, mut client) in wires.into_iter().zip(clients) {
        let latency = Rc::clone(&running.latency);
        let stopwatch = running.stopwatch;
        let schedule = Rc::clone(&schedule);
        tasks.push(spawn_local(async move {
            let send_result = send_when_due(&schedule, &mut wire, &mut client, |request| {
                latency
                    .borrow_mut()
                    .add(stopwatch.elapsed().saturating_sub(rate.send_time(request)));
            });
            // An error of one connection ends the whole load.
            send_result
                .await
                .inspect_err(|_| schedule.waiting.close())?;
            anyhow::Ok(client)
        }));
    }
    send(&schedule, rate, rate.within(time), running.stopwatch).await;
    let mut finished_clients = Vec::new();
    for client in tasks {
        finished_clients.push(client.await.context("a connection has stopped")??);
    }
    running.end(finished_clients)
}

/// Sends requests when they are due, until the schedule ends.
async fn send_when_due(
    schedule: &RequestSchedule,
    wire: &mut LoadConnection,
    client: &mut impl LoadClient,
    answered: impl Fn(u32),
) -> Result<()> {
    while let Ok(request) = schedule.waiting.acquire().await {
        request.forget();
        let number = schedule.next.replace(schedule.next.get() + 1);
        ensure!(wire.prepare(client), "the client has no more requests");
        let answer = wire.exchange().await?;
        answered(number);
        client.read_response(answer)?;
    }
    Ok(())
}

/// Makes requests due at their scheduled times. It polls without sleeping, because a timer would be late by up to a
/// millisecond.
async fn send(schedule: &RequestSchedule, rate: Rate, number: u32, stopwatch: Stopwatch) {
    for request in 0..number {
        while stopwatch.elapsed() < rate.send_time(request) && !schedule.waiting.is_closed() {
            yield_now().await;
        }
        schedule.waiting.add_permits(1);
    }
    while schedule.waiting.available_permits() > 0 && !schedule.waiting.is_closed() {
        yield_now().await;
    }
    schedule.waiting.close();
}

#[cfg(test)]
mod tests {
    use super::Rate;
    use std::time::Duration;

    #[test]
    fn requests_are_scheduled_at_equal_intervals() {
        let rate = Rate(2000);
        assert_eq!(rate.send_time(0), Duration::ZERO);
        assert_eq!(rate.send_time(3), Duration::from_micros(1500));
        assert_eq!(rate.within(Duration::from_millis(1500)), 3000);
    }
}
