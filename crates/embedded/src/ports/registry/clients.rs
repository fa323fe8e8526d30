//! Write transactions on clients.

use crate::common::{self, already_exists};
use crate::read_records::ReadRecords;
use crate::record::{ClientCount, ClientNameIndex, ClientRecord};
use crate::table::{self, ClientNumber, KeyRange};
use crate::write_transaction::WriteTransaction;
use voight_domain::ports::StoreError;
use voight_domain::registry::{AuditEntry, Client, ClientChange, NewClient};
use voight_domain::vocabulary::ClientId;

/// Stores a new client and assigns its number.
pub(super) fn create(
    transaction: &mut WriteTransaction<'_>,
    client: NewClient,
    audit: &AuditEntry,
) -> Result<Client, StoreError> {
    if transaction.holds(&table::name(&client.name))? {
        return Err(already_exists("the client's name"));
    }
    if transaction.holds(&table::client(client.id))? {
        return Err(already_exists("the client's id"));
    }
    let number = common::load_tail(
        transaction,
        &table::client_total(),
        &KeyRange::<ClientRecord>::all(),
    )?
    .unwrap_or_default()
    .0 + 1;
    transaction.put(table::client_total(), &ClientCount(number));
    transaction.put(table::name(&client.name), &ClientNameIndex(client.id));
    let record = ClientRecord {
        client_number: ClientNumber(number),
        client,
    };
    transaction.put(table::client(record.client.id), &record);
    common::append_audit(transaction, audit)?;
    Ok(record.client)
}

/// Applies a change to a client.
pub(super) fn change(
    transaction: &mut WriteTransaction<'_>,
    id: ClientId,
    change: ClientChange,
    audit: &AuditEntry,
) -> Result<Option<Client>, StoreError> {
    let Some(ClientRecord {
        client_number,
        client,
    }) = transaction.fetch(&table::client(id))?
    else {
        return Ok(None);
    };
    let record = ClientRecord {
        client_number,
        client: client.with_change(change),
    };
    transaction.put(table::client(id), &record);
    common::append_audit(transaction, audit)?;
    Ok(Some(record.client))
}
