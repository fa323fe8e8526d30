//! Labels: ground truth about an address, from sources other than checks.

use crate::vocabulary::Timestamp;

/// True operator of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// The address is operated by a person.
    Human,
    /// The address is operated by a program.
    Bot,
}

impl Truth {
    /// Returns the value as it is displayed and parsed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Bot => "bot",
        }
    }
}

/// Label on an address in a context. No answer depends on it: it is the ground truth with which answers are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The operator of the address: human or bot.
    pub truth: Truth,
    /// `true` if the visitor consented to the use of the recordings for training.
    pub consent: bool,
    /// The source of the label.
    pub reason: String,
    /// The time of the label.
    pub at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exports, labels and the admin API use these values.
    #[test]
    fn truth_is_human_or_bot() {
        assert_eq!(
            [Truth::Human, Truth::Bot].map(Truth::as_str),
            ["human", "bot"]
        );
    }
}
