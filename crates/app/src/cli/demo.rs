//! `voight demo`.

use super::invocation::Invocation;
use super::number::whole;
use crate::config::{Config, Flag, Log};
use crate::demo::{self, DemoListeners, TempDataDir};
use crate::exit::CommandError;
use crate::telemetry;
use clap::Args;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

/// Start the service with a temporary store and a sample quest page.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  voight demo
  voight demo --port 9080 --page-port 9090
  voight demo --data-dir ./demo-data")]
pub(super) struct Demo {
    /// Port of the service on localhost; if it is in use, a free port is chosen
    #[arg(long, value_name = "PORT", default_value_t = 8080, allow_negative_numbers = true, value_parser = whole(0_u16, u16::MAX))]
    port: u16,
    /// Port of the quest page on 127.0.0.1; if it is in use, a free port is chosen
    #[arg(long, value_name = "PORT", default_value_t = 8090, allow_negative_numbers = true, value_parser = whole(0_u16, u16::MAX))]
    page_port: u16,
}

impl Demo {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let scratch = match invocation.globals.data_dir {
            Some(_) => None,
            None => Some(TempDataDir::new()?),
        };
        let config = Self::config(invocation, scratch.as_ref())?;
        let filter = invocation
            .globals
            .log
            .clone()
            .unwrap_or_else(|| "warn".to_owned());
        telemetry::start(&Log {
            filter,
            json: config.log.json,
        })?;
        let listeners = DemoListeners {
            service: bind(self.port)?,
            admin: bind(0)?,
            page: bind(self.page_port)?,
        };
        demo::run(&config, listeners, invocation.output)
    }

    fn config(
        invocation: &Invocation,
        scratch: Option<&TempDataDir>,
    ) -> Result<Config, CommandError> {
        let flag = |scratch: &TempDataDir| Flag {
            key: "store.data_dir",
            value: scratch.path().to_string_lossy().into_owned(),
        };
        // The configuration of the system names the store of the service, into which a demo must not write.
        let mut invocation = invocation.clone();
        invocation.globals.config.get_or_insert_default();
        Ok(invocation
            .load(scratch.map(flag).into_iter().collect())?
            .config)
    }
}

/// Binds the port, or any free one if it is in use, so that the demo always starts.
fn bind(port: u16) -> Result<TcpListener, CommandError> {
    let at = |port| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    at(port).or_else(|_| at(0)).map_err(|error| {
        CommandError::internal(format!("no port of this machine can be used: {error}"))
    })
}
