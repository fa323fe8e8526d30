//! Positions in feeds.

use crate::vocabulary::ClientId;
use std::fmt;
use std::str::FromStr;

/// Position in the feed of a client: that after the event with this number. The text is the id of the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedPosition {
    /// The client.
    pub client: ClientId,
    /// The number of the event; 0 before the first one.
    pub number: u64,
}

/// Error returned for a text that is not the id of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event id is the id of a client, a hyphen and a number")]
pub struct FeedPositionError;

impl fmt::Display for FeedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.client, self.number)
    }
}

impl FromStr for FeedPosition {
    type Err = FeedPositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (client, number) = text.split_once('-').ok_or(FeedPositionError)?;
        // The parser of numbers would accept a sign.
        if number.starts_with('+') {
            return Err(FeedPositionError);
        }
        Ok(Self {
            client: client.parse().map_err(|_| FeedPositionError)?,
            number: number.parse().map_err(|_| FeedPositionError)?,
        })
    }
}
