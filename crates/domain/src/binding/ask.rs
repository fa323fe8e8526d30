//! When a check asks the visitor's wallet for a signature.

use crate::registry::{BindingPolicy, ContextSettings};
use crate::secrets::Secrets;
use crate::verdict::{Confidence, Verdict, answer};
use crate::vocabulary::{ContextId, EoaAddress};

/// One returning address in this many is asked although nothing is in doubt, so that being asked tells little.
const DRAWN_OF: u8 = 4;

/// Whether a check of an address whose verdict is `verdict` asks for a signature.
///
/// Unless a context asks always or never, it asks whoever an earlier check has left in doubt (flagged by a check that
/// anybody could have made, or with no certainty at all) and those that are drawn. A first check is never asked.
pub fn asks_for_signature(settings: &ContextSettings, verdict: Option<&Verdict>, drawn: bool) -> bool {
    match (settings.binding, verdict) {
        (BindingPolicy::Never, _) | (BindingPolicy::WhenUnsure, None) => false,
        (BindingPolicy::Always, _) => true,
        (BindingPolicy::WhenUnsure, Some(verdict)) => {
            drawn || verdict.claimed.flagged || answer(verdict, settings).score == Confidence::NONE
        }
    }
}

/// Whether an address is drawn in a context: by a keyed hash, so that nobody can tell who is, and the same at each return, so
/// that nobody learns more by returning often.
pub(crate) fn is_drawn(context: &ContextId, address: &EoaAddress, secrets: &Secrets) -> bool {
    let who = [context.as_str().as_bytes(), address.as_bytes()].concat();
    let [draw, ..] = secrets.token_mac("binding draw", &who);
    draw % DRAWN_OF == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::{challenge, secrets};
    use crate::verdict::{Layer, Nats};

    fn settings(binding: BindingPolicy) -> ContextSettings {
        ContextSettings { binding, ..ContextSettings::default() }
    }

    /// What a check has left that found a human.
    fn sure() -> Verdict {
        let claimed = Layer { human: Nats::from_milli(2000), ordinal: 1, ..Layer::default() };
        Verdict { claimed, ..Verdict::default() }
    }

    #[test]
    fn a_first_check_is_never_asked_unless_all_are() {
        for drawn in [false, true] {
            assert!(!asks_for_signature(&settings(BindingPolicy::WhenUnsure), None, drawn));
            assert!(!asks_for_signature(&settings(BindingPolicy::Never), Some(&sure()), drawn));
            assert!(asks_for_signature(&settings(BindingPolicy::Always), None, drawn));
        }
    }

    #[test]
    fn doubt_a_claimed_flag_and_the_draw_ask() {
        let asks =
            |verdict: &Verdict, drawn| asks_for_signature(&settings(BindingPolicy::WhenUnsure), Some(verdict), drawn);
        assert!(!asks(&sure(), false));
        assert!(asks(&sure(), true));
        assert!(asks(&Verdict::default(), false), "a check that found nothing leaves no certainty");
        let flagged = Layer { flagged: true, ..sure().claimed };
        assert!(asks(&Verdict { claimed: flagged, ..sure() }, false));
        let bound = Layer { ordinal: 1, ..sure().claimed };
        assert!(asks(&Verdict { claimed: flagged, bound, ..sure() }, false), "what is bound hides a claimed flag");
    }

    #[test]
    fn about_a_quarter_is_drawn_and_stays_so() {
        let context = challenge().context;
        let addresses = (0..2000_u16).map(|n| {
            let mut bytes = [0; 20];
            bytes[..2].copy_from_slice(&n.to_be_bytes());
            EoaAddress::from_bytes(bytes)
        });
        let secrets = secrets();
        let drawn: Vec<_> = addresses.filter(|address| is_drawn(&context, address, &secrets)).collect();
        assert!((420..=580).contains(&drawn.len()), "{} of 2000", drawn.len());
        assert!(drawn.iter().all(|address| is_drawn(&context, address, &secrets)));
        let other: ContextId = "other.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap();
        assert!(drawn.iter().any(|address| !is_drawn(&other, address, &secrets)), "contexts draw alike");
    }
}
