//! Batch lookups.

use super::ConfidenceBody;
use crate::error_table::ErrorId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::metering::MAX_BATCH_ADDRESSES;
use voight_domain::verdict::Answer;

// The schema takes only a literal.
const _: () = assert!(MAX_BATCH_ADDRESSES == 1_000);

/// Addresses to look up in one context.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchLookup {
    /// Context that this key may use.
    pub context_id: String,
    /// Addresses: 0x and 40 hexadecimal digits. One that occurs several times is answered each time and billed once.
    #[schema(min_items = 1, max_items = 1_000)]
    pub eoa_addresses: Vec<String>,
}

/// Results of a batch lookup.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchLookupResponse {
    /// One result for each address of the request, in the same order.
    pub results: Vec<BatchLookupResult>,
    /// Number of lookups that the batch recorded: one for each distinct valid address.
    pub units: usize,
}

/// Result of one address of a batch.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum BatchLookupResult {
    /// Answer to a valid address.
    Answered(AnsweredAddress),
    /// Error of an invalid address, which is not billed.
    Rejected(RejectedAddress),
}

/// Answer to one address of a batch.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnsweredAddress {
    /// Address, as in the request.
    pub eoa_address: String,
    /// `true` if a bot is detected for the address in the context.
    #[serde(rename = "isBot")]
    pub is_bot: bool,
    /// Certainty of the prediction.
    pub confidence: ConfidenceBody,
}

/// Error of one address of a batch.
#[derive(Debug, Serialize, ToSchema)]
pub struct RejectedAddress {
    /// Address, as in the request.
    pub eoa_address: String,
    /// Error that a lookup of this address alone has.
    pub error: AddressError,
}

/// Error of an address.
#[derive(Debug, Serialize, ToSchema)]
pub struct AddressError {
    /// Stable for each cause. Each id has a page in the documentation of the service: `/docs/reference/errors/{id}.html`.
    pub id: &'static str,
    /// Error code for programs.
    pub code: &'static str,
    /// Cause of the error and remedy, for people.
    pub message: &'static str,
}

impl BatchLookupResult {
    /// Creates the result of a valid address.
    pub fn answered(eoa_address: String, Answer { is_bot, score }: Answer) -> Self {
        Self::Answered(AnsweredAddress {
            eoa_address,
            is_bot,
            confidence: ConfidenceBody { score },
        })
    }

    /// Creates the result of an invalid address.
    pub fn rejected(eoa_address: String, error: ErrorId) -> Self {
        let row = error.row();
        let error = AddressError {
            id: row.id,
            code: row.code,
            message: row.message,
        };
        Self::Rejected(RejectedAddress { eoa_address, error })
    }
}
