//! Handlers for verdicts.

mod explain;
mod list;
mod override_verdict;

use super::error::parsed;
use super::resolve::context_id;
use super::routes::Routes;
use crate::error::ApiError;
use crate::state::AppState;
use voight_api::admin::routes;
use voight_domain::vocabulary::{ContextId, EoaAddress};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_VERDICTS, list::list)
        .add(&routes::EXPLAIN_VERDICT, explain::explain)
        .add(
            &routes::OVERRIDE_VERDICT,
            override_verdict::override_verdict,
        );
}

/// Returns the context and the address that a path names.
async fn subject(
    state: &AppState,
    path: &(String, String),
) -> Result<(ContextId, EoaAddress), ApiError> {
    Ok((
        context_id(state, &path.0).await?,
        parsed("address", &path.1)?,
    ))
}
