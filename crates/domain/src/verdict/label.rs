//! What an operator has found out of an address, by other means than checks.

use crate::vocabulary::Timestamp;

/// Who uses an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// A person.
    Human,
    /// A program.
    Bot,
}

impl Truth {
    /// The word for it, as it is shown and read.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Bot => "bot",
        }
    }
}

/// A label on an address in a context. No answer rests on it: it is what answers are compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Who uses the address.
    pub truth: Truth,
    /// Whether they agreed that what their checks recorded is kept for training.
    pub consent: bool,
    /// How the operator knows.
    pub reason: String,
    /// When it was given.
    pub at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exports, labels and the admin API are read by these words.
    #[test]
    fn the_words_of_truth_are_human_and_bot() {
        assert_eq!([Truth::Human, Truth::Bot].map(Truth::as_str), ["human", "bot"]);
    }
}
