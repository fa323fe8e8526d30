//! Settings of a context; all are optional and have defaults.

use crate::verdict::Nats;
use crate::vocabulary::Origin;
use std::time::Duration;

/// Error of an invalid setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The minimum confidence is outside of 50 to 99.
    #[error(
        "min_confidence is the certainty asked for, in percent, from 50 to 99; the default is 90"
    )]
    MinConfidence,
    /// The number of presses is neither 1 nor 2.
    #[error("presses is 1 or 2; the default is 2")]
    Presses,
}

/// Policy for asking for a wallet signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OwnershipPolicy {
    /// The context never asks.
    Never,
    /// In one check of four, drawn for each check and independent of the address.
    #[default]
    WhenUnsure,
    /// In every check.
    Always,
}

/// Policy for flags of checks without proof of ownership.
///
/// Any visitor could have caused such a flag. The policy applies once a check has the proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnverifiedFlagPolicy {
    /// The first conclusive check with proof of ownership moves the answer to the owned layer.
    #[default]
    UntilOwned,
    /// Both layers are merged before answering: once a bot, always a bot.
    Keep,
}

/// Mode of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContextMode {
    /// `isBot` is the result of the verdict.
    #[default]
    Enforce,
    /// `isBot` stays false; the operator sees the result that an enforcing context would give.
    Observe,
}

/// Policy for addresses beyond the limit of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceLimitPolicy {
    /// Addresses beyond the limit are reported.
    #[default]
    Report,
    /// Addresses beyond the limit are flagged.
    Flag,
}

/// Number of presses that a check with a pointer asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PressCount {
    /// One press; the behaviour model and the movement fingerprints abstain.
    One,
    /// Two presses, which give two complete movements to evaluate.
    #[default]
    Two,
}

impl PressCount {
    /// Returns the number of presses.
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

/// Certainty that a flag needs, in percent: 50 to 99.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MinConfidence(u8);

impl MinConfidence {
    /// Returns the certainty in percent.
    pub const fn percent(self) -> u8 {
        self.0
    }

    /// Returns the evidence that a flag needs, in nats.
    ///
    /// `tau = logit(certainty) - logit(prior)`, with the prior of 0.2.
    pub fn flag_threshold(self) -> Nats {
        Nats::logit(f64::from(self.0) / 100.0) - Nats::prior()
    }
}

impl Default for MinConfidence {
    fn default() -> Self {
        Self(90)
    }
}

impl TryFrom<u8> for MinConfidence {
    type Error = SettingError;

    fn try_from(percent: u8) -> Result<Self, Self::Error> {
        if (50..=99).contains(&percent) {
            Ok(Self(percent))
        } else {
            Err(SettingError::MinConfidence)
        }
    }
}

/// All settings of a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextSettings {
    /// Allowlist of origins that may host the context's checks, narrowing the client's.
    ///
    /// If it is empty, the client's applies.
    pub origins: Vec<Origin>,
    /// Policy for asking for a wallet signature.
    pub ownership_proof: OwnershipPolicy,
    /// Policy for flags of checks without proof of ownership.
    pub unverified_flags: UnverifiedFlagPolicy,
    /// Certainty that a flag needs.
    pub min_confidence: MinConfidence,
    /// Number of presses in a check with a pointer.
    pub press_count: PressCount,
    /// Mode of the context: enforce or observe verdicts.
    pub mode: ContextMode,
    /// Maximum number of addresses of one device.
    pub device_limit: u32,
    /// Policy for addresses beyond that limit.
    pub device_policy: DeviceLimitPolicy,
    /// Retention of raw evidence, in days, within the maximum of the service.
    pub retention_days: u16,
}

impl ContextSettings {
    /// Returns the retention of evidence received under these settings, from the opening of the check.
    pub fn retention(&self) -> Duration {
        Duration::from_hours(24 * u64::from(self.retention_days))
    }
}

impl Default for ContextSettings {
    fn default() -> Self {
        Self {
            origins: Vec::new(),
            ownership_proof: OwnershipPolicy::default(),
            unverified_flags: UnverifiedFlagPolicy::default(),
            min_confidence: MinConfidence::default(),
            press_count: PressCount::default(),
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
    fn default_flag_threshold_is_as_documented() {
        assert_eq!(
            MinConfidence::default().flag_threshold(),
            Nats::from_milli(3_583)
        );
    }

    #[test]
    fn settings_out_of_range_are_rejected() {
        assert_eq!(
            MinConfidence::try_from(49),
            Err(SettingError::MinConfidence)
        );
        assert_eq!(
            MinConfidence::try_from(100),
            Err(SettingError::MinConfidence)
        );
        assert_eq!(PressCount::try_from(3), Err(SettingError::Presses));
    }
}
