//! Deliveries over a virtual clock: random histories with crashes and clock jumps, and five days of failures.

mod histories;
mod schedule;

use voight_domain::vocabulary::Timestamp;
use voight_domain::webhooks::{AttemptError, AttemptOutcome, DeliveryState, FeedPage};

/// Maximum number of events of a page.
const PAGE: u64 = 100;

const TIMEOUT: AttemptOutcome = AttemptOutcome::Failed(AttemptError::Timeout);

const fn answered(status: u16) -> AttemptOutcome {
    AttemptOutcome::Answered {
        status,
        retry_after: None,
    }
}

fn start() -> Timestamp {
    "2026-11-29T12:00:00Z".parse().unwrap()
}

/// Reads a page of a feed with the events 1 to `newest`, of which `is_accepted` selects some.
fn read(first: u64, newest: u64, is_accepted: fn(u64) -> bool) -> FeedPage {
    let end = newest.saturating_add(1).min(first + PAGE);
    FeedPage {
        accepted: (first..end).filter(|event| is_accepted(*event)).collect(),
        end,
    }
}

/// Reads the pages that a state needs: from its cursor, and of its replay.
fn read_pages(state: &DeliveryState, newest: u64, is_accepted: fn(u64) -> bool) -> [FeedPage; 2] {
    let feed = read(state.cursor, newest, is_accepted);
    let replayed = state
        .replay
        .map(|range| read(range.next, newest, is_accepted));
    [feed, replayed.unwrap_or_default()]
}
