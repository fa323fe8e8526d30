//! Context settings on the command line.

use crate::cli::number::whole;
use clap::{Args, ValueEnum};
use voight_api::admin::{
    ContextMode, ContextPatch, DeviceLimitPolicy, OwnershipPolicy, UnverifiedFlagPolicy,
};
use voight_domain::Origin;

/// Settings to change; a setting that is not given keeps its value.
#[derive(Debug, Default, Args)]
#[group(id = "settings", required = true, multiple = true)]
pub(in crate::cli) struct SettingsArgs {
    /// Set the origins that may embed the context's checks; they narrow the client's origins
    #[arg(long, value_name = "ORIGIN", num_args = 1.., value_delimiter = ',')]
    origins: Vec<Origin>,
    /// Clear the context's origins: the client's origins apply
    #[arg(long, conflicts_with = "origins")]
    clear_origins: bool,
    /// Checks that ask for a wallet signature
    #[arg(long, value_name = "WHEN")]
    ownership_proof: Option<OwnershipProof>,
    /// Treatment of flags from checks without proof of wallet ownership
    #[arg(long, value_name = "RULE")]
    unverified_flags: Option<UnverifiedFlags>,
    /// Certainty that a flag requires, in percent, 50 to 99
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = whole(50_u8, 99))]
    min_confidence: Option<u8>,
    /// Number of presses that a check with a pointer asks for
    #[arg(long, value_name = "1|2", allow_negative_numbers = true, value_parser = whole(1_u8, 2))]
    press_count: Option<u8>,
    /// Result of lookups: the verdict (enforce) or always false (observe)
    #[arg(long, value_name = "MODE")]
    mode: Option<Mode>,
    /// Maximum number of addresses per device
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1_u32, 1_000_000))]
    device_limit: Option<u32>,
    /// Treatment of addresses over the device limit
    #[arg(long, value_name = "POLICY")]
    device_policy: Option<DevicePolicy>,
    /// Retention of raw evidence, in days. Applies to evidence received from now on
    #[arg(long, value_name = "DAYS", allow_negative_numbers = true, value_parser = whole(1_u16, 3650))]
    retention_days: Option<u16>,
    /// Restore an archived context
    #[arg(long)]
    restore: bool,
    #[arg(skip)]
    archive: bool,
}

/// Declares the values of a flag: variants of an enum of the API, with their help texts.
macro_rules! flag_values {
    ($name:ident for $wire:ident { $($(#[$help:meta])* $variant:ident,)* }) => {
        #[derive(Debug, Clone, Copy, ValueEnum)]
        enum $name { $($(#[$help])* $variant,)* }

        impl From<$name> for $wire {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => Self::$variant,)* }
            }
        }
    };
}

flag_values! {
    OwnershipProof for OwnershipPolicy {
        /// No check
        Never,
        /// One check in four, drawn at random for each check and independent of the address
        WhenUnsure,
        /// Every check
        Always,
    }
}

flag_values! {
    UnverifiedFlags for UnverifiedFlagPolicy {
        /// Count until the first check with proof of ownership of the address
        UntilOwned,
        /// Always count
        Keep,
    }
}

flag_values! {
    Mode for ContextMode {
        /// isBot reports the verdict
        Enforce,
        /// isBot is always false
        Observe,
    }
}

flag_values! {
    DevicePolicy for DeviceLimitPolicy {
        /// Report the addresses
        Report,
        /// Flag the addresses
        Flag,
    }
}

impl SettingsArgs {
    /// Returns a patch that archives the context and changes no other setting.
    pub(super) fn archived() -> Self {
        Self {
            archive: true,
            ..Self::default()
        }
    }

    /// Converts the settings to the patch of the admin API.
    pub(super) fn patch(&self) -> ContextPatch {
        let origins = || self.origins.iter().map(ToString::to_string).collect();
        ContextPatch {
            origins: (self.clear_origins || !self.origins.is_empty()).then(origins),
            ownership_proof: self.ownership_proof.map(Into::into),
            unverified_flags: self.unverified_flags.map(Into::into),
            min_confidence: self.min_confidence,
            press_count: self.press_count,
            mode: self.mode.map(Into::into),
            device_limit: self.device_limit,
            device_policy: self.device_policy.map(Into::into),
            retention_days: self.retention_days,
            archived: (self.archive || self.restore).then_some(self.archive),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use serde_json::json;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        settings: SettingsArgs,
    }

    fn patch(flags: &[&str]) -> serde_json::Value {
        let line = Line::try_parse_from([&["set"], flags].concat()).unwrap();
        serde_json::to_value(line.settings.patch()).unwrap()
    }

    #[test]
    fn only_given_settings_are_changed() {
        assert_eq!(
            patch(&["--min-confidence", "80", "--ownership-proof", "when-unsure"]),
            json!({"min_confidence": 80, "ownership_proof": "when_unsure"})
        );
        assert_eq!(patch(&["--clear-origins"]), json!({"origins": []}));
        assert_eq!(patch(&["--restore"]), json!({"archived": false}));
        assert_eq!(
            serde_json::to_value(SettingsArgs::archived().patch()).unwrap(),
            json!({"archived": true})
        );
    }

    #[test]
    fn empty_changes_and_values_out_of_range_are_rejected() {
        for flags in [
            vec![],
            vec!["--min-confidence", "49"],
            vec!["--press-count", "3"],
            vec!["--mode", "guess"],
        ] {
            assert!(
                Line::try_parse_from([vec!["set"], flags.clone()].concat()).is_err(),
                "{flags:?}"
            );
        }
    }
}
