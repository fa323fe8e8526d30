//! Lookups.

use crate::serialize_score;
use serde::Serialize;
use utoipa::ToSchema;
use voight_domain::verdict::{Answer, Confidence};

/// Result of a lookup.
#[derive(Debug, Serialize, ToSchema)]
pub struct LookupResponse {
    /// `true` if a bot is detected for the address in the context.
    #[serde(rename = "isBot")]
    pub is_bot: bool,
    /// Certainty of the prediction.
    pub confidence: ConfidenceBody,
}

/// Certainty of a prediction.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConfidenceBody {
    /// Score from 0 to 1. Near 1: high certainty. Near 0: increasing doubt, or no evidence.
    #[serde(serialize_with = "serialize_score")]
    #[schema(value_type = f64, minimum = 0, maximum = 1)]
    pub score: Confidence,
}

impl From<Answer> for LookupResponse {
    fn from(Answer { is_bot, score }: Answer) -> Self {
        Self {
            is_bot,
            confidence: ConfidenceBody { score },
        }
    }
}
