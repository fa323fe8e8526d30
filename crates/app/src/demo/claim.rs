//! What the demo's platform does when somebody claims: a receipt is redeemed before the verdict is asked for.

use super::platform::ApiExchange;
use serde::Serialize;
use voight_domain::EoaAddress;

/// What became of a claim, and what it rests on.
#[derive(Debug, Serialize)]
pub(super) struct ClaimReport {
    outcome: ClaimOutcome,
    /// The answer about the receipt.
    redeemed: ApiExchange,
    /// The answer about the address; not asked for without a good receipt.
    verdict: Option<ApiExchange>,
}

/// What becomes of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum ClaimOutcome {
    /// The badge is handed out.
    Badge,
    /// Somebody looks at the claim.
    Review,
    /// No check of this address was completed for this quest.
    Refused,
    /// The service did not say what it was asked.
    Undecided,
}

impl ClaimReport {
    /// Decides on a claim by the answer about its receipt, and `ask`s for the verdict if that is good. What is not known hands
    /// nothing out.
    pub(super) fn decide(
        context: &str,
        address: &str,
        redeemed: ApiExchange,
        ask: impl FnOnce() -> Result<ApiExchange, String>,
    ) -> Result<Self, String> {
        match completed(context, address, &redeemed) {
            Some(true) => {
                let verdict = ask()?;
                let outcome = match verdict.data()["isBot"].as_bool() {
                    Some(true) => ClaimOutcome::Review,
                    Some(false) => ClaimOutcome::Badge,
                    None => ClaimOutcome::Undecided,
                };
                Ok(Self { outcome, redeemed, verdict: Some(verdict) })
            }
            Some(false) => Ok(Self { outcome: ClaimOutcome::Refused, redeemed, verdict: None }),
            None => Ok(Self { outcome: ClaimOutcome::Undecided, redeemed, verdict: None }),
        }
    }
}

/// Whether the receipt is good, and of this address and quest; `None` if the service did not say so.
fn completed(context: &str, address: &str, redeemed: &ApiExchange) -> Option<bool> {
    let data = redeemed.data();
    let named: Option<EoaAddress> = data["eoa_address"].as_str().and_then(|text| text.parse().ok());
    let of_this = data["context_id"] == context && named.is_some() && named == address.parse().ok();
    Some(data["status"].as_str()? == "valid" && of_this)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const CONTEXT: &str = "quest.01k0ab3cdefghjkmnpqrstvwxy";
    const ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

    fn receipt(status: &str, context: &str, address: &str) -> Value {
        json!({ "status": status, "context_id": context, "eoa_address": address.to_lowercase() })
    }

    /// What becomes of a claim by these two answers; an answer that is not asked for is none.
    fn outcome(redeemed: &Value, verdict: Option<&Value>) -> ClaimOutcome {
        let ask = || verdict.map(ApiExchange::from_json).ok_or_else(|| "nobody should ask".to_owned());
        ClaimReport::decide(CONTEXT, ADDRESS, ApiExchange::from_json(redeemed), ask).unwrap().outcome
    }

    #[test]
    fn a_good_receipt_and_a_verdict_decide() {
        let good = receipt("valid", CONTEXT, ADDRESS);
        assert_eq!(outcome(&good, Some(&json!({ "isBot": false }))), ClaimOutcome::Badge);
        assert_eq!(outcome(&good, Some(&json!({ "isBot": true }))), ClaimOutcome::Review);
    }

    #[test]
    fn a_receipt_that_is_not_of_this_claim_is_refused_before_anything_is_asked() {
        for bad in [
            receipt("used", CONTEXT, ADDRESS),
            receipt("expired", CONTEXT, ADDRESS),
            json!({ "status": "forged" }),
            receipt("valid", "other.01k0ab3cdefghjkmnpqrstvwxy", ADDRESS),
            receipt("valid", CONTEXT, "0x1111111111111111111111111111111111111111"),
        ] {
            assert_eq!(outcome(&bad, None), ClaimOutcome::Refused, "{bad}");
        }
    }

    #[test]
    fn what_the_service_does_not_say_hands_nothing_out() {
        assert_eq!(outcome(&Value::Null, None), ClaimOutcome::Undecided);
        assert_eq!(outcome(&receipt("valid", CONTEXT, ADDRESS), Some(&Value::Null)), ClaimOutcome::Undecided);
    }
}
