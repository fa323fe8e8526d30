//! Enums of the API that mirror an enum of the domain.

/// Declares an enum with the variants of an enum of the domain, and the conversions from and to it. The case of the texts is a
/// `tt`, because the derive of the schema does not see a `literal`.
macro_rules! wire_enum {
    ($(#[$meta:meta])* $name:ident = $domain:path, $case:tt { $($(#[$variant_meta:meta])* $variant:ident,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize, utoipa::ToSchema)]
        #[serde(rename_all = $case)]
        pub enum $name { $($(#[$variant_meta])* $variant,)* }

        impl From<$name> for $domain {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => Self::$variant,)* }
            }
        }

        impl From<$domain> for $name {
            fn from(value: $domain) -> Self {
                type Domain = $domain;
                match value { $(Domain::$variant => Self::$variant,)* }
            }
        }
    };
}

pub(crate) use wire_enum;
