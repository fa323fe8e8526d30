//! Tails of events, as operators follow them.

use crate::services::fixture::{Fixture, person};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::time::Duration;
use voight_domain::events::{EventType, EventTypeSet, FeedPosition};
use voight_domain::registry::Client;
use voight_domain::services::{EventTail, TailCursor, TailError, TailEvent, TailQuery, TailStart};
use voight_domain::vocabulary::ClientId;
use voight_support::poll_now;

/// Clients of a service, and a tail of all of them that begins before their first event.
struct TailFixture {
    bench: Fixture,
    clients: Vec<Client>,
}

impl TailFixture {
    fn new() -> Self {
        let bench = Fixture::new(person());
        let names = ["acme", "umbrella", "initech"];
        let clients = names.map(|name| bench.client(name)).to_vec();
        Self { bench, clients }
    }

    fn start(&self, client: Option<ClientId>, start: TailStart) -> EventTail {
        let query = query(client, start);
        poll_now(self.bench.events.tail(query)).expect("a tail")
    }

    /// Appends an event to the feed of a client. It happened `age` before it can be read.
    fn append(&self, client: usize, age: Duration) {
        let now = self.bench.ports.clock.now();
        self.bench.clock.set(now.saturating_sub(age));
        self.bench.key(&self.clients[client]);
        self.bench.clock.set(now);
    }
}

fn query(client: Option<ClientId>, start: TailStart) -> TailQuery {
    TailQuery {
        client,
        types: EventTypeSet::ALL,
        start,
    }
}

/// Client and number of an event.
type EventName = (ClientId, u64);

fn name(event: &TailEvent) -> EventName {
    (event.client, event.event.number)
}

/// Returns the events until the end of the feeds.
fn read_round(tail: &mut EventTail) -> Vec<TailEvent> {
    let mut events = Vec::new();
    loop {
        let page = poll_now(tail.next_page()).expect("a page");
        events.extend(page.events);
        if page.is_last {
            return events;
        }
    }
}

#[test]
fn tail_of_a_client_continues_with_its_later_events() {
    let fixture = TailFixture::new();
    let client = fixture.clients[0].id;
    for index in [0, 0, 1, 0] {
        fixture.append(index, Duration::ZERO);
    }
    let mut tail = fixture.start(Some(client), TailStart::Latest(2));
    let numbers = |events: Vec<TailEvent>| -> Vec<u64> {
        events.iter().map(|event| event.event.number).collect()
    };
    assert_eq!(numbers(read_round(&mut tail)), [2, 3]);
    assert!(numbers(read_round(&mut tail)).is_empty());
    fixture.append(0, Duration::ZERO);
    let events = read_round(&mut tail);
    let position = FeedPosition { client, number: 4 };
    assert_eq!(events[0].cursor, TailCursor::Client(position));
    assert_eq!(
        events[0].client_name.as_ref(),
        Some(&fixture.clients[0].name)
    );
    assert_eq!(numbers(events), [4]);
}

#[test]
fn cursor_advances_over_events_of_other_types() {
    let fixture = TailFixture::new();
    let client = fixture.clients[0].id;
    fixture.append(0, Duration::ZERO);
    let query = TailQuery {
        types: [EventType::KeyRevoked].into_iter().collect(),
        ..query(Some(client), TailStart::Latest(0))
    };
    let mut tail = poll_now(fixture.bench.events.tail(query)).unwrap();
    fixture.append(0, Duration::ZERO);
    assert_eq!(read_round(&mut tail), []);
    let position = FeedPosition { client, number: 2 };
    assert_eq!(tail.cursor(), TailCursor::Client(position));
}

#[test]
fn cursor_of_another_stream_is_rejected() {
    let fixture = TailFixture::new();
    let [first, second] = [0, 1].map(|index| fixture.clients[index].id);
    let of_client = TailStart::After(TailCursor::Client(FeedPosition {
        client: first,
        number: 0,
    }));
    let of_all = TailStart::After(fixture.start(None, of_now(&fixture)).cursor());
    let error = |client, start| {
        let tail = fixture.bench.events.tail(query(client, start));
        poll_now(tail).err()
    };
    assert_eq!(error(Some(first), of_client), None);
    assert_eq!(error(None, of_all), None);
    for (client, start) in [
        (Some(second), of_client),
        (None, of_client),
        (Some(first), of_all),
    ] {
        assert_eq!(error(client, start), Some(TailError::OtherStream));
    }
    let latest_of_all = error(None, TailStart::Latest(1));
    assert_eq!(latest_of_all, Some(TailError::LatestOfAll));
}

fn of_now(fixture: &TailFixture) -> TailStart {
    TailStart::Since(fixture.bench.ports.clock.now())
}

/// Step of a tail of all clients.
#[derive(Debug, Clone)]
struct Step {
    /// Seconds since the step before.
    pause: u64,
    /// The client that has an event.
    client: usize,
    /// Seconds between the time of the event and its commit.
    age: u64,
    /// `true` if the tail is read after the event.
    is_read: bool,
    /// Number of events after which the connection breaks; `None` if it does not.
    break_after: Option<usize>,
}

fn step(can_break: bool) -> impl Strategy<Value = Step> {
    let break_after =
        prop::option::of(0..4_usize).prop_map(move |break_after| break_after.filter(|_| can_break));
    (0..90_u64, 0..3_usize, 0..60_u64, any::<bool>(), break_after).prop_map(
        |(pause, client, age, is_read, break_after)| Step {
            pause,
            client,
            age,
            is_read,
            break_after,
        },
    )
}

/// Runs the steps, and returns the events in the order in which a reader receives them, and those that the feeds have.
fn run(steps: &[Step]) -> (Vec<EventName>, BTreeSet<EventName>) {
    let fixture = TailFixture::new();
    let mut tail = fixture.start(None, of_now(&fixture));
    let mut cursor = tail.cursor();
    // Events with a time before the start of the tail are not part of it.
    fixture.bench.clock.advance(Duration::from_mins(1));
    let mut received_events = Vec::new();
    for step in steps {
        fixture.bench.clock.advance(Duration::from_secs(step.pause));
        fixture.append(step.client, Duration::from_secs(step.age));
        if !step.is_read {
            continue;
        }
        let mut events = read_round(&mut tail);
        if let Some(count) = step.break_after {
            events.truncate(count);
            cursor = events.last().map_or(cursor, |event| event.cursor);
            let sent_cursor = cursor.to_string().parse().unwrap();
            tail = fixture.start(None, TailStart::After(sent_cursor));
        } else {
            cursor = tail.cursor();
        }
        received_events.extend(events.iter().map(name));
    }
    received_events.extend(read_round(&mut tail).iter().map(name));
    let mut feed_events = BTreeSet::new();
    for client in &fixture.clients {
        let events = poll_now(fixture.bench.ports.store.events(client.id, 0, 1_000)).unwrap();
        feed_events.extend(events.iter().map(|event| (client.id, event.number)));
    }
    (received_events, feed_events)
}

proptest! {
    #[test]
    fn unbroken_tail_has_every_event_once(steps in prop::collection::vec(step(false), 0..40)) {
        let (received_events, feed_events) = run(&steps);
        prop_assert_eq!(received_events.len(), feed_events.len());
        prop_assert_eq!(BTreeSet::from_iter(received_events), feed_events);
    }

    #[test]
    fn resumed_tail_loses_no_event(steps in prop::collection::vec(step(true), 0..40)) {
        let (received_events, feed_events) = run(&steps);
        prop_assert_eq!(BTreeSet::from_iter(received_events), feed_events);
    }
}
