//! Handlers for verdicts.

mod explain;
mod list;
mod override_verdict;

use super::error::parsed;
use super::resolve::context_id;
use super::routes::{Routes, get, post};
use crate::error::ApiError;
use crate::state::AppState;
use voight_domain::registry::Permission::{Operate, Read};
use voight_domain::vocabulary::{ContextId, EoaAddress};

pub(super) fn configure(routes: &mut Routes) {
    const VERDICTS: &str = "/contexts/{context}/verdicts";
    routes
        .add(VERDICTS, "GET", [get(Read, list::list)])
        .add(&format!("{VERDICTS}/{{address}}"), "GET", [get(Read, explain::explain)])
        .add(&format!("{VERDICTS}/{{address}}/override"), "POST", [post(Operate, override_verdict::override_verdict)]);
}

/// Returns the context and the address that a path names.
async fn subject(state: &AppState, path: &(String, String)) -> Result<(ContextId, EoaAddress), ApiError> {
    Ok((context_id(state, &path.0).await?, parsed("address", &path.1)?))
}
