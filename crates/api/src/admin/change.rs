//! Changes of optional values.

use serde::{Deserialize, Deserializer, Serialize};

/// Change of an optional value. A member that is absent from the body changes nothing, so a body holds an `Option` of this
/// type, which [`present`] reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NullablePatch<T> {
    /// Sets the value.
    Set(T),
    /// Removes the value: `null`.
    Clear,
}

impl<T> NullablePatch<T> {
    /// Returns the new value.
    pub fn into_option(self) -> Option<T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Clear => None,
        }
    }
}

/// Reads a member that is present as a change, also if it is `null`.
pub(super) fn present<'de, T, D>(deserializer: D) -> Result<Option<NullablePatch<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    // The untagged enum would lose the reason why a value does not fit.
    Option::<T>::deserialize(deserializer)
        .map(|value| Some(value.map_or(NullablePatch::Clear, NullablePatch::Set)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct RatePatch {
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "present"
        )]
        rate: Option<NullablePatch<u32>>,
    }

    #[test]
    fn absent_value_and_a_null_are_different_changes() {
        for (text, rate) in [
            ("{}", None),
            (r#"{"rate":null}"#, Some(NullablePatch::Clear)),
            (r#"{"rate":7}"#, Some(NullablePatch::Set(7))),
        ] {
            let body: RatePatch = serde_json::from_str(text).unwrap();
            assert_eq!(body, RatePatch { rate });
            assert_eq!(serde_json::to_string(&body).unwrap(), text);
        }
        assert!(serde_json::from_str::<RatePatch>(r#"{"rate":"x"}"#).is_err());
    }
}
