//! Claim of a badge on the demo's platform: it redeems a receipt and then looks up the verdict.

use super::api_exchange::ApiExchange;
use serde::Serialize;
use serde_json::Value;
use voight_domain::EoaAddress;

/// Lowest score that supports a human.
const MIN_SCORE: f64 = 0.1;

/// Outcome of a claim, with the API responses that decide it.
#[derive(Debug, Serialize)]
pub(super) struct ClaimReport {
    outcome: ClaimOutcome,
    /// Response to the receipt.
    redeemed: ApiExchange,
    /// Response to the lookup; `None` if the receipt is invalid.
    verdict: Option<ApiExchange>,
}

/// Outcome of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum ClaimOutcome {
    /// The visitor gets the badge.
    Badge,
    /// The claim is left to a manual review: the service has no evidence for a human or for a bot.
    Review,
    /// The address is a bot's. The visitor is not told why.
    Declined,
    /// The receipt proves no completed check of this address for this quest.
    Refused,
    /// The service did not give a usable response.
    Undecided,
}

impl ClaimReport {
    /// Decides a claim by the response to its receipt; calls `ask` for the verdict if the receipt is valid. Without a usable
    /// response no badge is given.
    pub(super) fn decide(
        context: &str,
        address: &str,
        redemption: ApiExchange,
        ask: impl FnOnce() -> Result<ApiExchange, String>,
    ) -> Result<Self, String> {
        match completed(context, address, &redemption) {
            Some(true) => {
                let verdict = ask()?;
                let outcome = outcome(&verdict.data());
                Ok(Self {
                    outcome,
                    redeemed: redemption,
                    verdict: Some(verdict),
                })
            }
            Some(false) => Ok(Self {
                outcome: ClaimOutcome::Refused,
                redeemed: redemption,
                verdict: None,
            }),
            None => Ok(Self {
                outcome: ClaimOutcome::Undecided,
                redeemed: redemption,
                verdict: None,
            }),
        }
    }
}

/// Returns the outcome of a claim with a valid receipt and this verdict. A score that supports no human is not rewarded: a bot
/// without a check has the same.
fn outcome(verdict: &Value) -> ClaimOutcome {
    match (
        verdict["isBot"].as_bool(),
        verdict["confidence"]["score"].as_f64(),
    ) {
        (Some(true), _) => ClaimOutcome::Declined,
        (Some(false), Some(score)) if score >= MIN_SCORE => ClaimOutcome::Badge,
        (Some(false), Some(_)) => ClaimOutcome::Review,
        _ => ClaimOutcome::Undecided,
    }
}

/// Returns `true` if the receipt is valid for this address and quest; `None` without a usable response.
fn completed(context: &str, address: &str, redemption: &ApiExchange) -> Option<bool> {
    let data = redemption.data();
    let receipt_address: Option<EoaAddress> = data["eoa_address"]
        .as_str()
        .and_then(|text| text.parse().ok());
    let of_this = data["context_id"] == context
        && receipt_address.is_some()
        && receipt_address == address.parse().ok();
    Some(data["status"].as_str()? == "valid" && of_this)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const CONTEXT: &str = "quest.01k0ab3cdefghjkmnpqrstvwxy";
    const ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

    fn receipt(status: &str, context: &str, address: &str) -> Value {
        json!({ "status": status, "context_id": context, "eoa_address": address.to_lowercase() })
    }

    /// Returns the outcome for these two responses; `None` stands for a lookup that was not made.
    fn outcome_of(redemption: &Value, verdict: Option<&Value>) -> ClaimOutcome {
        let ask = || {
            verdict
                .map(ApiExchange::from_json)
                .ok_or_else(|| "the verdict was queried without a receipt".to_owned())
        };
        ClaimReport::decide(CONTEXT, ADDRESS, ApiExchange::from_json(redemption), ask)
            .unwrap()
            .outcome
    }

    #[test]
    fn a_good_receipt_and_a_verdict_decide() {
        let good = receipt("valid", CONTEXT, ADDRESS);
        for (is_bot, score, expected) in [
            (false, 0.95, ClaimOutcome::Badge),
            (false, 0.1, ClaimOutcome::Badge),
            (false, 0.09, ClaimOutcome::Review),
            (false, 0.0, ClaimOutcome::Review),
            (true, 0.98, ClaimOutcome::Declined),
            (true, 0.0, ClaimOutcome::Declined),
        ] {
            let verdict = json!({ "isBot": is_bot, "confidence": { "score": score } });
            assert_eq!(outcome_of(&good, Some(&verdict)), expected, "{verdict}");
        }
    }

    #[test]
    fn receipt_of_another_claim_is_rejected_before_any_request() {
        for bad in [
            receipt("used", CONTEXT, ADDRESS),
            receipt("expired", CONTEXT, ADDRESS),
            json!({ "status": "forged" }),
            receipt("valid", "other.01k0ab3cdefghjkmnpqrstvwxy", ADDRESS),
            receipt(
                "valid",
                CONTEXT,
                "0x1111111111111111111111111111111111111111",
            ),
        ] {
            assert_eq!(outcome_of(&bad, None), ClaimOutcome::Refused, "{bad}");
        }
    }

    #[test]
    fn incomplete_answers_do_not_pay_out() {
        assert_eq!(outcome_of(&Value::Null, None), ClaimOutcome::Undecided);
        for verdict in [Value::Null, json!({ "isBot": false })] {
            assert_eq!(
                outcome_of(&receipt("valid", CONTEXT, ADDRESS), Some(&verdict)),
                ClaimOutcome::Undecided
            );
        }
    }
}
