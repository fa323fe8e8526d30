//! Erasure of an address.

mod client;
mod context;
mod links;

use super::evidence;
use crate::PostgresStore;
use crate::common;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::{check, registry};
use crate::value::{RowExt, values};
use async_trait::async_trait;
use std::collections::BTreeSet;
use voight_domain::ports::{Erasure, ErasureCounts, ErasureStore, StoreError};
use voight_domain::secrets::AddressDigest;
use voight_domain::verdict::Tombstone;
use voight_domain::vocabulary::{ClientId, ContextId};

#[async_trait]
impl ErasureStore for PostgresStore {
    async fn erase(&self, erasure: &Erasure) -> Result<ErasureCounts, StoreError> {
        let address = erasure.address;
        let mode = erasure.mode;
        // Evidence is erased first, so that an unjudged check of the address cannot produce a new verdict.
        let batches = self.write((address, mode), |transaction, (address, mode)| {
            Box::pin(evidence::erase(transaction, *address, *mode))
        });
        let mut counts = ErasureCounts {
            batches: batches.await?,
            ..ErasureCounts::default()
        };
        for scope in &erasure.scopes {
            let arguments = (address, scope.clone(), mode);
            let context_erasure = self.write(arguments, |transaction, (address, scope, mode)| {
                Box::pin(context::erase(transaction, *address, scope, *mode))
            });
            context_erasure.await?.add_to(&mut counts, &scope.context);
        }
        for client in self
            .read((), |transaction, ()| Box::pin(clients(transaction)))
            .await?
        {
            let arguments = (client, address, mode);
            let client_erasure = self.write(arguments, |transaction, (client, address, mode)| {
                Box::pin(client::erase(transaction, *client, *address, *mode))
            });
            client_erasure.await?.add_to(&mut counts);
        }
        Ok(counts)
    }

    async fn tombstone(
        &self,
        context: &ContextId,
        digest: AddressDigest,
    ) -> Result<Option<Tombstone>, StoreError> {
        let arguments = (context.clone(), digest);
        self.read(arguments, |transaction, (context, digest)| {
            Box::pin(tombstone(transaction, context, *digest))
        })
        .await
    }
}

async fn tombstone(
    transaction: &Transaction,
    context: &ContextId,
    digest: AddressDigest,
) -> Result<Option<Tombstone>, Error> {
    match common::context_owner(transaction, context).await? {
        Some(client) => {
            transaction
                .fetch(check::TOMBSTONE, values![client, context, digest])
                .await
        }
        None => Ok(None),
    }
}

async fn clients(transaction: &Transaction) -> Result<BTreeSet<ClientId>, Error> {
    let rows = transaction.rows(registry::CLIENT_IDS, Vec::new()).await?;
    rows.iter()
        .map(|row| row.byte_array(0).map(ClientId::from_bytes))
        .collect()
}
