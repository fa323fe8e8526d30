//! Disclosure of the evidence to the visitor.

/// Members of the evidence that serve one purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disclosure {
    /// The purpose of the members.
    pub purpose: Purpose,
    /// The members, in the order of the schema.
    pub members: &'static [Member],
}

/// Purpose of a member of the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Identifies the check, and verifies that a batch belongs to it.
    Correlation,
    /// Evaluates whether a bot operates the browser.
    Judging,
    /// Detects that one machine uses many addresses. Does not contribute to the evaluation of a check.
    Linking,
}

/// Member of the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The name on the wire; for a value of a row, the name in the reference documentation.
    pub name: &'static str,
    /// One plain sentence: the content and the reason for collecting it.
    pub about: &'static str,
    /// The nested members, or the values of one row.
    pub members: &'static [Self],
}
