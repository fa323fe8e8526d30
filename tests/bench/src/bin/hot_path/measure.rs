//! Sequential lookups on one connection.

use crate::platform::BenchClient;
use actix_web::dev::{Service, ServiceFactory};
use actix_web::rt::{System, SystemRunner};
use anyhow::{Result, anyhow};
use std::future::Future;
use std::hint::black_box;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use voight_http::serve_public_connection;

/// Number of lookups before the measurement, so that lazy initialisation is not measured.
const WARM_UP: u32 = 200;
/// Address of the platform.
const PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 4711);

/// Answers `lookups` lookups after a warm-up; returns the number of their allocations.
pub(crate) fn run(lookups: u32) -> Result<u64> {
    let system = System::new();
    let mut platform = system.block_on(BenchClient::new())?;
    let state = platform.state.clone();
    let service = system.block_on(async { serve_public_connection(state).new_service(()).await });
    let service = service.map_err(|()| anyhow!("the app cannot be created"))?;
    let mut connect = |lookups| {
        let (service, stream) = (&service, platform.connect(lookups));
        // A connection creates a timer at its start, so it must be created inside the runtime.
        async move { service.call((stream, Some(PEER))).await }
    };
    let failed = |error| anyhow!("not all lookups were answered: {error}");
    system.block_on(connect(WARM_UP)).map_err(failed)?;
    let connection = connect(lookups);
    let mut outcome = Ok(());
    let counted = allocation_counter::measure(|| outcome = measured(&system, connection));
    outcome.map_err(failed)?;
    Ok(counted.count_total)
}

/// Serves the connection. Callgrind and the profiler select this function by name, so it must stay on the stack.
#[inline(never)]
fn measured<F: Future>(system: &SystemRunner, connection: F) -> F::Output {
    black_box(system.block_on(connection))
}
