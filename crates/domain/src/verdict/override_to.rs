//! Decision of an operator on an address.

/// Decision of an operator. In a join a bot takes precedence over a human, as a flag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OverrideTo {
    /// The address is not a bot, until a check of the new epoch flags it again.
    Human,
    /// The address is a bot.
    Bot,
}
