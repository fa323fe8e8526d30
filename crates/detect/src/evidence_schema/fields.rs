//! Objects, member by member.

use super::fault::SchemaError;
use super::node::{FromJson, JsonValue};
use voight_domain::check::Member;

/// Members of an object that have not been read yet.
pub(super) struct Fields(Vec<(String, JsonValue)>);

impl Fields {
    /// Returns the members of `node`, which must be an object with known members only.
    pub(super) fn from_object(node: JsonValue, known: &[Member]) -> Result<Self, SchemaError> {
        Self::of_either(node, &[known])
    }

    /// Returns the members of an object whose known members are listed in parts.
    pub(super) fn of_either(node: JsonValue, known: &[&[Member]]) -> Result<Self, SchemaError> {
        let JsonValue::Object(members) = node else {
            return Err(node.type_error("an object"));
        };
        let is_known = |name: &str| {
            known
                .iter()
                .copied()
                .flatten()
                .any(|member| member.name == name)
        };
        match members.iter().find(|(name, _)| !is_known(name)) {
            None => Ok(Self(members)),
            Some((name, _)) => Err(unknown_member(name)),
        }
    }

    /// Reads an optional member.
    pub(super) fn optional<T: FromJson>(&mut self, name: &str) -> Result<Option<T>, SchemaError> {
        self.take(name)
            .map(T::from_node)
            .transpose()
            .map_err(|fault| fault.inside(name))
    }

    /// Reads a required member.
    pub(super) fn required<T: FromJson>(&mut self, name: &str) -> Result<T, SchemaError> {
        self.optional(name)?
            .ok_or_else(|| SchemaError::new("is missing, but must be there").inside(name))
    }

    fn take(&mut self, name: &str) -> Option<JsonValue> {
        let place = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.swap_remove(place).1)
    }
}

/// Returns the error of a member that is not in the schema.
fn unknown_member(name: &str) -> SchemaError {
    // The sender chose the name: it is escaped, so that it stays on one line wherever it is printed.
    let name: String = name.escape_debug().take(64).collect();
    SchemaError::new("is not a member of schema version 1; leave it out").inside(&name)
}

/// Describes a member that holds a `T`.
pub(super) const fn member<T: FromJson>(name: &'static str, about: &'static str) -> Member {
    Member {
        name,
        about,
        members: T::MEMBERS,
    }
}

/// Declares an object of the schema whose members are all optional, with their descriptions and parser.
macro_rules! object {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $type:ty = $member:literal: $about:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq)]
        #[expect(missing_docs, reason = "the members are those of the schema's reference page")]
        pub struct $name {
            $(pub $field: Option<$type>,)*
        }

        impl $crate::evidence_schema::node::FromJson for $name {
            const MEMBERS: &'static [voight_domain::check::Member] =
                &[$($crate::evidence_schema::fields::member::<$type>($member, $about),)*];

            fn from_node(node: $crate::evidence_schema::node::JsonValue) -> Result<Self, $crate::evidence_schema::fault::SchemaError> {
                let mut fields = $crate::evidence_schema::fields::Fields::from_object(node, Self::MEMBERS)?;
                Ok(Self { $($field: fields.optional($member)?,)* })
            }
        }
    };
}

pub(super) use object;
