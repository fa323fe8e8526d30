//! Objects, member by member.

use super::fault::SchemaError;
use super::node::{FromJson, JsonValue};
use voight_domain::check::Member;

/// The members of an object that have not been read yet.
pub(super) struct Fields(Vec<(String, JsonValue)>);

impl Fields {
    /// The members of `node`, which must be an object that has none but these.
    pub(super) fn from_object(node: JsonValue, known: &[Member]) -> Result<Self, SchemaError> {
        Self::of_either(node, &[known])
    }

    /// The same of an object whose members are listed in parts.
    pub(super) fn of_either(node: JsonValue, known: &[&[Member]]) -> Result<Self, SchemaError> {
        let JsonValue::Object(members) = node else { return Err(node.type_error("an object")) };
        let is_known = |name: &str| known.iter().copied().flatten().any(|member| member.name == name);
        match members.iter().find(|(name, _)| !is_known(name)) {
            None => Ok(Self(members)),
            Some((name, _)) => Err(unknown_member(name)),
        }
    }

    /// A member that may be missing.
    pub(super) fn optional<T: FromJson>(&mut self, name: &str) -> Result<Option<T>, SchemaError> {
        self.take(name).map(T::from_node).transpose().map_err(|fault| fault.inside(name))
    }

    /// A member that must be there.
    pub(super) fn required<T: FromJson>(&mut self, name: &str) -> Result<T, SchemaError> {
        self.optional(name)?.ok_or_else(|| SchemaError::new("is missing, but must be there").inside(name))
    }

    fn take(&mut self, name: &str) -> Option<JsonValue> {
        let place = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.swap_remove(place).1)
    }
}

/// The fault of a member that is not in the schema.
fn unknown_member(name: &str) -> SchemaError {
    // The name is the sender's: escaped, so that it stays on one line wherever it is shown.
    let name: String = name.escape_debug().take(64).collect();
    SchemaError::new("is not a member of schema version 1; leave it out").inside(&name)
}

/// A member that holds a `T`, and the sentence about it.
pub(super) const fn member<T: FromJson>(name: &'static str, about: &'static str) -> Member {
    Member { name, about, members: T::MEMBERS }
}

/// Declares an object of the schema whose members may all be missing, what is told of each, and how it is read.
macro_rules! object {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $type:ty = $member:literal: $about:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq)]
        #[expect(missing_docs, reason = "the members are those of the schema's reference page")]
        pub struct $name {
            $(pub $field: Option<$type>,)*
        }

        impl $crate::wire::node::FromJson for $name {
            const MEMBERS: &'static [voight_domain::check::Member] =
                &[$($crate::wire::fields::member::<$type>($member, $about),)*];

            fn from_node(node: $crate::wire::node::JsonValue) -> Result<Self, $crate::wire::fault::SchemaError> {
                let mut fields = $crate::wire::fields::Fields::from_object(node, Self::MEMBERS)?;
                Ok(Self { $($field: fields.optional($member)?,)* })
            }
        }
    };
}

pub(super) use object;
