//! Webhook endpoints and their deliveries.

mod deliveries;

use crate::PostgresStore;
use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, not_found};
use crate::sql::{endpoints, events};
use crate::value::{RowExt, Value, values};
use async_trait::async_trait;
use voight_domain::ports::{
    ClaimedDeliveries, EndpointOutcome, EndpointStore, NumberedDelivery, StoreError,
};
use voight_domain::registry::AuditEntry;
use voight_domain::vocabulary::{ClientId, EndpointId, Timestamp};
use voight_domain::webhooks::{
    AuditedChange, DeliveryConclusion, DeliveryLane, DeliveryReport, Endpoint, EndpointCreation,
    EndpointName, EndpointRecord,
};
use voight_encoding::ByteEnum;

#[async_trait]
impl EndpointStore for PostgresStore {
    async fn create_endpoint(
        &self,
        endpoint: Endpoint,
        audit: AuditEntry,
    ) -> Result<EndpointCreation, StoreError> {
        self.write((endpoint, audit), |transaction, (endpoint, audit)| {
            Box::pin(create(transaction, endpoint, audit))
        })
        .await
    }

    async fn endpoint(&self, name: EndpointName) -> Result<Option<EndpointRecord>, StoreError> {
        self.read(name, |transaction, name| {
            Box::pin(transaction.fetch(endpoints::ENDPOINT, endpoint_key(*name)))
        })
        .await
    }

    async fn endpoints(&self, client: ClientId) -> Result<Vec<EndpointRecord>, StoreError> {
        self.read(client, |transaction, client| {
            Box::pin(transaction.list(endpoints::ENDPOINTS, values![*client]))
        })
        .await
    }

    async fn change_endpoint(
        &self,
        name: EndpointName,
        changes: Vec<AuditedChange>,
    ) -> Result<Option<EndpointOutcome>, StoreError> {
        self.write((name, changes), |transaction, (name, changes)| {
            Box::pin(apply_changes(transaction, *name, changes))
        })
        .await
    }

    async fn delete_endpoint(
        &self,
        name: EndpointName,
        audit: AuditEntry,
    ) -> Result<bool, StoreError> {
        self.write((name, audit), |transaction, (name, audit)| {
            Box::pin(delete(transaction, *name, audit))
        })
        .await
    }

    async fn due_endpoints(
        &self,
        lane: DeliveryLane,
        limit: usize,
    ) -> Result<Vec<EndpointName>, StoreError> {
        self.read((lane, limit), |transaction, (lane, limit)| {
            Box::pin(list_due(transaction, *lane, *limit))
        })
        .await
    }

    async fn claim_deliveries(
        &self,
        name: EndpointName,
        limit: usize,
    ) -> Result<Option<ClaimedDeliveries>, StoreError> {
        self.write((name, limit), |transaction, (name, limit)| {
            Box::pin(deliveries::claim(transaction, *name, *limit))
        })
        .await
    }

    async fn conclude_deliveries(
        &self,
        name: EndpointName,
        conclusion: DeliveryConclusion,
    ) -> Result<Option<Vec<DeliveryReport>>, StoreError> {
        self.write((name, conclusion), |transaction, (name, conclusion)| {
            Box::pin(deliveries::conclude(transaction, *name, conclusion))
        })
        .await
    }

