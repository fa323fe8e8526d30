//! Complete lists, read page by page.

use crate::error::ApiError;
use crate::state::AppState;
use voight_domain::invoicing::Invoice;
use voight_domain::ports::{ContextFilter, StoreError};
use voight_domain::registry::{Client, Context};
use voight_domain::vocabulary::ClientId;

/// Number of entries that one call of the store requests.
pub(super) const PAGE: usize = 500;

/// Returns the requested client, or all clients if `name_or_id` is `None`.
pub(super) async fn clients_of(state: &AppState, name_or_id: Option<&str>) -> Result<Vec<Client>, ApiError> {
    match name_or_id {
        Some(name_or_id) => Ok(vec![state.services.registrar.find_client(name_or_id).await?]),
        None => Ok(clients(state).await?),
    }
}

/// Returns all clients.
pub(super) async fn clients(state: &AppState) -> Result<Vec<Client>, StoreError> {
    let mut all: Vec<Client> = Vec::new();
    loop {
        let page = state.services.store.clients(all.last().map(|client| client.id), PAGE).await?;
        let last = page.len() < PAGE;
        all.extend(page);
        if last {
            return Ok(all);
        }
    }
}

/// Returns all contexts that match the filter.
pub(super) async fn contexts(state: &AppState, filter: ContextFilter) -> Result<Vec<Context>, StoreError> {
    let mut all: Vec<Context> = Vec::new();
    loop {
        let after = all.last().map(|context| context.id.clone());
        let page = state.services.store.contexts(filter, after, PAGE).await?;
        let last = page.len() < PAGE;
        all.extend(page);
        if last {
            return Ok(all);
        }
    }
}

/// Returns all invoices of a client, ordered by number.
pub(super) async fn invoices(state: &AppState, client: ClientId) -> Result<Vec<Invoice>, StoreError> {
    let mut all: Vec<Invoice> = Vec::new();
    loop {
        let after = all.last().map_or(0, |invoice| invoice.id.number);
        let page = state.services.store.invoices(client, after, PAGE).await?;
        let last = page.len() < PAGE;
        all.extend(page);
        if last {
            return Ok(all);
        }
    }
}
