//! Receipts and verdicts.

use data_encoding::BASE64URL_NOPAD;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::call::{ATTEMPT, Deadline, Request};
use crate::generated::{
    LOOK_UP_ADDRESS, Operation, ReceiptStatus, VERIFY_RECEIPT, VerifiedReceipt, VerifyReceipt,
};
use crate::{Client, Error, options};

/// Upper bound of the length of a receipt.
const MAX_LENGTH: usize = 2048;

/// Verdict on an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// No bot was detected, and there is evidence for a human.
    Human,
    /// A bot was detected.
    Bot,
    /// No evidence for either: the score is 0.
    Unknown,
}

/// Answer to a lookup.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lookup {
    /// Verdict.
    pub verdict: Kind,
    /// Certainty of the verdict: high near 1, low near 0.
    pub score: f64,
}

/// Verdict on an address whose check was completed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Verdict {
    /// Verdict; `Unknown` if the service was unavailable.
    pub verdict: Kind,
    /// Certainty of the verdict: high near 1, low near 0.
    pub score: f64,
    /// Redeemed receipt; `None` if the service was unavailable.
    pub receipt: Option<Receipt>,
    /// Reason why the service was unavailable, if `fail_open` let the visitor pass.
    pub failed_open: Option<Error>,
}

/// Content of a receipt, which never includes findings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt {
    /// Context of the check.
    pub context_id: String,
    /// Address in lower case.
    pub eoa_address: String,
    /// Origin of the page that hosted the check.
    pub origin: String,
    /// `true` if that origin is registered for the context.
    pub origin_allowlisted: bool,
    /// `true` if wallet ownership was proven.
    pub owned: bool,
    /// `true` for a receipt of the sandbox.
    pub test: bool,
    /// Time at which the check was completed.
    pub issued_at: Timestamp,
    /// Time of expiry.
    pub expires_at: Timestamp,
}

/// Address in a context.
#[derive(Debug, Clone, Copy, Default)]
pub struct Subject<'a> {
    /// Address.
    pub eoa_address: &'a str,
    /// Context that the key has registered.
    pub context_id: &'a str,
    /// Identifies the call if it may be repeated; a new key if `None`.
    pub idempotency_key: Option<&'a str>,
}

/// Claim of a visitor.
#[derive(Debug, Clone, Copy, Default)]
pub struct Claim<'a> {
    /// Text that the page sent, not validated; empty if it sent none.
    pub receipt: &'a str,
    /// Claiming address, as your back end knows it.
    pub eoa_address: &'a str,
    /// Context that the key has registered.
    pub context_id: &'a str,
    /// Identifies this claim if the call may be repeated: the same receipt is accepted again, and nothing is billed twice.
    pub idempotency_key: Option<&'a str>,
    /// Returns `Unknown` instead of an error while the service is unavailable, which lets bots through.
    pub fail_open: bool,
}

/// Subject with its validated address and key.
pub(crate) struct ValidSubject {
    pub(crate) address: String,
    pub(crate) context: String,
    key: String,
}

impl Subject<'_> {
    pub(crate) fn validate(&self) -> Result<ValidSubject, Error> {
        let address = options::address(self.eoa_address)?;
        options::context(self.context_id)?;
        let key = options::idempotency_key(self.idempotency_key)?;
        Ok(ValidSubject {
            address,
            context: self.context_id.to_owned(),
            key,
        })
    }
}

impl ValidSubject {
    pub(crate) fn lookup(&self, operation: Operation) -> Request<'static> {
        let query = vec![
            ("eoa_address", self.address.clone()),
            ("context_id", self.context.clone()),
        ];
        Request {
            query,
            ..Request::new(operation)
        }
        .idempotent(self.key.clone())
    }

    /// Rejects a receipt for another subject than the claim's.
    pub(crate) fn require(&self, context: &str, address: &str) -> Result<(), Error> {
        if context == self.context && address.to_lowercase() == self.address {
            return Ok(());
        }
        Err(receipt_error("mismatch"))
    }
}

/// Returns the error of an invalid receipt.
pub(crate) fn receipt_error(reason: &str) -> Error {
    let advice = match reason {
        "missing" => {
            "The request has no receipt, so no check was completed for it. Reject it, or let the visitor complete a check."
        }
        "used" => {
            "This receipt was redeemed before. Reject it, or let the visitor complete another check. To repeat the call for the \
             same claim, pass the same idempotency_key."
        }
        "expired" => {
            "This receipt is older than ten minutes. Let the visitor complete another check."
        }
        "mismatch" => {
            "This receipt is for another address or context than the claim. Reject it, or let the visitor complete a check with \
             this wallet."
        }
        _ => {
            "This receipt is not signed by the service, or belongs to a context of another API key. Reject it."
        }
    };
    Error::new(&format!("receipt_{reason}"), advice)
}

/// Receipt whose signature is not verified.
pub(crate) struct DecodedReceipt<'a> {
    #[cfg_attr(
        not(feature = "offline"),
        expect(dead_code, reason = "read by the offline verification")
    )]
    pub(crate) header: Value,
    pub(crate) claims: Claims,
    #[cfg_attr(
        not(feature = "offline"),
        expect(dead_code, reason = "read by the offline verification")
    )]
    pub(crate) signed: &'a str,
    #[cfg_attr(
        not(feature = "offline"),
        expect(dead_code, reason = "read by the offline verification")
    )]
    pub(crate) signature: Vec<u8>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Claims {
    pub(crate) context: String,
    pub(crate) address: String,
    pub(crate) origin: String,
    pub(crate) origin_allowlisted: bool,
    pub(crate) owned: bool,
    pub(crate) test: bool,
    pub(crate) iat: Option<i64>,
    pub(crate) exp: Option<i64>,
}

