//! Which client's group a lookup joins.

use super::Ledger;
use crate::error::Error;
use crate::sql::lookup;
use crate::step::Step;
use crate::value::{Columns, values};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::{ClientId, Environment, KeyId};
use voight_record::Coded;

/// The most routes remembered. When they are exceeded all are forgotten: simple, and finding one again is cheap.
const CAPACITY: usize = 16_384;

/// Where a digest leads. Nothing is decided from it: the step reads the key itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    pub(crate) ledger: Ledger,
    pub(crate) key: KeyId,
}

/// Remembers where digests lead.
#[derive(Debug, Default)]
pub(crate) struct Routes(Mutex<HashMap<KeyDigest, Route>>);

impl Routes {
    pub(crate) fn known(&self, digest: KeyDigest) -> Option<Route> {
        self.lock().get(&digest).copied()
    }

    pub(crate) fn remember(&self, digest: KeyDigest, route: Route) {
        let mut known = self.lock();
        if known.len() >= CAPACITY {
            known.clear();
        }
        known.insert(digest, route);
    }

    pub(crate) fn forget(&self, digest: KeyDigest) {
        self.lock().remove(&digest);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<KeyDigest, Route>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a digest leads, if it leads anywhere.
pub(crate) async fn find(step: &Step, digest: KeyDigest) -> Result<Option<Route>, Error> {
    let Some(row) = step.row(lookup::ROUTE, values![digest]).await? else { return Ok(None) };
    let code = u8::try_from(row.number(2)?).unwrap_or(u8::MAX);
    let environment = Environment::from_code(code).map_err(Error::damaged)?;
    let ledger = (ClientId::from_bytes(row.fixed(0)?), environment);
    Ok(Some(Route { ledger, key: KeyId::from_bytes(row.fixed(1)?) }))
}
