//! Account linkage: movement fingerprints and clusters.

use crate::EmbeddedStore;
use crate::common;
use crate::read_records::ReadRecords;
use crate::record::{ContextLocation, LinkRecord};
use crate::table::{self, tail};
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use std::collections::BTreeMap;
use voight_domain::linkage::{
    Cluster, ClusterKey, FingerprintIndex, LinkFacts, LinkSignals, LinkWrite,
};
use voight_domain::ports::{LinkStore, StoreError};
use voight_domain::registry::AuditEntry;
use voight_domain::secrets::AddressDigest;
use voight_domain::vocabulary::ContextId;
use voight_engine::{Engine, Order};

#[async_trait]
impl<E: Engine> LinkStore for EmbeddedStore<E> {
    async fn traces(&self, context: &ContextId) -> Result<FingerprintIndex, StoreError> {
        self.main
            .read(|view| match view.fetch(&table::context_key(context))? {
                Some(context_key) => pages(view, context_key),
                None => Ok(FingerprintIndex::new()),
            })
    }

    async fn cluster(
        &self,
        context: &ContextId,
        key: ClusterKey,
    ) -> Result<Option<Cluster>, StoreError> {
        self.main
            .read(|view| match view.fetch(&table::context_key(context))? {
                Some(context_key) => members(view, context_key, key),
                None => Ok(None),
            })
    }

    async fn assign(
        &self,
        context: &ContextId,
        to: Vec<(AddressDigest, ClusterKey)>,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        let context = context.clone();
        let transaction = self.main.write(move |transaction| {
            let Some(context_key) = transaction.fetch(&table::context_key(&context))? else {
                return Err(StoreError::Conflict(format!(
                    "there is no context {context}"
                )));
            };
            for (member, cluster) in to {
                transaction.put(
                    table::assigned(context_key, member),
                    &LinkRecord::Assigned { member, cluster },
                );
            }
            common::append_audit(transaction, &audit)
        });
        transaction.await
    }
}

/// Reads the linkage facts for the signals of a check.
pub(super) fn facts(
    view: &impl ReadRecords,
    context_key: ContextLocation,
    signals: &LinkSignals,
) -> Result<LinkFacts, StoreError> {
    let pages = if signals.traces.is_empty() {
        FingerprintIndex::new()
    } else {
        pages(view, context_key)?
    };
    let assigned_cluster = match view.fetch(&table::assigned(context_key, signals.subject))? {
        Some(LinkRecord::Assigned { cluster, .. }) => Some(cluster),
        _ => None,
    };
    let mut clusters = BTreeMap::new();
    for key in signals.clusters().chain(assigned_cluster) {
        clusters.extend(members(view, context_key, key)?.map(|cluster| (key, cluster)));
    }
    Ok(LinkFacts {
        pages,
        assigned: assigned_cluster,
        clusters,
    })
}

/// Writes the linkage changes of a conclusion.
pub(super) fn write_links(
    transaction: &mut WriteTransaction<'_>,
    context_key: ContextLocation,
    write: &LinkWrite,
) {
    if let Some((number, page)) = &write.page {
        transaction.put(table::traces(context_key, *number), page);
    }
    for (key, cluster) in &write.clusters {
        transaction.put(
            table::cluster(context_key, *key),
            &LinkRecord::Members(cluster.clone()),
        );
    }
}

fn pages(
    view: &impl ReadRecords,
    context_key: ContextLocation,
) -> Result<FingerprintIndex, StoreError> {
    let page_number = |key: &[u8], page| tail(key).map(|number| (u16::from_be_bytes(number), page));
    let pages = view.collect(
        &table::all_traces(context_key),
        Order::Ascending,
        usize::MAX,
        page_number,
    )?;
    Ok(pages.into_iter().flatten().collect())
}

fn members(
    view: &impl ReadRecords,
    context_key: ContextLocation,
    key: ClusterKey,
) -> Result<Option<Cluster>, StoreError> {
    Ok(match view.fetch(&table::cluster(context_key, key))? {
        Some(LinkRecord::Members(cluster)) => Some(cluster),
        _ => None,
    })
}
