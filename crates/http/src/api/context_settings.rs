//! The settings of a context as JSON.

use super::members::{present, whole_number};
use crate::error::ApiError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::registry::{self, Context, PressCount, Sensitivity};
use voight_domain::vocabulary::{Origin, Timestamp};

/// Declares a word of the API that stands for an enum of the domain, in both directions.
macro_rules! wire_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$variant_meta])* $variant,)* }

        impl From<$name> for registry::$name {
            fn from(word: $name) -> Self {
                match word { $($name::$variant => Self::$variant,)* }
            }
        }

        impl From<registry::$name> for $name {
            fn from(value: registry::$name) -> Self {
                match value { $(registry::$name::$variant => Self::$variant,)* }
            }
        }
    };
}

wire_enum! {
    /// When a check asks for a wallet signature.
    OwnershipPolicy {
        /// Never.
        Never,
        /// At one check in four, drawn for each check and independent of the address.
        WhenUnsure,
        /// At every check.
        Always,
    }
}
wire_enum! {
    /// What becomes of flags that anybody could have caused.
    UnverifiedFlagPolicy {
        /// They count until the first check that is bound to the address.
        UntilBound,
        /// They are kept.
        Keep,
    }
}
wire_enum! {
    /// Whether verdicts are acted on.
    ContextMode {
        /// `isBot` says what was found.
        Enforce,
        /// `isBot` stays false.
        Observe,
    }
}
wire_enum! {
    /// What happens to addresses beyond the limit of a device.
    DeviceLimitPolicy {
        /// They are reported.
        Report,
        /// They are flagged.
        Flag,
    }
}

/// A change of a context. A member that is left out keeps its setting.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeContext {
    /// Origins that may host checks, narrowing the client's; an empty list means the client's.
    #[schema(schema_with = crate::openapi::origins_schema)]
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    origins: Option<Vec<String>>,
    /// When a check asks for a wallet signature.
    #[schema(nullable = false)]
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    binding: Option<OwnershipPolicy>,
    /// What becomes of flags that anybody could have caused.
    #[schema(nullable = false)]
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    claimed_flags: Option<UnverifiedFlagPolicy>,
    /// The certainty that a flag asks for, in percent.
    #[schema(nullable = false, minimum = 50, maximum = 99)]
    #[serde(default, deserialize_with = "whole_number", skip_serializing_if = "Option::is_none")]
    sensitivity: Option<u8>,
    /// How many presses a check with a pointer asks for.
    #[schema(nullable = false, minimum = 1, maximum = 2)]
    #[serde(default, deserialize_with = "whole_number", skip_serializing_if = "Option::is_none")]
    presses: Option<u8>,
    /// Whether verdicts are acted on.
    #[schema(nullable = false)]
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    mode: Option<ContextMode>,
    /// How many addresses one device may present.
    #[schema(nullable = false, minimum = 1, maximum = 1_000_000)]
    #[serde(default, deserialize_with = "whole_number", skip_serializing_if = "Option::is_none")]
    device_limit: Option<u32>,
    /// What happens to addresses beyond that limit.
    #[schema(nullable = false)]
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    device_policy: Option<DeviceLimitPolicy>,
    /// Days for which raw evidence that comes in from now on is kept, if the service keeps any that long.
    #[schema(nullable = false, minimum = 1, maximum = 3650)]
    #[serde(default, deserialize_with = "whole_number", skip_serializing_if = "Option::is_none")]
    retention_days: Option<u16>,
    /// Whether the context is archived: it opens no new checks, its lookups still answer.
    #[schema(nullable = false)]
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    archived: Option<bool>,
}

/// Within the limit of a body, whatever the origins are.
const ORIGINS_MAX: usize = 10;

impl ChangeContext {
    /// The change in words, for the audit log.
    pub(crate) fn describe(&self) -> String {
        // A struct of plain values always serialises.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The change, if every value is in its range.
    pub(crate) fn into_change(self, now: Timestamp) -> Result<registry::ContextChange, ApiError> {
        Ok(registry::ContextChange {
            origins: self.origins.as_deref().map(origins).transpose()?,
            binding: self.binding.map(Into::into),
            claimed_flags: self.claimed_flags.map(Into::into),
            sensitivity: self.sensitivity.map(Sensitivity::try_from).transpose().map_err(out_of_range)?,
            presses: self.presses.map(PressCount::try_from).transpose().map_err(out_of_range)?,
            mode: self.mode.map(Into::into),
            device_limit: self.device_limit.map(|limit| within(limit, 1..=1_000_000, "device_limit")).transpose()?,
            device_policy: self.device_policy.map(Into::into),
            retention_days: self.retention_days.map(|days| within(days, 1..=3650, "retention_days")).transpose()?,
            archived_at: self.archived.map(|archived| archived.then_some(now)),
        })
    }
}

fn origins(texts: &[String]) -> Result<Vec<Origin>, ApiError> {
    if texts.len() > ORIGINS_MAX {
        return Err(ApiError::invalid(format!("origins has more than {ORIGINS_MAX} entries.")));
    }
    let parsed = texts.iter().map(|text| text.parse::<Origin>());
    parsed.collect::<Result<_, _>>().map_err(|error| ApiError::invalid(format!("origins: {error}.")))
}

fn out_of_range(error: registry::SettingError) -> ApiError {
    ApiError::invalid(format!("{error}."))
}

fn within<T: PartialOrd + std::fmt::Display>(
    value: T,
    range: std::ops::RangeInclusive<T>,
    name: &str,
) -> Result<T, ApiError> {
    if range.contains(&value) {
        Ok(value)
    } else {
        Err(ApiError::invalid(format!("{name} is from {} to {}.", range.start(), range.end())))
    }
}

/// A context with its settings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContextView {
    /// The context.
    context_id: String,
    /// Origins that may host its checks; an empty list means the client's.
    origins: Vec<String>,
    /// When a check asks for a wallet signature.
    binding: OwnershipPolicy,
    /// What becomes of flags that anybody could have caused.
    claimed_flags: UnverifiedFlagPolicy,
    /// The certainty that a flag asks for, in percent.
    sensitivity: u8,
    /// How many presses a check with a pointer asks for.
    presses: u8,
    /// Whether verdicts are acted on.
    mode: ContextMode,
    /// How many addresses one device may present.
    device_limit: u32,
    /// What happens to addresses beyond that limit.
    device_policy: DeviceLimitPolicy,
    /// Days for which raw evidence is kept, if the service keeps any that long.
    retention_days: u16,
    /// Whether it is archived.
    archived: bool,
}

impl From<&Context> for ContextView {
    fn from(context: &Context) -> Self {
        let settings = &context.settings;
        Self {
            context_id: context.id.to_string(),
            origins: settings.origins.iter().map(ToString::to_string).collect(),
            binding: settings.binding.into(),
            claimed_flags: settings.claimed_flags.into(),
            sensitivity: settings.sensitivity.percent(),
            presses: settings.presses.count(),
            mode: settings.mode.into(),
            device_limit: settings.device_limit,
            device_policy: settings.device_policy.into(),
            retention_days: settings.retention_days,
            archived: context.archived_at.is_some(),
        }
    }
}
