//! Cursors of event tails.

use crate::events::{FeedPosition, FeedPositionError};
use crate::vocabulary::Timestamp;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Maximum time between the timestamp of an event and the moment from which every node reads it. Clocks of nodes differ, and a
/// transaction assigns the time before it commits.
const MAX_COMMIT_DELAY: Duration = Duration::from_mins(1);

/// Separator of the time and the position of a cursor over all clients.
const SEPARATOR: char = '.';

/// Cursor of a tail, with which a reader resumes after a broken connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TailCursor {
    /// Cursor in the feed of one client. A resumed tail neither loses nor repeats an event.
    Client(FeedPosition),
    /// Cursor in the feeds of all clients. A resumed tail loses no event, and repeats events of about a minute.
    All {
        /// The time from which events are read again.
        since: Timestamp,
        /// The last event of the tail: up to its number, the events of its client are not read again.
        last: Option<FeedPosition>,
    },
}

/// Error returned for a text that is not a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write the id of the last event that the stream has sent")]
pub struct TailCursorError;

impl From<FeedPositionError> for TailCursorError {
    fn from(_: FeedPositionError) -> Self {
        Self
    }
}

impl fmt::Display for TailCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(position) => position.fmt(f),
            Self::All { since, last: None } => since.as_millis().fmt(f),
            Self::All {
                since,
                last: Some(position),
            } => write!(f, "{}{SEPARATOR}{position}", since.as_millis()),
        }
    }
}

impl FromStr for TailCursor {
    type Err = TailCursorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.contains('-') && !text.contains(SEPARATOR) {
            return Ok(Self::Client(text.parse()?));
        }
        let (millis, position) = match text.split_once(SEPARATOR) {
            Some((millis, position)) => (millis, Some(position)),
            None => (text, None),
        };
        Ok(Self::All {
            since: parse_millis(millis)?,
            last: position.map(str::parse).transpose()?,
        })
    }
}

/// Parses a time in milliseconds, which consists of digits only.
fn parse_millis(text: &str) -> Result<Timestamp, TailCursorError> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let millis = is_number.then(|| text.parse().ok());
    let millis = millis.flatten().ok_or(TailCursorError)?;
    Ok(Timestamp::from_millis(millis))
}

/// Time window of a tail over all clients. Each round lists the feeds with an event in the window.
///
/// A client that a round does not list has no event since the window's start, so its position needs no memory: if a later round
/// lists the client, exactly its events since that round's start of the window are new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TailWindow {
    since: Timestamp,
    listed_at: Option<Timestamp>,
}

impl TailWindow {
    /// Creates the window of a tail that begins with the events at `since`.
    pub(super) const fn new(since: Timestamp) -> Self {
        Self {
            since,
            listed_at: None,
        }
    }

    /// Returns the time from which the next round lists feeds.
    pub(super) fn start(&self) -> Timestamp {
        self.listed_at.map_or(self.since, |at| self.settled(at))
    }

    /// Starts a round that lists the feeds at `now`.
    pub(super) const fn start_round(&mut self, now: Timestamp) {
        self.listed_at = Some(now);
    }

    /// Returns the cursor after an event at `at`.
    ///
    /// Events of other clients that this round sends later have at least this time, and events that it does not read
    /// commit after its start.
    pub(super) fn cursor(&self, at: Timestamp, last: FeedPosition) -> TailCursor {
        let time = self.listed_at.map_or(at, |listed_at| at.min(listed_at));
        TailCursor::All {
            since: self.settled(time),
            last: Some(last),
        }
    }

    /// Returns the time before which no event appears at `now` or later.
    fn settled(&self, now: Timestamp) -> Timestamp {
        self.since.max(now.saturating_sub(MAX_COMMIT_DELAY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::ClientId;

    fn position(number: u64) -> FeedPosition {
        FeedPosition {
            client: ClientId::from_bytes([1; 16]),
            number,
        }
    }

    fn time(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000)
    }

    #[test]
    fn cursors_round_trip() {
        let client = position(7).client;
        for (cursor, text) in [
            (TailCursor::Client(position(7)), format!("{client}-7")),
            (
                TailCursor::All {
                    since: time(5),
                    last: None,
                },
                "5000".to_owned(),
            ),
            (
                TailCursor::All {
                    since: time(5),
                    last: Some(position(7)),
                },
                format!("5000.{client}-7"),
            ),
        ] {
            assert_eq!(cursor.to_string(), text);
            assert_eq!(text.parse(), Ok(cursor));
        }
    }

    #[test]
    fn malformed_cursors_are_rejected() {
        let client = position(7).client;
        for text in [
            "",
            "x",
            "-1",
            "5000.",
            ".",
            "7-7",
            &format!("{client}"),
            &format!("{client}-"),
            &format!("{client}-+7"),
            &format!("5000.{client}"),
            &format!("5000.{client}-7.1"),
        ] {
            assert_eq!(text.parse::<TailCursor>(), Err(TailCursorError), "{text}");
        }
    }

    #[test]
    fn window_begins_with_the_start_of_the_tail() {
        let mut window = TailWindow::new(time(1000));
        assert_eq!(window.start(), time(1000));
        window.start_round(time(1030));
        assert_eq!(window.start(), time(1000));
        window.start_round(time(1100));
        assert_eq!(
            window.start(),
            time(1040),
            "a late event may have this time"
        );
    }

    #[test]
    fn cursor_is_never_later_than_the_listing() {
        let mut window = TailWindow::new(time(1000));
        window.start_round(time(2000));
        let since = |seconds| match window.cursor(time(seconds), position(1)) {
            TailCursor::All { since, .. } => since,
            TailCursor::Client(_) => unreachable!("the window is that of all clients"),
        };
        assert_eq!(since(1010), time(1000));
        assert_eq!(since(1500), time(1440));
        assert_eq!(since(2500), time(1940));
    }
}
