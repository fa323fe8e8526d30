//! Lookups on concurrent connections.

use crate::platform::BenchClient;
use actix_web::dev::{Service, ServiceFactory};
use actix_web::rt::{System, SystemRunner, spawn};
use anyhow::{Context, Result, anyhow};
use std::future::Future;
use std::hint::black_box;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::rc::Rc;
use voight_http::serve_public_connection;

/// Number of connections.
const CONNECTIONS: u32 = 64;
/// Directory of the store: a file system in memory, so that no disk affects the groups.
const MEMORY: &str = "/dev/shm";
/// Address of the platform.
const PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 4711);

/// Answers `lookups` lookups on each connection after a warm-up of one on each; returns their number.
pub(crate) fn run(lookups: u32) -> Result<u32> {
    let memory = Path::new(MEMORY);
    let dir = if memory.is_dir() {
        tempfile::tempdir_in(memory)
    } else {
        tempfile::tempdir()
    };
    let dir = dir.context("there is no directory for the store")?;
    let system = System::new();
    let mut platform = system.block_on(BenchClient::new(&dir.path().join("voight.redb")))?;
    let state = platform.state.clone();
    let service = system.block_on(async { serve_public_connection(state).new_service(()).await });
    let service = Rc::new(service.map_err(|()| anyhow!("the app cannot be created"))?);
    let mut connect = |lookups| {
        let streams: Vec<_> = (0..CONNECTIONS)
            .map(|_| platform.connect(lookups))
            .collect();
        let service = Rc::clone(&service);
        // A connection creates a timer at its start, so it must be created inside the runtime.
        async move {
            let connections: Vec<_> = streams
                .into_iter()
                .map(|stream| spawn(service.call((stream, Some(PEER)))))
                .collect();
            for connection in connections {
                connection
                    .await?
                    .map_err(|error| anyhow!("not all lookups were answered: {error}"))?;
            }
            anyhow::Ok(())
        }
    };
    system.block_on(connect(1))?;
    let connections = connect(lookups);
    measured(&system, async move {
        connections.await?;
        // Closes the store after a last checkpoint.
        drop((service, platform));
        anyhow::Ok(())
    })?;
    Ok(lookups * CONNECTIONS)
}

/// Runs the load. The profiler selects this function by name, so it must stay on the stack.
#[inline(never)]
fn measured<F: Future>(system: &SystemRunner, load: F) -> F::Output {
    black_box(system.block_on(load))
}
