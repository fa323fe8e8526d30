//! Steps on clients.

use crate::embedded::{shared, taken};
use crate::record::{ClientTotal, NameOwner, NumberedClient};
use crate::step::Step;
use crate::table::{self, Span, Tenant};
use crate::typed::ReadRecords;
use voight_domain::ports::StoreError;
use voight_domain::registry::{AuditEntry, Client, ClientChange, NewClient};
use voight_domain::vocabulary::ClientId;

/// Keeps a new client and gives it its number in the store.
pub(super) fn create(step: &mut Step<'_>, client: NewClient, audit: &AuditEntry) -> Result<Client, StoreError> {
    if step.holds(&table::name(&client.name))? {
        return Err(taken("the client's name"));
    }
    if step.holds(&table::client(client.id))? {
        return Err(taken("the client's id"));
    }
    let number =
        shared::end_of(step, &table::client_total(), &Span::<NumberedClient>::all())?.unwrap_or_default().0 + 1;
    step.put(table::client_total(), &ClientTotal(number));
    step.put(table::name(&client.name), &NameOwner(client.id));
    let numbered = NumberedClient { tenant: Tenant(number), client };
    step.put(table::client(numbered.client.id), &numbered);
    shared::audit(step, audit)?;
    Ok(numbered.client)
}

/// Applies a change to a client.
pub(super) fn change(
    step: &mut Step<'_>,
    id: ClientId,
    change: ClientChange,
    audit: &AuditEntry,
) -> Result<Option<Client>, StoreError> {
    let Some(NumberedClient { tenant, client }) = step.fetch(&table::client(id))? else { return Ok(None) };
    let changed = NumberedClient { tenant, client: client.after(change) };
    step.put(table::client(id), &changed);
    shared::audit(step, audit)?;
    Ok(Some(changed.client))
}
