//! The settings of a context; all optional, all with defaults.

use crate::verdict::Nats;
use crate::vocabulary::Origin;
use std::time::Duration;

/// Why a setting was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// Outside of 50 to 99.
    #[error("sensitivity is the certainty asked for, in percent, from 50 to 99; the default is 90")]
    Sensitivity,
    /// Neither 1 nor 2.
    #[error("presses is 1 or 2; the default is 2")]
    Presses,
}

/// When a check asks for a wallet signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OwnershipPolicy {
    /// Never.
    Never,
    /// At one check in four, drawn for each check and independent of the address.
    #[default]
    WhenUnsure,
    /// At every check.
    Always,
}

/// What becomes of flags that anybody could have caused, once a check was bound to the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnverifiedFlagPolicy {
    /// The first covered bound check moves the answer to the bound layer.
    #[default]
    UntilBound,
    /// Both layers are merged before answering: "ever a bot", to the letter.
    Keep,
}

/// Whether a context's verdicts are acted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContextMode {
    /// `isBot` says what was found.
    #[default]
    Enforce,
    /// `isBot` stays false; what it would have been is shown to the operator.
    Observe,
}

/// What happens to addresses beyond the limit of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceLimitPolicy {
    /// They are reported.
    #[default]
    Report,
    /// They are flagged.
    Flag,
}

/// How many presses a check with a pointer asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PressCount {
    /// One; then the behaviour model and trace links abstain.
    One,
    /// Two, so that there are two whole movements to look at.
    #[default]
    Two,
}

impl PressCount {
    /// The number of presses.
    pub const fn count(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

impl TryFrom<u8> for PressCount {
    type Error = SettingError;

    fn try_from(count: u8) -> Result<Self, Self::Error> {
        match count {
            1 => Ok(Self::One),
            2 => Ok(Self::Two),
            _ => Err(SettingError::Presses),
        }
    }
}

/// The certainty, in percent, that a flag asks for: 50 to 99.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sensitivity(u8);

impl Sensitivity {
    /// The certainty in percent.
    pub const fn percent(self) -> u8 {
        self.0
    }

    /// The evidence that a flag needs, `tau = logit(certainty) - logit(prior)` nats, with the prior of 0.2.
    pub fn flag_threshold(self) -> Nats {
        Nats::logit(f64::from(self.0) / 100.0) - Nats::prior()
    }
}

impl Default for Sensitivity {
    fn default() -> Self {
        Self(90)
    }
}

impl TryFrom<u8> for Sensitivity {
    type Error = SettingError;

    fn try_from(percent: u8) -> Result<Self, Self::Error> {
        if (50..=99).contains(&percent) { Ok(Self(percent)) } else { Err(SettingError::Sensitivity) }
    }
}

/// All settings of a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextSettings {
    /// Origins that may host its checks, narrowing the client's; empty means the client's.
    pub origins: Vec<Origin>,
    /// When a check asks for a wallet signature.
    pub binding: OwnershipPolicy,
    /// What becomes of claimed flags.
    pub claimed_flags: UnverifiedFlagPolicy,
    /// How certain a flag has to be.
    pub sensitivity: Sensitivity,
    /// How many presses a check with a pointer asks for.
    pub presses: PressCount,
    /// Whether verdicts are acted on.
    pub mode: ContextMode,
    /// How many addresses one device may present.
    pub device_limit: u32,
    /// What happens beyond that limit.
    pub device_policy: DeviceLimitPolicy,
    /// Days for which raw evidence is kept, if the service keeps any that long.
    pub retention_days: u16,
}

impl ContextSettings {
    /// For how long the evidence of a check that comes in under these settings is kept, from the opening of the check.
    pub fn retention(&self) -> Duration {
        Duration::from_hours(24 * u64::from(self.retention_days))
    }
}

impl Default for ContextSettings {
    fn default() -> Self {
        Self {
            origins: Vec::new(),
            binding: OwnershipPolicy::default(),
            claimed_flags: UnverifiedFlagPolicy::default(),
            sensitivity: Sensitivity::default(),
            presses: PressCount::default(),
            mode: ContextMode::default(),
            device_limit: 5,
            device_policy: DeviceLimitPolicy::default(),
            retention_days: 30,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tau_at_default_sensitivity_is_logit_nine_tenths_less_logit_one_fifth() {
        assert_eq!(Sensitivity::default().flag_threshold(), Nats::from_milli(3_583));
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        assert_eq!(Sensitivity::try_from(49), Err(SettingError::Sensitivity));
        assert_eq!(Sensitivity::try_from(100), Err(SettingError::Sensitivity));
        assert_eq!(PressCount::try_from(3), Err(SettingError::Presses));
    }
}
