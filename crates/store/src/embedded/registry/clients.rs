//! Steps on clients.

use crate::embedded::{already_exists, shared};
use crate::record::{ClientCount, ClientNameIndex, ClientRecord};
use crate::step::WriteTransaction;
use crate::table::{self, ClientNumber, KeyRange};
use crate::typed::ReadRecords;
use voight_domain::ports::StoreError;
use voight_domain::registry::{AuditEntry, Client, ClientChange, NewClient};
use voight_domain::vocabulary::ClientId;

/// Keeps a new client and gives it its number in the store.
pub(super) fn create(
    step: &mut WriteTransaction<'_>,
    client: NewClient,
    audit: &AuditEntry,
) -> Result<Client, StoreError> {
    if step.holds(&table::name(&client.name))? {
        return Err(already_exists("the client's name"));
    }
    if step.holds(&table::client(client.id))? {
        return Err(already_exists("the client's id"));
    }
    let number =
        shared::load_tail(step, &table::client_total(), &KeyRange::<ClientRecord>::all())?.unwrap_or_default().0 + 1;
    step.put(table::client_total(), &ClientCount(number));
    step.put(table::name(&client.name), &ClientNameIndex(client.id));
    let numbered = ClientRecord { tenant: ClientNumber(number), client };
    step.put(table::client(numbered.client.id), &numbered);
    shared::append_audit(step, audit)?;
    Ok(numbered.client)
}

/// Applies a change to a client.
pub(super) fn change(
    step: &mut WriteTransaction<'_>,
    id: ClientId,
    change: ClientChange,
    audit: &AuditEntry,
) -> Result<Option<Client>, StoreError> {
    let Some(ClientRecord { tenant, client }) = step.fetch(&table::client(id))? else { return Ok(None) };
    let changed = ClientRecord { tenant, client: client.with_change(change) };
    step.put(table::client(id), &changed);
    shared::append_audit(step, audit)?;
    Ok(Some(changed.client))
}
