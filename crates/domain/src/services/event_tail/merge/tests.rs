use super::*;
use crate::events::{EventSubject, EventType, NewEvent};
use crate::vocabulary::Environment;
use proptest::prelude::*;

/// Times of the events of each client, in seconds.
type Feeds = BTreeMap<ClientId, Vec<i64>>;

fn client(number: u8) -> ClientId {
    ClientId::from_bytes([number; 16])
}

fn event(number: u64, seconds: i64) -> ClientEvent {
    ClientEvent {
        number,
        at: Timestamp::from_millis(seconds * 1000),
        event: NewEvent {
            event_type: EventType::InvoiceIssued,
            environment: Environment::Live,
            subject: EventSubject::Invoice(1),
        },
    }
}

/// Returns at most `limit` events of a feed after a position, as a store does.
fn read(feeds: &Feeds, FeedRead { position, limit }: FeedRead) -> Vec<ClientEvent> {
    let events = feeds[&position.client].iter().zip(1..);
    events
        .map(|(seconds, number)| event(number, *seconds))
        .filter(|event| event.number > position.number)
        .take(limit)
        .collect()
}

/// Takes every event of a round.
fn take_round(merge: &mut FeedMerge, feeds: &Feeds) -> Vec<(i64, ClientId, u64)> {
    let mut taken_events = Vec::new();
    loop {
        while let Some(feed_read) = merge.next_read() {
            merge.add_events(read(feeds, feed_read));
        }
        let Some((client, event)) = merge.take_event() else {
            return taken_events;
        };
        taken_events.push((event.at.as_seconds(), client, event.number));
    }
}

/// Returns the feeds of a round that continues after the events that were taken before.
fn round(merge: &FeedMerge, feeds: &Feeds) -> Vec<RoundFeed> {
    let round_feed = |(client, seconds): (&ClientId, &Vec<i64>)| RoundFeed {
        position: FeedPosition {
            client: *client,
            number: merge.taken(*client).unwrap_or(0),
        },
        last: seconds.len() as u64,
    };
    feeds.iter().map(round_feed).collect()
}

#[test]
fn events_are_merged_by_time() {
    let feeds = Feeds::from([(client(1), vec![1, 4, 4]), (client(2), vec![2, 3, 5])]);
    let mut merge = FeedMerge::default();
    merge.start_round(&round(&merge, &feeds));
    let numbers: Vec<_> = take_round(&mut merge, &feeds)
        .into_iter()
        .map(|(_, client, number)| (client, number))
        .collect();
    let [first, second] = [client(1), client(2)];
    assert_eq!(
        numbers,
        [
            (first, 1),
            (second, 1),
            (second, 2),
            (first, 2),
            (first, 3),
            (second, 3)
        ]
    );
}

#[test]
fn event_after_the_listing_waits_for_the_next_round() {
    let mut feeds = Feeds::from([(client(1), vec![1])]);
    let mut merge = FeedMerge::default();
    let round_feeds = round(&merge, &feeds);
    feeds.insert(client(1), vec![1, 2]);
    merge.start_round(&round_feeds);
    assert_eq!(take_round(&mut merge, &feeds), [(1, client(1), 1)]);
    merge.start_round(&round(&merge, &feeds));
    assert_eq!(take_round(&mut merge, &feeds), [(2, client(1), 2)]);
    merge.start_round(&round(&merge, &feeds));
    assert_eq!(take_round(&mut merge, &feeds), []);
}

#[test]
fn feed_whose_events_were_deleted_is_complete() {
    let mut merge = FeedMerge::default();
    let position = FeedPosition {
        client: client(1),
        number: 3,
    };
    merge.start_round(&[RoundFeed { position, last: 9 }]);
    assert!(merge.next_read().is_some());
    merge.add_events(Vec::new());
    assert_eq!(merge.take_event(), None);
    assert_eq!(merge.taken(client(1)), Some(9));
}

#[test]
fn feed_outside_of_a_round_is_forgotten() {
    let feeds = Feeds::from([(client(1), vec![1]), (client(2), vec![2])]);
    let mut merge = FeedMerge::default();
    merge.start_round(&round(&merge, &feeds));
    take_round(&mut merge, &feeds);
    assert_eq!(merge.taken(client(1)), Some(1));
    let second_feed = Feeds::from([(client(2), vec![2])]);
    merge.start_round(&round(&merge, &second_feed));
    assert_eq!(
        (merge.taken(client(1)), merge.taken(client(2))),
        (None, Some(1))
    );
}

#[test]
fn memory_is_divided_among_the_feeds() {
    let limit = |feed_count: u16| {
        let round_feeds: Vec<_> = (0..feed_count)
            .map(|number| RoundFeed {
                position: FeedPosition {
                    client: ClientId::from_bytes(u128::from(number).to_be_bytes()),
                    number: 0,
                },
                last: 1,
            })
            .collect();
        let mut merge = FeedMerge::default();
        merge.start_round(&round_feeds);
        merge.next_read().map(|feed_read| feed_read.limit)
    };
    assert_eq!(
        [0, 1, 8, 10, 5_000].map(limit),
        [None, Some(500), Some(500), Some(400), Some(1)]
    );
}

fn feeds() -> impl Strategy<Value = Feeds> {
    let seconds = prop::collection::vec(0..30_i64, 0..12).prop_map(|mut seconds| {
        seconds.sort_unstable();
        seconds
    });
    prop::collection::btree_map((0..6_u8).prop_map(client), seconds, 0..6)
}

proptest! {
    #[test]
    fn merge_has_every_event_once_in_order(feeds in feeds()) {
        let mut merge = FeedMerge::default();
        merge.start_round(&round(&merge, &feeds));
        let taken_events = take_round(&mut merge, &feeds);
        let mut expected_events: Vec<_> = feeds
            .iter()
            .flat_map(|(client, seconds)| {
                seconds.iter().zip(1..).map(|(seconds, number)| (*seconds, *client, number))
            })
            .collect();
        expected_events.sort_unstable();
        prop_assert_eq!(taken_events, expected_events);
    }

    #[test]
    fn search_finds_the_position_before_a_time(
        mut seconds in prop::collection::vec(0..30_i64, 0..40),
        purged in 0..5_u64,
        time in 0..31_i64,
    ) {
        seconds.sort_unstable();
        let feed = EventFeed {
            last: seconds.len() as u64,
            purged: purged.min(seconds.len() as u64),
            ..EventFeed::default()
        };
        let mut search = PositionSearch::new(&feed);
        while let Some(number) = search.probe() {
            prop_assert!((feed.purged + 1..=feed.last).contains(&number));
            let index = usize::try_from(number).unwrap() - 1;
            search.observe(number, seconds[index] < time);
        }
        let older_count = seconds.iter().filter(|second| **second < time).count() as u64;
        prop_assert_eq!(search.position(), older_count.max(feed.purged));
    }
}
