//! Traces and clusters.

use super::{EmbeddedStore, shared};
use crate::record::{ContextPlace, LinkRecord};
use crate::step::Step;
use crate::table::{self, tail};
use crate::typed::ReadRecords;
use crate::{Engine, Order};
use async_trait::async_trait;
use std::collections::BTreeMap;
use voight_domain::links::{Cluster, ClusterKey, LinkFacts, LinkWrite, Presented, TracePages};
use voight_domain::ports::{LinkStore, StoreError};
use voight_domain::registry::AuditEntry;
use voight_domain::secrets::AddressDigest;
use voight_domain::vocabulary::ContextId;

#[async_trait]
impl<E: Engine> LinkStore for EmbeddedStore<E> {
    async fn traces(&self, context: &ContextId) -> Result<TracePages, StoreError> {
        self.main.read(|view| match view.fetch(&table::context_place(context))? {
            Some(place) => pages(view, place),
            None => Ok(TracePages::new()),
        })
    }

    async fn cluster(&self, context: &ContextId, key: ClusterKey) -> Result<Option<Cluster>, StoreError> {
        self.main.read(|view| match view.fetch(&table::context_place(context))? {
            Some(place) => members(view, place, key),
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
        let step = self.main.write(move |step| {
            let Some(place) = step.fetch(&table::context_place(&context))? else {
                return Err(StoreError::Conflict(format!("there is no context {context}")));
            };
            for (member, cluster) in to {
                step.put(table::assigned(place, member), &LinkRecord::Assigned { member, cluster });
            }
            shared::audit(step, &audit)
        });
        step.await
    }
}

/// What a context knows of the links of a check.
pub(super) fn facts(
    view: &impl ReadRecords,
    place: ContextPlace,
    presented: &Presented,
) -> Result<LinkFacts, StoreError> {
    let pages = if presented.traces.is_empty() { TracePages::new() } else { pages(view, place)? };
    let assigned = match view.fetch(&table::assigned(place, presented.subject))? {
        Some(LinkRecord::Assigned { cluster, .. }) => Some(cluster),
        _ => None,
    };
    let mut clusters = BTreeMap::new();
    for key in presented.clusters().chain(assigned) {
        clusters.extend(members(view, place, key)?.map(|cluster| (key, cluster)));
    }
    Ok(LinkFacts { pages, assigned, clusters })
}

/// Keeps what a conclusion leaves.
pub(super) fn keep(step: &mut Step<'_>, place: ContextPlace, write: &LinkWrite) {
    if let Some((number, page)) = &write.page {
        step.put(table::traces(place, *number), page);
    }
    for (key, cluster) in &write.clusters {
        step.put(table::cluster(place, *key), &LinkRecord::Members(cluster.clone()));
    }
}

fn pages(view: &impl ReadRecords, place: ContextPlace) -> Result<TracePages, StoreError> {
    let numbered = |key: &[u8], page| tail(key).map(|number| (u16::from_be_bytes(number), page));
    let pages = view.collect(&table::all_traces(place), Order::Ascending, usize::MAX, numbered)?;
    Ok(pages.into_iter().flatten().collect())
}

fn members(view: &impl ReadRecords, place: ContextPlace, key: ClusterKey) -> Result<Option<Cluster>, StoreError> {
    Ok(match view.fetch(&table::cluster(place, key))? {
        Some(LinkRecord::Members(cluster)) => Some(cluster),
        _ => None,
    })
}
