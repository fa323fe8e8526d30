//! `voight demo`.

use super::invocation::Invocation;
use super::number::whole;
use crate::config::{Config, Flag, Log};
use crate::demo::{self, DemoListeners, TempDataDir};
use crate::exit::CommandError;
use crate::telemetry;
use clap::Args;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

/// Run everything at once: the service on a store of its own, and a quest page that uses it.
#[derive(Debug, Args)]
pub(super) struct Demo {
    /// The service's port on localhost; another one is taken if it is in use
    #[arg(long, value_name = "PORT", default_value_t = 8080, allow_negative_numbers = true, value_parser = whole(0_u16, u16::MAX))]
    port: u16,
    /// The quest page's port on 127.0.0.1; another one is taken if it is in use
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
        let filter = invocation.globals.log.clone().unwrap_or_else(|| "warn".to_owned());
        telemetry::start(&Log { filter, json: config.log.json })?;
        let listeners = DemoListeners { service: bind(self.port)?, admin: bind(0)?, page: bind(self.page_port)? };
        demo::run(&config, listeners, invocation.output)
    }

    fn config(invocation: &Invocation, scratch: Option<&TempDataDir>) -> Result<Config, CommandError> {
        let flag = |scratch: &TempDataDir| Flag {
            key: "store.data_dir",
            value: scratch.path().to_string_lossy().into_owned(),
        };
        Ok(invocation.load(scratch.map(flag).into_iter().collect())?.config)
    }
}

/// The port, or any free one if it is in use: a demo should start.
fn bind(port: u16) -> Result<TcpListener, CommandError> {
    let at = |port| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    at(port)
        .or_else(|_| at(0))
        .map_err(|error| CommandError::internal(format!("no port of this machine can be used: {error}")))
}
