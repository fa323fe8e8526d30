//! `voight health`.

use super::invocation::Invocation;
use super::number::natural;
use crate::admin_client::{AdminListener, readiness};
use crate::exit::CommandError;
use crate::os::Monotonic;
use crate::session;
use clap::Args;
use std::thread::sleep;
use std::time::Duration;
use voight_api::admin::ReadyInfo;

/// Pause between two requests of `--wait`.
const PAUSE: Duration = Duration::from_millis(200);

/// Test whether the server of this data directory accepts traffic
///
/// Exits with 0 if it does, with 1 if it does not, and with 5 if it does not respond within five seconds. The command needs no
/// admin token, and starts no server.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  voight health --data-dir /var/lib/voight
  voight health --wait
  voight health --wait=30
  voight health --server http://127.0.0.1:8081 --json")]
pub(super) struct Health {
    /// Wait until the server accepts traffic, at most this number of seconds; 60 if the number is omitted [default: do not wait]
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "60", allow_negative_numbers = true, value_parser = natural::<u64>)]
    wait: Option<u64>,
}

impl Health {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let config = invocation.load(Vec::new())?.config;
        let listener = session::listener(&config, invocation.globals.server.as_deref())?;
        let info = self.readiness(&listener)?;
        if info.ready || invocation.output.is_json() {
            invocation.output.data(&info, describe)?;
        }
        if info.ready {
            Ok(())
        } else {
            Err(CommandError::internal(format!(
                "not ready: {}",
                info.reasons.join("; ")
            )))
        }
    }

    /// Requests the readiness until the server is ready or the time is over.
    fn readiness(&self, listener: &AdminListener) -> Result<ReadyInfo, CommandError> {
        let start = Monotonic::start();
        let limit = Duration::from_secs(self.wait.unwrap_or_default());
        loop {
            let health = readiness(listener.clone());
            if health.as_ref().is_ok_and(|info| info.ready) || start.elapsed() >= limit {
                return health;
            }
            sleep(PAUSE);
        }
    }
}

fn describe(info: &ReadyInfo) -> String {
    let warnings = info
        .warnings
        .iter()
        .map(|warning| format!("\nwarning: {warning}"));
    std::iter::once("ready".to_owned())
        .chain(warnings)
        .collect()
}
