//! Settings of a context as JSON.

use super::serde_fields::{present, present_whole_number};
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::registry::{self, Context, MinConfidence, PressCount};
use voight_domain::vocabulary::{Origin, Timestamp};

wire_enum! {
    /// Checks that require a wallet signature.
    OwnershipPolicy = registry::OwnershipPolicy, "snake_case" {
        /// No check.
        Never,
        /// One check in four, chosen at random for each check and independently of the address.
        WhenUnsure,
        /// Every check.
        Always,
    }
}
wire_enum! {
    /// Treatment of flags of checks without proof of wallet ownership.
    UnverifiedFlagPolicy = registry::UnverifiedFlagPolicy, "snake_case" {
        /// Such flags count until the first check with proof of wallet ownership.
        UntilOwned,
        /// Such flags are kept.
        Keep,
    }
}
wire_enum! {
    /// Effect of verdicts.
    ContextMode = registry::ContextMode, "snake_case" {
        /// `isBot` reports the verdict.
        Enforce,
        /// `isBot` is always false.
        Observe,
    }
}
wire_enum! {
    /// Treatment of addresses above the limit of a device.
    DeviceLimitPolicy = registry::DeviceLimitPolicy, "snake_case" {
        /// Such addresses are reported.
        Report,
        /// Such addresses are flagged.
        Flag,
    }
}

/// Change of a context. An absent member keeps its setting.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeContext {
    /// Origins that may host checks, a subset of the client's; an empty list means the client's origins.
    #[schema(schema_with = crate::openapi::origins_schema)]
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub origins: Option<Vec<String>>,
    /// Checks that require a wallet signature.
    #[schema(nullable = false)]
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub ownership_proof: Option<OwnershipPolicy>,
    /// Treatment of flags of checks without proof of wallet ownership.
    #[schema(nullable = false)]
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub unverified_flags: Option<UnverifiedFlagPolicy>,
    /// Certainty that a flag requires, in percent.
    #[schema(nullable = false, minimum = 50, maximum = 99)]
    #[serde(
        default,
        deserialize_with = "present_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub min_confidence: Option<u8>,
    /// Number of presses in a check with a pointer.
    #[schema(nullable = false, minimum = 1, maximum = 2)]
    #[serde(
        default,
        deserialize_with = "present_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub press_count: Option<u8>,
    /// Effect of verdicts: `enforce` reports them in `isBot`, `observe` does not.
    #[schema(nullable = false)]
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub mode: Option<ContextMode>,
    /// Maximum number of addresses for each device.
    #[schema(nullable = false, minimum = 1, maximum = 1_000_000)]
    #[serde(
        default,
        deserialize_with = "present_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub device_limit: Option<u32>,
    /// Treatment of addresses above `device_limit`.
    #[schema(nullable = false)]
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub device_policy: Option<DeviceLimitPolicy>,
    /// Retention of raw evidence, in days. Applies to evidence received from now on; the retention of the service is an upper
    /// limit.
    #[schema(nullable = false, minimum = 1, maximum = 3650)]
    #[serde(
        default,
        deserialize_with = "present_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub retention_days: Option<u16>,
    /// `true` to archive the context: no new checks can be opened, lookups are still answered.
    #[schema(nullable = false)]
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub archived: Option<bool>,
}

/// Maximum number of origins, chosen so that every list fits into the body limit.
const ORIGINS_MAX: usize = 10;

impl ChangeContext {
    /// Describes the change for the audit log.
    pub fn describe(&self) -> String {
        // Serialising a struct of plain values cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Converts the change, or returns a message if a value is out of range.
    pub fn into_change(self, now: Timestamp) -> Result<registry::ContextChange, String> {
        Ok(registry::ContextChange {
            origins: self.origins.as_deref().map(origins).transpose()?,
            ownership_proof: self.ownership_proof.map(Into::into),
            unverified_flags: self.unverified_flags.map(Into::into),
            min_confidence: self
                .min_confidence
                .map(MinConfidence::try_from)
                .transpose()
                .map_err(out_of_range)?,
            press_count: self
                .press_count
                .map(PressCount::try_from)
                .transpose()
                .map_err(out_of_range)?,
            mode: self.mode.map(Into::into),
            device_limit: self
                .device_limit
                .map(|limit| within(limit, 1..=1_000_000, "device_limit"))
                .transpose()?,
            device_policy: self.device_policy.map(Into::into),
            retention_days: self
                .retention_days
                .map(|days| within(days, 1..=3650, "retention_days"))
                .transpose()?,
            archived_at: self.archived.map(|is_archived| is_archived.then_some(now)),
        })
    }
}

fn origins(texts: &[String]) -> Result<Vec<Origin>, String> {
    if texts.len() > ORIGINS_MAX {
        return Err(format!("origins has more than {ORIGINS_MAX} entries."));
    }
    let origins = texts.iter().map(|text| text.parse::<Origin>());
    origins
        .collect::<Result<_, _>>()
        .map_err(|error| format!("origins: {error}."))
}

fn out_of_range(error: registry::SettingError) -> String {
    format!("{error}.")
}

fn within<T: PartialOrd + std::fmt::Display>(
    value: T,
    range: std::ops::RangeInclusive<T>,
    name: &str,
) -> Result<T, String> {
    if range.contains(&value) {
        Ok(value)
    } else {
        Err(format!(
            "{name} is from {} to {}.",
            range.start(),
            range.end()
        ))
    }
}

/// Context with its settings.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContextView {
    /// Context id.
    pub context_id: String,
    /// Origins that may host checks; an empty list means the client's origins.
    pub origins: Vec<String>,
    /// Checks that require a wallet signature.
    pub ownership_proof: OwnershipPolicy,
    /// Treatment of flags of checks without proof of wallet ownership.
    pub unverified_flags: UnverifiedFlagPolicy,
    /// Certainty that a flag requires, in percent.
    pub min_confidence: u8,
    /// Number of presses in a check with a pointer.
    pub press_count: u8,
    /// Effect of verdicts: `enforce` reports them in `isBot`, `observe` does not.
    pub mode: ContextMode,
    /// Maximum number of addresses for each device.
    pub device_limit: u32,
    /// Treatment of addresses above `device_limit`.
    pub device_policy: DeviceLimitPolicy,
    /// Retention of raw evidence, in days; the retention of the service is an upper limit.
    pub retention_days: u16,
    /// `true` if the context is archived.
    pub archived: bool,
}

impl From<&Context> for ContextView {
    fn from(context: &Context) -> Self {
        let settings = &context.settings;
        Self {
            context_id: context.id.to_string(),
            origins: settings.origins.iter().map(ToString::to_string).collect(),
            ownership_proof: settings.ownership_proof.into(),
            unverified_flags: settings.unverified_flags.into(),
            min_confidence: settings.min_confidence.percent(),
            press_count: settings.press_count.count(),
            mode: settings.mode.into(),
            device_limit: settings.device_limit,
            device_policy: settings.device_policy.into(),
            retention_days: settings.retention_days,
            archived: context.archived_at.is_some(),
        }
    }
}
