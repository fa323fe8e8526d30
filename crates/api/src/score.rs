//! Serialises scores.

use serde::Serializer;
use voight_domain::verdict::Confidence;

/// Serialises a score: `0` and `1` without a decimal point.
pub fn serialize_score<S: Serializer>(
    score: &Confidence,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match score.hundredths() {
        0 => serializer.serialize_u8(0),
        100 => serializer.serialize_u8(1),
        _ => serializer.serialize_f64(score.as_f64()),
    }
}
