//! Identity of the store: loaded, or created by the first process.

use super::Schema;
use super::check::in_open;
use crate::connect::{OpenError, PostgresUrl};
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::{admin, evidence, registry, schema};
use crate::value::{RowExt, values};
use ulid::Ulid;
use voight_domain::ports::StoreInfo;
use voight_domain::registry::AuditHead;
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::Timestamp;
use voight_encoding::Encode;

/// Inputs for creating the identity of a new store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IdentityInit {
    /// Commitment to the pepper of the service.
    pub(crate) pepper: PepperCommitment,
    /// Current time, which becomes the creation time.
    pub(crate) now: Timestamp,
    /// Random bytes for the id.
    pub(crate) entropy: [u8; 10],
}

/// Loads the identity of the store, or creates it in empty tables; rejects a store with another pepper.
///
/// If several nodes start at once, one of their identities is stored and all nodes load it.
pub(crate) async fn load_or_create(
    transaction: &Transaction,
    identity_init: &IdentityInit,
    url: &PostgresUrl,
) -> Result<StoreInfo, OpenError> {
    let in_open = |error| in_open(url, error);
    create_identity(transaction, identity_init)
        .await
        .map_err(in_open)?;
    let row = transaction
        .row(schema::IDENTITY, Vec::new())
        .await
        .map_err(in_open)?;
    let Some(row) = row else {
        return Err(OpenError::unusable(url, "its identity is missing"));
    };
    let info = || -> Result<(StoreInfo, [u8; 16]), Error> {
        let info = StoreInfo {
            engine: "postgres".to_owned(),
            identity: Ulid::from_bytes(row.byte_array(0)?)
                .to_string()
                .to_ascii_lowercase(),
            format: Schema::RELEASED.version(),
            created_at: Timestamp::from_millis(row.column(1)?),
        };
        Ok((info, row.byte_array(2)?))
    };
    let (info, pepper) = info().map_err(in_open)?;
    if pepper == identity_init.pepper.0 {
        Ok(info)
    } else {
        Err(OpenError::OtherPepper {
            place: url.to_string(),
        })
    }
}

/// Inserts the rows of tables that hold a single row, so that they can be locked.
pub(crate) async fn insert_singleton_rows(transaction: &Transaction) -> Result<(), Error> {
    transaction
        .execute_sql(
            admin::INIT_AUDIT_HEAD,
            values![AuditHead::genesis().encode()],
        )
        .await?;
    transaction
        .execute_sql(admin::FIRST_SIGNING_KEY, Vec::new())
        .await?;
    transaction
        .execute_sql(evidence::FIRST_TOTAL, Vec::new())
        .await?;
    transaction
        .execute_sql(registry::FIRST_CLIENT_TOTAL, Vec::new())
        .await?;
    Ok(())
}

async fn create_identity(
    transaction: &Transaction,
    identity_init: &IdentityInit,
) -> Result<(), Error> {
    insert_singleton_rows(transaction).await?;
    let mut id = [0; 16];
    id[..6].copy_from_slice(&identity_init.now.as_millis().max(0).to_be_bytes()[2..]);
    id[6..].copy_from_slice(&identity_init.entropy);
    transaction
        .execute_sql(
            schema::FIRST_IDENTITY,
            values![id, identity_init.now, identity_init.pepper.0],
        )
        .await?;
    Ok(())
}