    async fn deliveries(
        &self,
        name: EndpointName,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<NumberedDelivery>, StoreError> {
        self.read(
            (name, before, limit),
            |transaction, (name, before, limit)| {
                Box::pin(deliveries::list(transaction, *name, *before, *limit))
            },
        )
        .await
    }

    async fn purge_deliveries(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        let expired_logs = self
            .read((before, limit), |transaction, (before, limit)| {
                Box::pin(deliveries::expired_logs(transaction, *before, *limit))
            })
            .await?;
        let mut purged_records = 0;
        // One transaction per endpoint, because each locks an endpoint.
        for name in expired_logs {
            if purged_records >= limit {
                break;
            }
            let arguments = (name, before, limit - purged_records);
            let log_purge = self.write(arguments, |transaction, (name, before, limit)| {
                Box::pin(deliveries::purge(transaction, *name, *before, *limit))
            });
            purged_records += log_purge.await?;
        }
        Ok(purged_records)
    }
}

/// Returns the values of the primary key of an endpoint.
fn endpoint_key(name: EndpointName) -> Vec<Value> {
    values![name.client, name.id.to_bytes()]
}

/// Locks an endpoint and returns its record.
async fn lock(
    transaction: &Transaction,
    name: EndpointName,
) -> Result<Option<EndpointRecord>, Error> {
    transaction.set_client(name.client);
    transaction
        .fetch(endpoints::LOCK_ENDPOINT, endpoint_key(name))
        .await
}

/// Stores a new endpoint.
///
/// The locked client serialises the creations of its endpoints. With the locked feed, the next event is the first one that
/// makes the endpoint due.
async fn create(
    transaction: &Transaction,
    endpoint: &Endpoint,
    audit: &AuditEntry,
) -> Result<EndpointCreation, Error> {
    let client = endpoint.client;
    common::lock_client(transaction, client)
        .await?
        .ok_or_else(|| not_found("client", client))?;
    let records: Vec<EndpointRecord> = transaction
        .list(endpoints::ENDPOINTS, values![client])
        .await?;
    let stored_record = records
        .iter()
        .find(|record| record.endpoint.id == endpoint.id);
    let feed = common::lock_event_feed(transaction, client).await?;
    let creation = EndpointRecord::creation(
        endpoint.clone(),
        stored_record.cloned(),
        records.len(),
        feed,
    );
    if let EndpointCreation::Created(record) = &creation {
        transaction.enqueue_write(endpoints::ADD_ENDPOINT, common::endpoint_row(record));
        common::audit(transaction, audit).await?;
    }
    common::drop_empty_feed(transaction, client, &feed);
    Ok(creation)
}

/// Applies changes to an endpoint; `None` if it does not exist. The feed is read after the endpoint is locked.
async fn apply_changes(
    transaction: &Transaction,
    name: EndpointName,
    changes: &[AuditedChange],
) -> Result<Option<EndpointOutcome>, Error> {
    transaction.set_client(name.client);
    let reads = [
        (endpoints::LOCK_ENDPOINT, endpoint_key(name)),
        (events::EVENT_FEED, values![name.client]),
    ];
    let answers = transaction.pipelined_rows(&reads).await?;
    let [endpoint_rows, feed_rows] = answers.as_slice() else {
        return Err(Error::damaged("an answer is missing"));
    };
    let Some(endpoint_row) = endpoint_rows.first() else {
        return Ok(None);
    };
    let record: EndpointRecord = endpoint_row.record(0)?;
    let feed = feed_rows.first().map(|row| row.record(0)).transpose()?;
    let feed = feed.unwrap_or_default();
    let step = match record.with_changes(changes.to_vec(), feed, transaction.now()) {
        Ok(step) => step,
        Err(error) => return Ok(Some(Err(error))),
    };
    common::put_endpoint(transaction, &step.record);
    common::audit_all(transaction, &step.audit).await?;
    Ok(Some(Ok(step.record)))
}

/// Deletes an endpoint with its log; returns `false` if it does not exist.
async fn delete(
    transaction: &Transaction,
    name: EndpointName,
    audit: &AuditEntry,
) -> Result<bool, Error> {
    let locked_endpoint = lock(transaction, name).await?;
    if locked_endpoint.is_some() {
        transaction.enqueue_write(endpoints::DROP_DELIVERIES, endpoint_key(name));
        transaction.enqueue_write(endpoints::DROP_ENDPOINT, endpoint_key(name));
        common::audit(transaction, audit).await?;
    }
    Ok(locked_endpoint.is_some())
}

/// Returns at most `limit` due endpoints of a lane, the longest overdue first.
async fn list_due(
    transaction: &Transaction,
    lane: DeliveryLane,
    limit: usize,
) -> Result<Vec<EndpointName>, Error> {
    let [due_until, wrong_after] = DeliveryLane::due_bounds(transaction.now());
    let reads = [
        (endpoints::DUE_UNTIL, values![lane.code(), due_until, limit]),
        (
            endpoints::DUE_AFTER,
            values![lane.code(), wrong_after, limit],
        ),
    ];
    let answers = transaction.pipelined_rows(&reads).await?;
    answers
        .iter()
        .flatten()
        .take(limit)
        .map(endpoint_name)
        .collect()
}

/// Returns the name of an endpoint in the first two columns.
fn endpoint_name(row: &impl RowExt) -> Result<EndpointName, Error> {
    Ok(EndpointName {
        client: ClientId::from_bytes(row.byte_array(0)?),
        id: EndpointId::from_bytes(row.byte_array(1)?),
    })
}
