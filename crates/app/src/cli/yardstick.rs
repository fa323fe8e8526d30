//! `voight yardstick`.

use super::invocation::Invocation;
use super::serve::{bind, listen_addr};
use crate::exit::Failure;
use crate::lifecycle::block_on;
use clap::Args;
use serde::Serialize;
use std::io;
use std::net::SocketAddr;
use voight_http::serve_yardstick;

/// Serve the same 120 bytes again and again: what the benchmark measures lookups against.
#[derive(Debug, Args)]
pub(super) struct Yardstick {
    /// Where; port 0 means any free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0", value_parser = listen_addr)]
    listen: SocketAddr,
}

/// What is said once it can be asked.
#[derive(Debug, Serialize)]
struct Ready {
    listening: SocketAddr,
    /// Whether this is a release build; no other is worth measuring.
    release: bool,
}

impl Yardstick {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), Failure> {
        let (listener, listening) = bind(self.listen, "--listen")?;
        let ready = Ready { listening, release: !cfg!(debug_assertions) };
        block_on(async {
            let failed = |error: io::Error| Failure::internal(format!("the listener cannot be served: {error}"));
            let server = serve_yardstick(listener).map_err(failed)?;
            invocation.output.data(&ready, |ready| format!("listening on {}", ready.listening))?;
            server.await.map_err(failed)
        })
    }
}
