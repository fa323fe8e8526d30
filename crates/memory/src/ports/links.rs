//! Account linkage: movement fingerprints and clusters.

use crate::MemoryStore;
use crate::state::State;
use async_trait::async_trait;
use voight_domain::check::CheckConclusion;
use voight_domain::linkage::{Cluster, ClusterKey, FingerprintIndex, LinkFacts, LinkWrite};
use voight_domain::ports::{Erasure, ErasureScope, LinkStore, StoreError};
use voight_domain::registry::AuditEntry;
use voight_domain::secrets::AddressDigest;
use voight_domain::vocabulary::ContextId;

#[async_trait]
impl LinkStore for MemoryStore {
    async fn traces(&self, context: &ContextId) -> Result<FingerprintIndex, StoreError> {
        Ok(self
            .state()?
            .traces
            .get(context)
            .cloned()
            .unwrap_or_default())
    }

    async fn cluster(
        &self,
        context: &ContextId,
        key: ClusterKey,
    ) -> Result<Option<Cluster>, StoreError> {
        Ok(self.state()?.clusters.get(&(context.clone(), key)).cloned())
    }

    async fn assign(
        &self,
        context: &ContextId,
        members: Vec<(AddressDigest, ClusterKey)>,
        audit: AuditEntry,
    ) -> Result<(), StoreError> {
        let mut state = self.state()?;
        if !state.contexts.contains_key(context) {
            return Err(StoreError::Conflict(format!(
                "there is no context {context}"
            )));
        }
        let assignments = members
            .into_iter()
            .map(|(member, cluster)| ((context.clone(), member), cluster));
        state.assigned.extend(assignments);
        state.audit.push(audit);
        Ok(())
    }
}

impl State {
    pub(crate) fn links_of(&self, conclusion: &CheckConclusion) -> LinkFacts {
        let context = &conclusion.context;
        let signals = &conclusion.link_signals;
        let assigned_cluster = self
            .assigned
            .get(&(context.clone(), signals.subject))
            .copied();
        let cluster_entry = |key| Some((key, self.clusters.get(&(context.clone(), key))?.clone()));
        LinkFacts {
            pages: self.traces.get(context).cloned().unwrap_or_default(),
            assigned: assigned_cluster,
            clusters: signals
                .clusters()
                .chain(assigned_cluster)
                .filter_map(cluster_entry)
                .collect(),
        }
    }

    pub(crate) fn link(&mut self, context: &ContextId, write: LinkWrite) {
        if let Some((number, page)) = write.page {
            self.traces
                .entry(context.clone())
                .or_default()
                .insert(number, page);
        }
        self.clusters.extend(
            write
                .clusters
                .into_iter()
                .map(|(key, cluster)| ((context.clone(), key), cluster)),
        );
    }

    /// Returns the number of fingerprints and cluster entries of the address.
    pub(crate) fn links_to(&self, erasure: &Erasure) -> u64 {
        erasure
            .scopes
            .iter()
            .map(|scope| self.links_in(scope))
            .sum()
    }

    fn links_in(&self, scope: &ErasureScope) -> u64 {
        let pages = self
            .traces
            .get(&scope.context)
            .into_iter()
            .flat_map(FingerprintIndex::values);
        let traces = pages
            .flat_map(|page| &page.0)
            .filter(|check| check.owner == scope.digest)
            .count();
        let context_clusters = self
            .clusters
            .iter()
            .filter(|((context, _), _)| *context == scope.context);
        let members = context_clusters
            .filter(|(_, cluster)| cluster.members.contains_key(&scope.digest))
            .count();
        let assignments = usize::from(
            self.assigned
                .contains_key(&(scope.context.clone(), scope.digest)),
        );
        (traces + members + assignments) as u64
    }

    pub(crate) fn unlink(&mut self, scope: &ErasureScope) {
        let ErasureScope {
            context, digest, ..
        } = scope;
        if let Some(pages) = self.traces.get_mut(context) {
            for page in pages.values_mut() {
                page.0.retain(|check| check.owner != *digest);
            }
            pages.retain(|_, page| !page.0.is_empty());
        }
        for ((here, _), cluster) in &mut self.clusters {
            if here == context {
                cluster.members.remove(digest);
            }
        }
        self.clusters
            .retain(|_, cluster| !cluster.members.is_empty());
        self.assigned.remove(&(context.clone(), *digest));
    }
}