/// Decodes a receipt without verifying it.
pub(crate) fn decode_receipt(token: &str) -> Result<DecodedReceipt<'_>, Error> {
    if token.is_empty() {
        return Err(receipt_error("missing"));
    }
    let decode_parts = || {
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        let bytes = |part: &str| {
            BASE64URL_NOPAD
                .decode(part.as_bytes())
                .ok()
                .filter(|bytes| !bytes.is_empty())
        };
        let header = serde_json::from_slice::<Value>(&bytes(header)?)
            .ok()
            .filter(Value::is_object)?;
        let claims = serde_json::from_slice::<Value>(&bytes(claims)?)
            .ok()
            .filter(Value::is_object)?;
        let claims = serde_json::from_value(claims).ok()?;
        Some(DecodedReceipt {
            header,
            claims,
            signed,
            signature: bytes(signature)?,
        })
    };
    Some(token)
        .filter(|token| token.len() <= MAX_LENGTH)
        .and_then(|_| decode_parts())
        .ok_or_else(|| receipt_error("forged"))
}

impl Client {
    /// Redeems a receipt, then looks up the verdict, which is billed.
    ///
    /// # Errors
    ///
    /// The error of the receipt or of the service: grant nothing.
    pub async fn get_verdict(&self, claim: &Claim<'_>) -> Result<Verdict, Error> {
        let deadline = Deadline::new(self.timeout, ATTEMPT);
        let Claim {
            receipt,
            eoa_address,
            context_id,
            idempotency_key,
            fail_open,
        } = *claim;
        let subject = Subject {
            eoa_address,
            context_id,
            idempotency_key,
        }
        .validate()?;
        // A receipt that is recognisably invalid for this claim is not redeemed.
        let claims = decode_receipt(receipt)?.claims;
        subject.require(&claims.context, &claims.address)?;
        let mut redemption = None;
        let lookup = async {
            redemption = Some(self.redeem(receipt, &subject, deadline).await?);
            self.look_up_valid(&subject, deadline).await
        };
        match lookup.await {
            Ok(Lookup { verdict, score }) => Ok(Verdict {
                verdict,
                score,
                receipt: redemption,
                failed_open: None,
            }),
            Err(error) if fail_open && error.is_outage() => Ok(Verdict {
                verdict: Kind::Unknown,
                score: 0.0,
                receipt: redemption,
                failed_open: Some(error),
            }),
            Err(error) => Err(error),
        }
    }

    async fn redeem(
        &self,
        token: &str,
        subject: &ValidSubject,
        deadline: Deadline,
    ) -> Result<Receipt, Error> {
        let body = VerifyReceipt {
            receipt: token.to_owned(),
        };
        let request = Request::json(VERIFY_RECEIPT, &body)?.idempotent(subject.key.clone());
        let reply = self.perform(&request, deadline).await?;
        let data: VerifiedReceipt = reply.data(VERIFY_RECEIPT)?;
        let reason = match data.status {
            ReceiptStatus::Valid => {
                let receipt =
                    content(data).ok_or_else(|| reply.unexpected("sends another body"))?;
                subject.require(&receipt.context_id, &receipt.eoa_address)?;
                return Ok(receipt);
            }
            ReceiptStatus::Used => "used",
            ReceiptStatus::Expired => "expired",
            ReceiptStatus::Forged => "forged",
            ReceiptStatus::Other => return Err(reply.unexpected("sends another body")),
        };
        Err(Error {
            status: reply.status,
            ..receipt_error(reason)
        })
    }

    /// Looks up an address, which is billed.
    ///
    /// # Errors
    ///
    /// The error of the service.
    pub async fn look_up(&self, subject: &Subject<'_>) -> Result<Lookup, Error> {
        self.look_up_valid(&subject.validate()?, Deadline::new(self.timeout, ATTEMPT))
            .await
    }

    async fn look_up_valid(
        &self,
        subject: &ValidSubject,
        deadline: Deadline,
    ) -> Result<Lookup, Error> {
        let reply = self
            .perform(&subject.lookup(LOOK_UP_ADDRESS), deadline)
            .await?;
        let data: Value = reply.data(LOOK_UP_ADDRESS)?;
        let (Some(is_bot), Some(score)) = (
            data["isBot"].as_bool(),
            data["confidence"]["score"].as_f64(),
        ) else {
            return Err(reply.unexpected("sends another body"));
        };
        let verdict = match (is_bot, score > 0.0) {
            (true, _) => Kind::Bot,
            (false, true) => Kind::Human,
            (false, false) => Kind::Unknown,
        };
        Ok(Lookup { verdict, score })
    }
}

/// Returns the content of a valid receipt; `None` if a part is missing.
fn content(data: VerifiedReceipt) -> Option<Receipt> {
    Some(Receipt {
        context_id: data.context_id?,
        eoa_address: data.eoa_address?.to_lowercase(),
        origin: data.origin?,
        origin_allowlisted: data.origin_allowlisted?,
        owned: data.owned?,
        test: data.test?,
        issued_at: data.issued_at?.parse().ok()?,
        expires_at: data.expires_at?.parse().ok()?,
    })
}
