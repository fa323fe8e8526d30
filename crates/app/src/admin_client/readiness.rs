//! Readiness of a server, which needs no token.

use super::{AdminListener, config_with_timeout};
use crate::exit::CommandError;
use std::time::Duration;
use voight_api::admin::ReadyInfo;

/// Timeout of the request. A server that needs longer does not serve its clients either.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the readiness of the server at `listener`; `Unreachable` if it does not respond.
pub(crate) fn readiness(listener: AdminListener) -> Result<ReadyInfo, CommandError> {
    let place = listener.place();
    let url = format!("{}/readyz", listener.base());
    let answer = listener.agent(config_with_timeout(TIMEOUT)).get(url).call();
    let readiness = answer.and_then(|mut answer| answer.body_mut().read_json());
    readiness.map_err(|error| {
        CommandError::unreachable(format!(
            "no readiness from the server at {place} ({error}); check that it runs, and that --data-dir or --server names it"
        ))
    })
}
