//! The step that the reply to the first batch draws.

use super::{Challenge, StageSize, TargetPosition, second_target};
use crate::registry::PressCount;
use crate::secrets::Secrets;

/// What the second batch has to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ChallengeStep {
    /// The token that the second batch returns.
    pub token: String,
    /// What the window does meanwhile.
    pub kind: ChallengeStepKind,
}

/// What the window does between the first and the second batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ChallengeStepKind {
    /// Shows a second target.
    Press(TargetPosition),
    /// Only returns the token.
    Nonce,
}

/// The step of a challenge. It is a function of the challenge and of what was rendered, so the server keeps nothing and
/// can draw it again when it judges. `pointer` says whether the first press was made with one.
pub fn draw_step(challenge: &Challenge, pointer: bool, stage: Option<&StageSize>, secrets: &Secrets) -> ChallengeStep {
    let id = challenge.check.to_bytes();
    let token = data_encoding::HEXLOWER.encode(&secrets.token_mac("step", &id)[..8]);
    let kind = match stage {
        Some(stage) if pointer && challenge.presses == PressCount::Two => {
            ChallengeStepKind::Press(second_target(&secrets.token_mac("place", &id), stage, challenge.first_target()))
        }
        _ => ChallengeStepKind::Nonce,
    };
    ChallengeStep { token, kind }
}

#[cfg(test)]
mod tests {
    use super::super::challenge::tests::{challenge, secrets};
    use super::*;

    const STAGE: StageSize = StageSize { width: 400.0, height: 300.0, target_width: 120.0, target_height: 56.0 };

    #[test]
    fn a_pointer_gets_a_second_target_and_a_keyboard_a_nonce() {
        let drawn = draw_step(&challenge(), true, Some(&STAGE), &secrets());
        assert!(matches!(drawn.kind, ChallengeStepKind::Press(_)));
        assert_eq!(drawn, draw_step(&challenge(), true, Some(&STAGE), &secrets()));
        let keyboard = draw_step(&challenge(), false, Some(&STAGE), &secrets());
        assert_eq!((keyboard.kind, keyboard.token), (ChallengeStepKind::Nonce, drawn.token));
    }

    #[test]
    fn a_context_of_one_press_draws_no_target() {
        let once = Challenge { presses: PressCount::One, ..challenge() };
        assert_eq!(draw_step(&once, true, Some(&STAGE), &secrets()).kind, ChallengeStepKind::Nonce);
    }
}
