//! Erasure of an address.

mod context;
mod links;

use super::evidence;
use crate::PostgresStore;
use crate::common;
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::{check, erasure, registry};
use crate::value::{RowExt, values};
use async_trait::async_trait;
use std::collections::BTreeSet;
use voight_domain::check::Concluded;
use voight_domain::ports::{EraseMode, Erasure, ErasureCounts, ErasureStore, StoreError};
use voight_domain::secrets::AddressDigest;
use voight_domain::snapshot::SnapshotSlice;
use voight_domain::verdict::Tombstone;
use voight_domain::vocabulary::{ClientId, ContextId, EoaAddress, SnapshotId};
use voight_encoding::Encode;

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
            let of_client = self.write(
                (client, address, mode),
                |transaction, (client, address, mode)| {
                    Box::pin(of_client(transaction, *client, *address, *mode))
                },
            );
            let (openings, receipts, snapshot_rows) = of_client.await?;
            counts.ledger_addresses += openings;
            counts.receipts += receipts;
            counts.snapshot_rows += snapshot_rows;
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

/// Deletes openings, receipts and snapshot rows of the address in the data of a client, or counts them for a dry run.
///
/// The tables have no index by address, because an index would itself have to be erased.
async fn of_client(
    transaction: &Transaction,
    client: ClientId,
    address: EoaAddress,
    mode: EraseMode,
) -> Result<(u64, u64, u64), Error> {
    transaction.set_client(client);
    let of = values![client, address];
    let openings = transaction
        .count(erasure::COUNT_OPENINGS, of.clone())
        .await?;
    let slices = transaction.rows(erasure::LOCK_SLICES, of.clone()).await?;
    let slices: Vec<_> = slices
        .iter()
        .map(|row| {
            Ok((
                row.byte_array::<16>(0)?,
                row.number(1)?,
                row.record::<SnapshotSlice>(2)?,
            ))
        })
        .collect::<Result<_, Error>>()?;
    let slices: Vec<_> = slices
        .into_iter()
        .filter(|(.., slice)| slice.contains(&address))
        .collect();
    let snapshot_rows = slices.len() as u64;
    let receipts = transaction
        .count(erasure::COUNT_RECEIPTS, of.clone())
        .await?;
    if mode == EraseMode::Execute && openings > 0 {
        transaction.enqueue_write(erasure::DROP_OPENINGS, of);
    }
    if mode == EraseMode::Execute && receipts > 0 {
        let without = Concluded { receipt: None };
        transaction.enqueue_write(
            erasure::DROP_RECEIPTS,
            values![client, address, without.encode()],
        );
    }
    if mode == EraseMode::Execute {
        for (id, index, mut slice) in slices {
            slice.erase(&address);
            common::put_snapshot_slice(
                transaction,
                client,
                SnapshotId::from_bytes(id),
                index,
                &slice,
            );
        }
    }
    Ok((openings, receipts, snapshot_rows))
}
