//! Lists of a limited length.

use super::fault::Fault;
use super::node::{FromNode, Node};
use std::ops::Deref;
use voight_domain::check::Member;

/// At most `MAX` values.
#[derive(Debug, Clone, PartialEq)]
pub struct List<T, const MAX: usize>(Vec<T>);

impl<T, const MAX: usize> Default for List<T, MAX> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const MAX: usize> Deref for List<T, MAX> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: FromNode, const MAX: usize> FromNode for List<T, MAX> {
    const MEMBERS: &'static [Member] = T::MEMBERS;

    fn from_node(node: Node) -> Result<Self, Fault> {
        elements(node, MAX)?.into_iter().enumerate().map(|(at, node)| one(node, at)).collect::<Result<_, _>>().map(Self)
    }
}

fn one<T: FromNode>(node: Node, at: usize) -> Result<T, Fault> {
    T::from_node(node).map_err(|fault| fault.at(at))
}

/// The elements of a list of at most `max`.
pub(super) fn elements(node: Node, max: usize) -> Result<Vec<Node>, Fault> {
    match node {
        Node::List(nodes) if nodes.len() <= max => Ok(nodes),
        Node::List(nodes) => Err(Fault::new(format!("must have at most {max} elements, not {}", nodes.len()))),
        other => Err(other.instead_of("a list")),
    }
}
