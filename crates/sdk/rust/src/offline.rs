//! Verification of receipts with the service's public keys, without a request for each receipt.

use ed25519_dalek::Signature;
use jiff::Timestamp;

use crate::verdict::{Receipt, Subject, decode_receipt, receipt_error};
use crate::{Client, Error};

impl Client {
    /// Verifies a receipt by its signature alone.
    ///
    /// It does not detect that a receipt was used before: use [`Client::get_verdict`] for that and for the verdict.
    ///
    /// # Errors
    ///
    /// `receipt_…` for an invalid receipt; else the error of the request for the keys.
    pub async fn verify_receipt(
        &self,
        token: &str,
        subject: &Subject<'_>,
    ) -> Result<Receipt, Error> {
        let subject = subject.validate()?;
        let decoded = decode_receipt(token)?;
        let forged = || receipt_error("forged");
        if decoded.header["alg"] != "EdDSA" || decoded.header["typ"] != "voight-receipt+jwt" {
            return Err(forged());
        }
        let kid = decoded.header["kid"].as_str().unwrap_or_default();
        let key = self.find_key(kid).await?.ok_or_else(forged)?;
        let signature = Signature::from_slice(&decoded.signature).map_err(|_| forged())?;
        key.public
            .verify_strict(decoded.signed.as_bytes(), &signature)
            .map_err(|_| forged())?;
        let claims = decoded.claims;
        let time = |seconds: Option<i64>| Timestamp::from_second(seconds?).ok();
        let issued_at = time(claims.iat)
            .filter(|issued| issued.as_second() <= key.until)
            .ok_or_else(forged)?;
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
}
