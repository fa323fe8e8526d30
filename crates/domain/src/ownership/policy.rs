//! Decision whether a check asks the visitor's wallet for a signature.

use crate::registry::OwnershipPolicy;
use crate::secrets::Secrets;
use crate::vocabulary::CheckId;

/// Under [`OwnershipPolicy::WhenUnsure`] one of this number of checks asks.
const SAMPLE_ONE_IN: u8 = 4;

/// Membership of a check in the sample that is asked for a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sampling {
    /// The sample contains the check.
    Selected,
    /// The sample does not contain the check.
    NotSelected,
}

/// Returns `true` if a check asks for a signature.
///
/// The decision depends on the context's policy and a random draw, and on nothing that is stored about the address: the
/// reply goes to a browser without a key, so any visitor could read stored data out of it by naming an address.
pub const fn requires_signature(policy: OwnershipPolicy, sampling: Sampling) -> bool {
    match policy {
        OwnershipPolicy::Never => false,
        OwnershipPolicy::WhenUnsure => matches!(sampling, Sampling::Selected),
        OwnershipPolicy::Always => true,
    }
}

/// Returns whether the sample contains a check.
///
/// The draw is a keyed hash of the check's random id, so it is unpredictable and independent for each check. The owner
/// of an address is therefore asked eventually, whatever was drawn before.
pub(crate) fn draw_sampling(check: CheckId, secrets: &Secrets) -> Sampling {
    let [draw, ..] = secrets.token_mac("binding draw", &check.to_bytes());
    if draw % SAMPLE_ONE_IN == 0 {
        Sampling::Selected
    } else {
        Sampling::NotSelected
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::secrets;
    use crate::vocabulary::Timestamp;

    #[test]
    fn policy_and_draw_decide_alone() {
        for sampling in [Sampling::NotSelected, Sampling::Selected] {
            assert!(!requires_signature(OwnershipPolicy::Never, sampling));
            assert_eq!(
                requires_signature(OwnershipPolicy::WhenUnsure, sampling),
                sampling == Sampling::Selected
            );
            assert!(requires_signature(OwnershipPolicy::Always, sampling));
        }
    }

    #[test]
    fn quarter_of_checks_is_sampled() {
        let secrets = secrets();
        let check = |n: u16| {
            let mut random = [0; 10];
            random[..2].copy_from_slice(&n.to_be_bytes());
            CheckId::new(Timestamp::from_millis(1_800_000_000_000), random)
        };
        let sampled_checks = (0..2000)
            .filter(|n| draw_sampling(check(*n), &secrets) == Sampling::Selected)
            .count();
        assert!(
            (420..=580).contains(&sampled_checks),
            "{sampled_checks} of 2000"
        );
    }
}
