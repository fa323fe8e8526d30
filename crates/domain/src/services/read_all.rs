//! Lists of a store, read page by page.

use crate::invoicing::Invoice;
use crate::ports::{BillingStore, ContextFilter, RegistryStore, StoreError};
use crate::registry::{Client, Context};
use crate::vocabulary::{ClientId, ContextId};

/// Page size, in records.
pub(super) const PAGE: usize = 500;

/// Reads all records of a list. `read` returns the page after a record, which is `None` for the first page, of at most the
/// given number of records.
async fn read_all<T>(
    read: impl AsyncFn(Option<&T>, usize) -> Result<Vec<T>, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut records: Vec<T> = Vec::new();
    loop {
        let page = read(records.last(), PAGE).await?;
        let is_last = page.len() < PAGE;
        records.extend(page);
        if is_last {
            return Ok(records);
        }
    }
}

/// Reads all clients.
pub(super) async fn read_clients(
    store: &(impl RegistryStore + ?Sized),
) -> Result<Vec<Client>, StoreError> {
    read_all(async |last: Option<&Client>, page| {
        store.clients(last.map(|client| client.id), page).await
    })
    .await
}

/// Reads all contexts that match the filter.
pub(super) async fn read_contexts(
    store: &(impl RegistryStore + ?Sized),
    filter: ContextFilter,
) -> Result<Vec<Context>, StoreError> {
    let mut pages = ContextPages::new(store, filter, None);
    let mut contexts = Vec::new();
    while let Some(page) = pages.next().await? {
        contexts.extend(page);
    }
    Ok(contexts)
}

/// Pages of the contexts that match a filter, in the order of their ids.
pub(super) struct ContextPages<'a, S: ?Sized> {
    store: &'a S,
    filter: ContextFilter,
    cursor: Option<ContextId>,
    is_read: bool,
}

impl<'a, S: RegistryStore + ?Sized> ContextPages<'a, S> {
    /// Creates the pages of the contexts after `after`.
    pub(super) const fn new(store: &'a S, filter: ContextFilter, after: Option<ContextId>) -> Self {
        Self {
            store,
            filter,
            cursor: after,
            is_read: false,
        }
    }

    /// Reads the next page; `None` after the last one.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Context>>, StoreError> {
        if self.is_read {
            return Ok(None);
        }
        let page = self
            .store
            .contexts(self.filter, self.cursor.take(), PAGE)
            .await?;
        self.is_read = page.len() < PAGE;
        self.cursor = page.last().map(|context| context.id.clone());
        Ok(Some(page))
    }
}

/// Reads all invoices of a client, ordered by number.
pub(super) async fn read_invoices(
    store: &(impl BillingStore + ?Sized),
    client: ClientId,
) -> Result<Vec<Invoice>, StoreError> {
    read_all(async |last: Option<&Invoice>, page| {
        store
            .invoices(client, last.map_or(0, |invoice| invoice.id.number), page)
            .await
    })
    .await
}
