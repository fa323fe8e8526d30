//! Objects, member by member.

use super::fault::Fault;
use super::node::{FromNode, Node};

/// The members of an object that have not been read yet.
pub(super) struct Fields(Vec<(String, Node)>);

impl Fields {
    /// The members of `node`, which must be an object.
    pub(super) fn of(node: Node) -> Result<Self, Fault> {
        if let Node::Object(members) = node { Ok(Self(members)) } else { Err(node.instead_of("an object")) }
    }

    /// A member that may be missing.
    pub(super) fn optional<T: FromNode>(&mut self, name: &str) -> Result<Option<T>, Fault> {
        self.take(name).map(T::from_node).transpose().map_err(|fault| fault.inside(name))
    }

    /// A member that must be there.
    pub(super) fn required<T: FromNode>(&mut self, name: &str) -> Result<T, Fault> {
        self.optional(name)?.ok_or_else(|| Fault::new("is missing, but must be there").inside(name))
    }

    /// Ends the reading: a member that nobody asked for is not in the schema.
    pub(super) fn finish(self) -> Result<(), Fault> {
        let Some((name, _)) = self.0.first() else { return Ok(()) };
        // The name is the sender's: escaped, so that it stays on one line wherever it is shown.
        let name: String = name.escape_debug().take(64).collect();
        Err(Fault::new("is not a member of schema version 1; leave it out").inside(&name))
    }

    fn take(&mut self, name: &str) -> Option<Node> {
        let place = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.swap_remove(place).1)
    }
}

/// Declares an object of the schema whose members may all be missing, and how it is read.
macro_rules! object {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $type:ty = $member:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq)]
        #[expect(missing_docs, reason = "the members are those of the schema's reference page")]
        pub struct $name {
            $(pub $field: Option<$type>,)*
        }

        impl $crate::wire::node::FromNode for $name {
            fn from_node(node: $crate::wire::node::Node) -> Result<Self, $crate::wire::fault::Fault> {
                let mut fields = $crate::wire::fields::Fields::of(node)?;
                let read = Self { $($field: fields.optional($member)?,)* };
                fields.finish()?;
                Ok(read)
            }
        }
    };
}

pub(super) use object;
