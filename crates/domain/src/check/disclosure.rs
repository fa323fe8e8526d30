//! What whoever is checked is told of the evidence.

/// Members of the evidence that serve one purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disclosure {
    /// What they are for.
    pub purpose: Purpose,
    /// The members, in the order of the schema.
    pub members: &'static [Member],
}

/// What a member of the evidence is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Telling checks apart, and seeing that a batch is of the check that it came with.
    Correlation,
    /// Judging whether a program operates the browser.
    Judging,
    /// Seeing that one machine is behind many addresses. It never judges anybody.
    Linking,
}

/// One member of the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Its name on the wire; of a value of a row, what the reference page calls it.
    pub name: &'static str,
    /// One plain sentence: what it is, and why it is there.
    pub about: &'static str,
    /// Its own members, or the values of one of its rows.
    pub members: &'static [Self],
}
