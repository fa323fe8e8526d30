//! Account linkage: movement fingerprints and clusters.

use crate::PostgresStore;
use crate::common::{self, ContextKey};
use crate::connection::Transaction;
use crate::error::{Error, not_found};
use crate::sql::links;
use crate::value::{RowExt, values};
use async_trait::async_trait;
use std::collections::BTreeMap;
use voight_domain::linkage::{
    Cluster, ClusterKey, FingerprintIndex, LinkFacts, LinkSignals, LinkWrite,
};
use voight_domain::ports::{LinkStore, StoreError};
use voight_domain::registry::AuditEntry;
use voight_domain::secrets::AddressDigest;
use voight_domain::vocabulary::ContextId;
use voight_encoding::{ByteEnum, Encode, LinkRecord};

#[async_trait]
impl LinkStore for PostgresStore {
    async fn traces(&self, context: &ContextId) -> Result<FingerprintIndex, StoreError> {
        self.read(context.clone(), |transaction, context| {
            Box::pin(traces(transaction, context))
        })
        .await
    }

    async fn cluster(
        &self,
        context: &ContextId,
        key: ClusterKey,
    ) -> Result<Option<Cluster>, StoreError> {
        self.read((context.clone(), key), |transaction, (context, key)| {
            Box::pin(cluster(transaction, context, *key))
        })
        .await
    }

    async fn assign(
        &self,
        context: &ContextId,
        members: Vec<(AddressDigest, ClusterKey)>,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        let arguments = (context.clone(), members, audit);
        self.write(arguments, |transaction, (context, members, audit)| {
            Box::pin(assign(transaction, context, members, audit))
        })
        .await
    }
}

async fn traces(transaction: &Transaction, context: &ContextId) -> Result<FingerprintIndex, Error> {
    match common::context_owner(transaction, context).await? {
        Some(client) => pages(transaction, ContextKey { client, context }).await,
        None => Ok(FingerprintIndex::new()),
    }
}

async fn cluster(
    transaction: &Transaction,
    context: &ContextId,
    key: ClusterKey,
) -> Result<Option<Cluster>, Error> {
    match common::context_owner(transaction, context).await? {
        Some(client) => members(transaction, ContextKey { client, context }, key).await,
        None => Ok(None),
    }
}

async fn assign(
    transaction: &Transaction,
    context: &ContextId,
    members: &[(AddressDigest, ClusterKey)],
    audit: &AuditEntry,
) -> Result<(), Error> {
    let context_key = common::lock_context(transaction, context).await?;
    let (client, _) = context_key.ok_or_else(|| not_found("context", context))?;
    for (member, cluster) in members.iter().copied() {
        let record = LinkRecord::Assigned { member, cluster };
        transaction.enqueue_write(
            links::SET_ASSIGNED,
            values![client, context, member, record.encode()],
        );
    }
    common::audit(transaction, audit).await
}

/// Reads what a context stores about the link signals of a check.
pub(super) async fn facts(
    transaction: &Transaction,
    context_key: ContextKey<'_>,
    signals: &LinkSignals,
) -> Result<LinkFacts, Error> {
    let pages = if signals.traces.is_empty() {
        FingerprintIndex::new()
    } else {
        pages(transaction, context_key).await?
    };
    let assigned_cluster = assigned(transaction, context_key, signals.subject).await?;
    let mut clusters = BTreeMap::new();
    for key in signals.clusters().chain(assigned_cluster) {
        clusters.extend(
            members(transaction, context_key, key)
                .await?
                .map(|cluster| (key, cluster)),
        );
    }
    Ok(LinkFacts {
        pages,
        assigned: assigned_cluster,
        clusters,
    })
}

/// Writes the links of a concluded check.
pub(super) fn write_links(
    transaction: &Transaction,
    ContextKey { client, context }: ContextKey<'_>,
    write: &LinkWrite,
) {
    if let Some((number, page)) = &write.page {
        transaction.enqueue_write(
            links::SET_PAGE,
            values![client, context, *number, page.encode()],
        );
    }
    for (key, cluster) in &write.clusters {
        let record = LinkRecord::Members(cluster.clone()).encode();
        transaction.enqueue_write(
            links::SET_CLUSTER,
            values![client, context, key.kind.code(), key.digest, record],
        );
    }
}

/// Reads the fingerprint index of a context.
pub(super) async fn pages(
    transaction: &Transaction,
    ContextKey { client, context }: ContextKey<'_>,
) -> Result<FingerprintIndex, Error> {
    let rows = transaction
        .rows(links::PAGES, values![client, context])
        .await?;
    let pages = rows.iter().map(|row| {
        let number = u16::try_from(row.number(0)?).map_err(Error::damaged)?;
        Ok((number, row.record(1)?))
    });
    pages.collect()
}

/// Reads the cluster that an operator has assigned an address to.
pub(super) async fn assigned(
    transaction: &Transaction,
    ContextKey { client, context }: ContextKey<'_>,
    member: AddressDigest,
) -> Result<Option<ClusterKey>, Error> {
    match transaction
        .fetch(links::ASSIGNED, values![client, context, member])
        .await?
    {
        Some(LinkRecord::Assigned { cluster, .. }) => Ok(Some(cluster)),
        _ => Ok(None),
    }
}

async fn members(
    transaction: &Transaction,
    ContextKey { client, context }: ContextKey<'_>,
    key: ClusterKey,
) -> Result<Option<Cluster>, Error> {
    let record = transaction
        .fetch(
            links::CLUSTER,
            values![client, context, key.kind.code(), key.digest],
        )
        .await?;
    Ok(match record {
        Some(LinkRecord::Members(cluster)) => Some(cluster),
        _ => None,
    })
}
