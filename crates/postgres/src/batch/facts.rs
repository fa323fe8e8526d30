//! Facts that the lookups of a batch are decided from.

use super::key_location::KeyLocation;
use crate::error::Error;
use crate::value::{RowExt, Value, decode, values};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use tokio_postgres::Row;
use voight_domain::metering::{IdempotencyRecord, LookupRequest, MeterState};
use voight_domain::registry::{Client, Context, Key, KeyWithClient};
use voight_domain::secrets::{AddressDigest, IdempotencyDigest, KeyDigest};
use voight_domain::verdict::{Tombstone, Verdict};
use voight_domain::vocabulary::{ClientId, ContextId, EoaAddress, KeyId};

/// Kinds of rows that the statement `FACTS` returns.
mod kind {
    pub(super) const CLIENT: u64 = 1;
    pub(super) const KEY: u64 = 2;
    pub(super) const CONTEXT: u64 = 3;
    pub(super) const VERDICT: u64 = 4;
    pub(super) const TOMBSTONE: u64 = 5;
    pub(super) const CLAIM: u64 = 6;
}

/// Records of one client that the lookups of a batch need.
#[derive(Default)]
pub(super) struct BatchInputs {
    pub(super) meter: Option<MeterState>,
    client: Option<Client>,
    keys: HashMap<KeyId, Key>,
    pub(super) contexts: HashMap<ContextId, Context>,
    pub(super) verdicts: HashMap<(ContextId, EoaAddress), Verdict>,
    pub(super) tombstones: HashMap<(ContextId, AddressDigest), Tombstone>,
    pub(super) claims: HashMap<IdempotencyDigest, IdempotencyRecord>,
}

impl BatchInputs {
    /// Decodes the row of the meter and the rows of the statement `FACTS`.
    pub(super) fn read(meter: Option<&Row>, rows: &[Row]) -> Result<Self, Error> {
        let meter: Option<&[u8]> = meter.map_or(Ok(None), |row| row.column(0))?;
        let mut facts = Self { meter: meter.map(decode).transpose()?, ..Self::default() };
        for row in rows {
            facts.add(row)?;
        }
        Ok(facts)
    }

    fn add(&mut self, row: &Row) -> Result<(), Error> {
        let context = || row.utf8(1)?.parse::<ContextId>().map_err(Error::damaged);
        match row.number(0)? {
            kind::CLIENT => self.client = Some(row.record(3)?),
            kind::KEY => drop(self.keys.insert(KeyId::from_bytes(row.byte_array(2)?), row.record(3)?)),
            kind::CONTEXT => drop(self.contexts.insert(context()?, row.record(3)?)),
            kind::VERDICT => {
                self.verdicts.insert((context()?, EoaAddress::from_bytes(row.byte_array(2)?)), row.record(3)?);
            }
            kind::TOMBSTONE => {
                self.tombstones.insert((context()?, AddressDigest(row.byte_array(2)?)), row.record(3)?);
            }
            kind::CLAIM => drop(self.claims.insert(IdempotencyDigest(row.byte_array(2)?), row.record(3)?)),
            other => return Err(Error::damaged(format_args!("a row of kind {other}"))),
        }
        Ok(())
    }

    /// Returns the key with its client if `digest` is the digest of one of the key's secrets.
    pub(super) fn holder(&self, key: KeyId, digest: KeyDigest) -> Option<KeyWithClient> {
        let key = self.keys.get(&key).filter(|key| key.secrets.iter().any(|secret| secret.digest == digest))?;
        Some(KeyWithClient { key: key.clone(), client: self.client.clone()? })
    }
}

/// Builds the parameters of the statement `FACTS`. Keys and contexts are listed once, addresses with their contexts.
pub(super) fn parameters(client: ClientId, requests: &[(Arc<LookupRequest>, KeyLocation)]) -> Vec<Value> {
    let keys: BTreeSet<_> = requests.iter().map(|(_, route)| route.key.to_bytes().to_vec()).collect();
    let contexts: BTreeSet<_> =
        requests.iter().map(|(request, _)| request.context.as_str().as_bytes().to_vec()).collect();
    let subjects: BTreeSet<_> = requests
        .iter()
        .map(|(request, _)| (request.context.as_str(), *request.address.as_bytes(), request.digest.0))
        .collect();
    let claims: Vec<_> =
        requests.iter().filter_map(|(request, _)| Some(request.claim?.key_digest.0.to_vec())).collect();
    values![
        client,
        keys.into_iter().collect::<Vec<_>>(),
        contexts.into_iter().collect::<Vec<_>>(),
        subjects.iter().map(|(context, ..)| context.as_bytes().to_vec()).collect::<Vec<_>>(),
        subjects.iter().map(|(_, address, _)| address.to_vec()).collect::<Vec<_>>(),
        subjects.iter().map(|(.., digest)| digest.to_vec()).collect::<Vec<_>>(),
        claims,
    ]
}
