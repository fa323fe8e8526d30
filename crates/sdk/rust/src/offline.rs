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
        let decoded_receipt = decode_receipt(token)?;
        let forged_error = || receipt_error("forged");
        if decoded_receipt.header["alg"] != "EdDSA"
            || decoded_receipt.header["typ"] != "voight-receipt+jwt"
        {
            return Err(forged_error());
        }
        let kid = decoded_receipt.header["kid"].as_str().unwrap_or_default();
        let key = self.find_key(kid).await?.ok_or_else(forged_error)?;
        let signature =
            Signature::from_slice(&decoded_receipt.signature).map_err(|_| forged_error())?;
        key.public
            .verify_strict(decoded_receipt.signed.as_bytes(), &signature)
            .map_err(|_| forged_error())?;
        let claims = decoded_receipt.claims;
        let time = |seconds: Option<i64>| Timestamp::from_second(seconds?).ok();
        let issued_at = time(claims.iat)
            .filter(|issue_time| issue_time.as_second() <= key.until)
            .ok_or_else(forged_error)?;
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
