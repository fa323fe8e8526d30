//! Step in the reply to the first batch.

use super::{Challenge, StageSize, TargetPosition, second_target};
use crate::registry::PressCount;
use crate::secrets::Secrets;

/// Step that the second batch has to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ChallengeStep {
    /// The token that the second batch returns.
    pub token: String,
    /// The action of the window.
    pub kind: ChallengeStepKind,
}

/// Action of the window between the first and the second batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ChallengeStepKind {
    /// The window shows a second target at this position.
    Press(TargetPosition),
    /// The window only returns the token.
    Nonce,
}

/// Input that pressed the first target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstInput {
    /// A pointer.
    Pointer,
    /// A key, or no press at all.
    Keyboard,
}

/// Returns the step of a challenge. The step is a function of the challenge and of the rendered sizes, so the server
/// stores nothing and can compute it again for the evaluation.
pub fn draw_step(
    challenge: &Challenge,
    first_input: FirstInput,
    stage: Option<&StageSize>,
    secrets: &Secrets,
) -> ChallengeStep {
    let id = challenge.check.to_bytes();
    let token = data_encoding::HEXLOWER.encode(&secrets.token_mac("step", &id)[..8]);
    let kind = match stage {
        Some(stage)
            if first_input == FirstInput::Pointer && challenge.presses == PressCount::Two =>
        {
            ChallengeStepKind::Press(second_target(
                &secrets.token_mac("place", &id),
                stage,
                challenge.first_target(),
            ))
        }
        _ => ChallengeStepKind::Nonce,
    };
    ChallengeStep { token, kind }
}

#[cfg(test)]
mod tests {
    use super::super::challenge::tests::{challenge, secrets};
    use super::*;

    const STAGE: StageSize = StageSize {
        width: 400.0,
        height: 300.0,
        target_width: 120.0,
        target_height: 56.0,
    };

    #[test]
    fn pointer_gets_a_target_and_keyboard_a_nonce() {
        let pointer_step = draw_step(&challenge(), FirstInput::Pointer, Some(&STAGE), &secrets());
        assert!(matches!(pointer_step.kind, ChallengeStepKind::Press(_)));
        assert_eq!(
            pointer_step,
            draw_step(&challenge(), FirstInput::Pointer, Some(&STAGE), &secrets())
        );
        let keyboard = draw_step(&challenge(), FirstInput::Keyboard, Some(&STAGE), &secrets());
        assert_eq!(
            (keyboard.kind, keyboard.token),
            (ChallengeStepKind::Nonce, pointer_step.token)
        );
    }

    #[test]
    fn single_press_context_draws_no_target() {
        let once = Challenge {
            presses: PressCount::One,
            ..challenge()
        };
        assert_eq!(
            draw_step(&once, FirstInput::Pointer, Some(&STAGE), &secrets()).kind,
            ChallengeStepKind::Nonce
        );
    }
}
