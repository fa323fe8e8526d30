//! Tests of endpoints.

use super::*;
use crate::vocabulary::KeyId;
use crate::webhooks::testing;

fn now() -> Timestamp {
    "2026-11-29T12:00:00Z".parse().unwrap()
}

fn endpoint() -> Endpoint {
    testing::endpoint(now())
}

fn context(index: usize) -> ContextId {
    let title = format!("quest-{index}.01k0ab3cdefghjkmnpqrstvwxy");
    title.parse().unwrap()
}

fn filter_of_contexts(count: usize) -> EventFilter {
    EventFilter {
        contexts: (0..count).map(context).collect(),
        ..EventFilter::default()
    }
}

fn context_event(index: usize) -> NewEvent {
    NewEvent {
        event_type: EventType::ContextChanged,
        environment: Environment::Live,
        subject: EventSubject::Context(context(index)),
    }
}

fn key_event(environment: Environment) -> NewEvent {
    NewEvent {
        event_type: EventType::KeyIssued,
        environment,
        subject: EventSubject::Key(KeyId::from_bytes([1; 16])),
    }
}

#[test]
fn url_is_limited_in_characters() {
    let url = |length: usize| {
        let mut url = "https://receiver.example/".to_owned();
        url.extend(std::iter::repeat_n('\u{e9}', length - url.chars().count()));
        url
    };
    assert_eq!(Endpoint::verify_url(&url(2_000)), Ok(()));
    let error = EndpointError::UrlTooLong(2_001);
    assert_eq!(Endpoint::verify_url(&url(2_001)), Err(error));
}

#[test]
fn filter_is_limited_in_contexts() {
    assert_eq!(EventFilter::default().verify(), Ok(()));
    assert_eq!(filter_of_contexts(100).verify(), Ok(()));
    let error = EndpointError::TooManyContexts(101);
    assert_eq!(filter_of_contexts(101).verify(), Err(error));
}

#[test]
fn filter_change_keeps_an_absent_list() {
    let key_events: EventTypeSet = [EventType::KeyIssued].into_iter().collect();
    let contexts = filter_of_contexts(2).contexts;
    let types_change = FilterChange {
        types: Some(key_events),
        contexts: None,
    };
    let contexts_change = FilterChange {
        types: None,
        contexts: Some(contexts.clone()),
    };
    let expected_filter = EventFilter {
        types: key_events,
        contexts,
    };
    let both = [types_change, contexts_change];
    for changes in [both.clone(), [both[1].clone(), both[0].clone()]] {
        let filter = changes
            .into_iter()
            .fold(EventFilter::default(), EventFilter::with_change);
        assert_eq!(filter, expected_filter, "in any order");
    }
    let error = EndpointError::TooManyContexts(101);
    let large_change = FilterChange {
        types: None,
        contexts: Some(filter_of_contexts(101).contexts),
    };
    assert_eq!(large_change.verify(), Err(error));
    assert_eq!(FilterChange::default().verify(), Ok(()));
}

#[test]
fn filter_accepts_types_and_contexts() {
    let accepts = |filter: EventFilter, event: &NewEvent| {
        let endpoint = Endpoint {
            filter,
            ..endpoint()
        };
        endpoint.accepts(event)
    };
    let account_event = key_event(Environment::Live);
    let everything = EventFilter::default();
    assert!(accepts(everything.clone(), &context_event(1)));
    assert!(accepts(everything.clone(), &account_event));
    assert!(!accepts(everything, &key_event(Environment::Sandbox)));
    let key_events = EventFilter {
        types: [EventType::KeyIssued].into_iter().collect(),
        ..EventFilter::default()
    };
    assert!(accepts(key_events.clone(), &account_event));
    assert!(!accepts(key_events, &context_event(1)));
    assert!(accepts(filter_of_contexts(2), &context_event(1)));
    assert!(!accepts(filter_of_contexts(2), &context_event(2)));
    assert!(!accepts(filter_of_contexts(2), &account_event));
}

#[test]
fn rotation_overlaps_for_24_hours() {
    assert_eq!(endpoint().overlapping_generation(now()), None);
    let rotated_endpoint = Endpoint {
        generation: 1,
        rotated_at: Some(now()),
        ..endpoint()
    };
    let after = |millis| now().saturating_add(Duration::from_millis(millis));
    let overlap = |at| rotated_endpoint.overlapping_generation(at);
    assert_eq!(overlap(now()), Some(0));
    assert_eq!(overlap(after(86_399_999)), Some(0));
    assert_eq!(overlap(after(86_400_000)), None);
    let earlier = now().saturating_sub(Duration::from_hours(1));
    assert_eq!(overlap(earlier), Some(0), "the clock was set back");
}

#[test]
fn stored_names_round_trip() {
    for kind in SignatureKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    assert!("HMAC".parse::<SignatureKind>().is_err());
    assert_eq!(
        DisabledReason::ALL.map(DisabledReason::as_str),
        ["gone", "failing"]
    );
}
