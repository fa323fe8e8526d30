//! Verification of receipts with the service's public keys, without a request for each receipt.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use data_encoding::BASE64URL_NOPAD;
use ed25519_dalek::{Signature, VerifyingKey};
use jiff::Timestamp;
use tokio::sync::Mutex;

use crate::call::{ATTEMPT, Deadline, Request};
use crate::generated::{GET_KEYS, KeySet, PublicJwk};
use crate::verdict::{Receipt, Subject, decode_receipt, receipt_error};
use crate::{Client, Error};

/// Minimum time between two fetches that receipts with unknown keys cause.
const REFETCH: Duration = Duration::from_secs(30);
/// Maximum age of fetched keys, since a key may be retired.
const MAX_AGE: Duration = Duration::from_mins(5);
/// Seconds for which a retired key may still have signed: nodes learn of a rotation with a delay, and clocks differ.
const RETIREMENT_MARGIN: i64 = 60;

/// Public key, with the latest time of issue of its receipts in seconds since the epoch.
#[derive(Clone)]
struct Key {
    public: VerifyingKey,
    until: i64,
}

/// Fetched keys by their id.
#[derive(Default)]
pub(crate) struct KeyCache(Mutex<Option<(HashMap<String, Key>, Instant)>>);

impl Client {
    /// Verifies a receipt by its signature alone.
    ///
    /// It does not detect that a receipt was used before: use [`Client::get_verdict`] for that and for the verdict.
    ///
    /// # Errors
    ///
    /// `receipt_…` for an invalid receipt; else the error of the request for the keys.
    pub async fn verify_receipt(&self, token: &str, subject: &Subject<'_>) -> Result<Receipt, Error> {
        let subject = subject.validate()?;
        let decoded = decode_receipt(token)?;
        let forged = || receipt_error("forged");
        if decoded.header["alg"] != "EdDSA" || decoded.header["typ"] != "voight-receipt+jwt" {
            return Err(forged());
        }
        let kid = decoded.header["kid"].as_str().unwrap_or_default();
        let key = self.find_key(kid).await?.ok_or_else(forged)?;
        let signature = Signature::from_slice(&decoded.signature).map_err(|_| forged())?;
        key.public.verify_strict(decoded.signed.as_bytes(), &signature).map_err(|_| forged())?;
        let claims = decoded.claims;
        let time = |seconds: Option<i64>| Timestamp::from_second(seconds?).ok();
        let issued_at = time(claims.iat).filter(|issued| issued.as_second() <= key.until).ok_or_else(forged)?;
        let expires_at = time(claims.exp).filter(|expires| Timestamp::now() < *expires);
        let expires_at = expires_at.ok_or_else(|| receipt_error("expired"))?;
        subject.require(&claims.context, &claims.address)?;
        Ok(Receipt {
            context_id: subject.context,
            eoa_address: subject.address,
            origin: claims.origin,
            origin_allowlisted: claims.origin_allowlisted,
            owned: claims.owned,
            test: claims.test,
            issued_at,
            expires_at,
        })
    }

    /// Returns a key. An unknown key may be new, and old ones may be retired: both cause a fetch.
    async fn find_key(&self, kid: &str) -> Result<Option<Key>, Error> {
        let mut cache = self.keys.0.lock().await;
        let known = cache.as_ref().and_then(|(keys, _)| keys.get(kid).cloned());
        let max_age = if known.is_some() { MAX_AGE } else { REFETCH };
        if cache.as_ref().is_none_or(|(_, fetched_at)| fetched_at.elapsed() > max_age) {
            match (self.fetch_keys().await, &known, &mut *cache) {
                (Ok(keys), ..) => *cache = Some((keys, Instant::now())),
                // A failed fetch removes no keys, and is not repeated for each receipt.
                (Err(_), Some(_), Some((_, fetched_at))) => {
                    *fetched_at = Instant::now().checked_sub(MAX_AGE.saturating_sub(REFETCH)).unwrap_or(*fetched_at);
                }
                (Err(error), ..) => return Err(error),
            }
        }
        Ok(cache.as_ref().and_then(|(keys, _)| keys.get(kid).cloned()))
    }

    async fn fetch_keys(&self) -> Result<HashMap<String, Key>, Error> {
        let request = Request { has_key: false, ..Request::new(GET_KEYS) };
        let set: KeySet = self.data(&request, Deadline::new(self.timeout, ATTEMPT)).await?;
        let keys = set.keys.iter().enumerate().filter_map(|(index, jwk)| Some((jwk.kid.clone(), parse(jwk, index)?)));
        Ok(keys.collect())
    }
}

/// Parses a key. The first key is the one in use; any other is valid for receipts that are dated before its retirement.
fn parse(jwk: &PublicJwk, index: usize) -> Option<Key> {
    let bytes = BASE64URL_NOPAD.decode(jwk.x.as_bytes()).ok().filter(|_| jwk.crv == "Ed25519")?;
    let public = VerifyingKey::from_bytes(&bytes.try_into().ok()?).ok()?;
    let until = match &jwk.retired_at {
        None if index == 0 => i64::MAX,
        // A key that was retired at an unknown time verifies nothing.
        None => i64::MIN,
        Some(time) => time.parse::<Timestamp>().ok()?.as_second() + RETIREMENT_MARGIN,
    };
    Some(Key { public, until })
}
