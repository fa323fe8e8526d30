//! Erasure of the links of an address in one context.

use crate::common::ContextKey;
use crate::connection::Transaction;
use crate::error::Error;
use crate::ports::links::{assigned, pages};
use crate::sql::links;
use crate::value::{RowExt, values};
use voight_domain::ports::{EraseMode, ErasureScope};
use voight_domain::vocabulary::ClientId;
use voight_encoding::{Encode, LinkRecord};

/// Number of clusters per page of the scan.
const PAGE_SIZE: usize = 200;

/// Deletes the links, or counts them for a dry run; returns their number.
pub(super) async fn erase(
    transaction: &Transaction,
    client: ClientId,
    scope: &ErasureScope,
    mode: EraseMode,
) -> Result<u64, Error> {
    let mut links = in_fingerprints(transaction, client, scope, mode).await?;
    links += in_clusters(transaction, client, scope, mode).await?;
    if assigned(
        transaction,
        ContextKey {
            client,
            context: &scope.context,
        },
        scope.digest,
    )
    .await?
    .is_some()
    {
        links += 1;
        if mode == EraseMode::Execute {
            transaction.enqueue_write(
                links::DELETE_ASSIGNED_CLUSTER,
                values![client, &scope.context, scope.digest],
            );
        }
    }
    Ok(links)
}

async fn in_fingerprints(
    transaction: &Transaction,
    client: ClientId,
    scope: &ErasureScope,
    mode: EraseMode,
) -> Result<u64, Error> {
    let mut fingerprints = 0;
    for (number, mut page) in pages(
        transaction,
        ContextKey {
            client,
            context: &scope.context,
        },
    )
    .await?
    {
        let checks = page.0.len();
        page.0.retain(|check| check.owner != scope.digest);
        let erased_checks = checks - page.0.len();
        fingerprints += erased_checks as u64;
        if erased_checks == 0 || mode == EraseMode::DryRun {
            continue;
        }
        if page.0.is_empty() {
            transaction.enqueue_write(links::DROP_PAGE, values![client, &scope.context, number]);
        } else {
            transaction.enqueue_write(
                links::SET_PAGE,
                values![client, &scope.context, number, page.encode()],
            );
        }
    }
    Ok(fingerprints)
}

async fn in_clusters(
    transaction: &Transaction,
    client: ClientId,
    scope: &ErasureScope,
    mode: EraseMode,
) -> Result<u64, Error> {
    let mut clusters = 0;
    let mut last_cluster = (0, Vec::new());
    loop {
        let page = values![
            client,
            &scope.context,
            last_cluster.0,
            last_cluster.1.clone(),
            PAGE_SIZE
        ];
        let rows = transaction.rows(links::CLUSTERS, page).await?;
        let Some(last) = rows.last() else {
            return Ok(clusters);
        };
        last_cluster = (last.number(0)?, last.column::<&[u8]>(1)?.to_vec());
        for row in &rows {
            let LinkRecord::Members(mut cluster) = row.record(2)? else {
                continue;
            };
            if cluster.members.remove(&scope.digest).is_none() {
                continue;
            }
            clusters += 1;
            let cluster_key = values![
                client,
                &scope.context,
                row.number(0)?,
                row.column::<&[u8]>(1)?
            ];
            if mode == EraseMode::DryRun {
                continue;
            }
            if cluster.members.is_empty() {
                transaction.enqueue_write(links::DROP_CLUSTER, cluster_key);
            } else {
                let record = LinkRecord::Members(cluster).encode();
                transaction
                    .enqueue_write(links::SET_CLUSTER, [cluster_key, values![record]].concat());
            }
        }
    }
}
