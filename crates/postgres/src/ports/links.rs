//! Account linkage: movement fingerprints and clusters.

use crate::PostgresStore;
use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, not_found};
use crate::sql::links;
use crate::value::{RowExt, values};
use async_trait::async_trait;
use std::collections::BTreeMap;
use voight_domain::linkage::{Cluster, ClusterKey, FingerprintIndex, LinkFacts, LinkSignals, LinkWrite};
use voight_domain::ports::{LinkStore, StoreError};
use voight_domain::registry::AuditEntry;
use voight_domain::secrets::AddressDigest;
use voight_domain::vocabulary::{ClientId, ContextId};
use voight_encoding::{ByteEnum, Encode, LinkRecord};

/// Context with the client that owns it.
type ContextRef<'a> = (ClientId, &'a ContextId);

#[async_trait]
impl LinkStore for PostgresStore {
    async fn traces(&self, context: &ContextId) -> Result<FingerprintIndex, StoreError> {
        self.read(context.clone(), |step, context| Box::pin(traces(step, context))).await
    }

    async fn cluster(&self, context: &ContextId, key: ClusterKey) -> Result<Option<Cluster>, StoreError> {
        self.read((context.clone(), key), |step, (context, key)| Box::pin(cluster(step, context, *key))).await
    }

    async fn assign(
        &self,
        context: &ContextId,
        members: Vec<(AddressDigest, ClusterKey)>,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        let arguments = (context.clone(), members, audit);
        self.write(arguments, |step, (context, members, audit)| Box::pin(assign(step, context, members, audit))).await
    }
}

async fn traces(step: &Transaction, context: &ContextId) -> Result<FingerprintIndex, Error> {
    match common::context_owner(step, context).await? {
        Some(client) => pages(step, (client, context)).await,
        None => Ok(FingerprintIndex::new()),
    }
}

async fn cluster(step: &Transaction, context: &ContextId, key: ClusterKey) -> Result<Option<Cluster>, Error> {
    match common::context_owner(step, context).await? {
        Some(client) => members(step, (client, context), key).await,
        None => Ok(None),
    }
}

async fn assign(
    step: &Transaction,
    context: &ContextId,
    members: &[(AddressDigest, ClusterKey)],
    audit: &AuditEntry,
) -> Result<(), Error> {
    let place = common::lock_context(step, context).await?;
    let (client, _) = place.ok_or_else(|| not_found("context", context))?;
    for (member, cluster) in members.iter().copied() {
        let record = LinkRecord::Assigned { member, cluster };
        step.enqueue_write(links::SET_ASSIGNED, values![client, context, member, record.encode()]);
    }
    common::audit(step, audit).await
}

/// Reads what a context stores about the link signals of a check.
pub(super) async fn facts(
    step: &Transaction,
    place: ContextRef<'_>,
    presented: &LinkSignals,
) -> Result<LinkFacts, Error> {
    let pages = if presented.traces.is_empty() { FingerprintIndex::new() } else { pages(step, place).await? };
    let assigned = assigned(step, place, presented.subject).await?;
    let mut clusters = BTreeMap::new();
    for key in presented.clusters().chain(assigned) {
        clusters.extend(members(step, place, key).await?.map(|cluster| (key, cluster)));
    }
    Ok(LinkFacts { pages, assigned, clusters })
}

/// Writes the links of a concluded check.
pub(super) fn write_links(step: &Transaction, (client, context): ContextRef<'_>, write: &LinkWrite) {
    if let Some((number, page)) = &write.page {
        step.enqueue_write(links::SET_PAGE, values![client, context, *number, page.encode()]);
    }
    for (key, cluster) in &write.clusters {
        let record = LinkRecord::Members(cluster.clone()).encode();
        step.enqueue_write(links::SET_CLUSTER, values![client, context, key.kind.code(), key.digest, record]);
    }
}

/// Reads the fingerprint index of a context.
pub(super) async fn pages(step: &Transaction, (client, context): ContextRef<'_>) -> Result<FingerprintIndex, Error> {
    let rows = step.rows(links::PAGES, values![client, context]).await?;
    let pages = rows.iter().map(|row| {
        let number = u16::try_from(row.number(0)?).map_err(Error::damaged)?;
        Ok((number, row.record(1)?))
    });
    pages.collect()
}

/// Reads the cluster that an operator has assigned an address to.
pub(super) async fn assigned(
    step: &Transaction,
    (client, context): ContextRef<'_>,
    member: AddressDigest,
) -> Result<Option<ClusterKey>, Error> {
    match step.fetch(links::ASSIGNED, values![client, context, member]).await? {
        Some(LinkRecord::Assigned { cluster, .. }) => Ok(Some(cluster)),
        _ => Ok(None),
    }
}

async fn members(
    step: &Transaction,
    (client, context): ContextRef<'_>,
    key: ClusterKey,
) -> Result<Option<Cluster>, Error> {
    let record = step.fetch(links::CLUSTER, values![client, context, key.kind.code(), key.digest]).await?;
    Ok(match record {
        Some(LinkRecord::Members(cluster)) => Some(cluster),
        _ => None,
    })
}
