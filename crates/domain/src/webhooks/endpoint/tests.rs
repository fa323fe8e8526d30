//! Tests of endpoints.

use super::*;

const URL: &str = "https://receiver.example/hook";

fn now() -> Timestamp {
    "2026-11-29T12:00:00Z".parse().unwrap()
}

fn rules() -> EndpointRules<'static> {
    EndpointRules {
        check_url: &|url| match url.strip_prefix("https://") {
            Some(_) => Ok(()),
            None => Err("a URL begins with https://".to_owned()),
        },
        is_event_type: &|name| ["verdict.flagged", "invoice.paid"].contains(&name),
    }
}

fn new_endpoint(url: &str, filter: EventFilter) -> NewEndpoint {
    NewEndpoint {
        id: EndpointId::from_bytes([1; 16]),
        client: ClientId::from_bytes([2; 16]),
        environment: Environment::Live,
        url: url.to_owned(),
        filter,
        signature_kind: SignatureKind::Hmac,
    }
}

fn create(url: &str, filter: EventFilter) -> Result<Endpoint, EndpointError> {
    Endpoint::create(new_endpoint(url, filter), 0, now(), &rules())
}

fn endpoint() -> Endpoint {
    create(URL, EventFilter::default()).unwrap()
}

fn context(index: usize) -> ContextId {
    let title = format!("quest-{index}.01k0ab3cdefghjkmnpqrstvwxy");
    title.parse().unwrap()
}

fn filter_of_types(types: impl IntoIterator<Item = String>) -> EventFilter {
    EventFilter {
        types: types.into_iter().collect(),
        ..EventFilter::default()
    }
}

fn filter_of_contexts(count: usize) -> EventFilter {
    EventFilter {
        contexts: (0..count).map(context).collect(),
        ..EventFilter::default()
    }
}

#[test]
fn client_has_at_most_ten_endpoints() {
    let create = |existing| {
        let new = new_endpoint(URL, EventFilter::default());
        Endpoint::create(new, existing, now(), &rules())
    };
    let created_endpoint = create(9).unwrap();
    assert!(created_endpoint.is_active());
    assert_eq!(created_endpoint.created_at, now());
    for existing in [10, 11] {
        assert_eq!(create(existing), Err(EndpointError::TooManyEndpoints));
    }
}

#[test]
fn url_is_limited_in_characters_and_by_its_rule() {
    let url = |length: usize| {
        let mut url = "https://receiver.example/".to_owned();
        url.extend(std::iter::repeat_n('\u{e9}', length - url.chars().count()));
        url
    };
    assert!(create(&url(2_000), EventFilter::default()).is_ok());
    assert_eq!(
        create(&url(2_001), EventFilter::default()),
        Err(EndpointError::UrlTooLong(2_001))
    );
    let rejected = Err(EndpointError::UrlRejected(
        "a URL begins with https://".to_owned(),
    ));
    assert_eq!(create("http://a.example", EventFilter::default()), rejected);
    let change = EndpointChange::Url("http://a.example".to_owned());
    assert_eq!(endpoint().with_change(change, &rules()), rejected);
    let change = EndpointChange::Url("https://b.example".to_owned());
    let changed_endpoint = endpoint().with_change(change, &rules()).unwrap();
    assert_eq!(changed_endpoint.url, "https://b.example");
}

#[test]
fn filter_names_known_types_within_limits() {
    let known_types = filter_of_types(["invoice.paid".to_owned()]);
    assert_eq!(
        create(URL, known_types.clone()).unwrap().filter,
        known_types
    );
    assert_eq!(
        create(URL, filter_of_types(["verdict.unknown".to_owned()])),
        Err(EndpointError::UnknownType("verdict.unknown".to_owned()))
    );
    let many_types = filter_of_types((0..51).map(|index| format!("type.{index}")));
    assert_eq!(
        create(URL, many_types),
        Err(EndpointError::TooManyTypes(51))
    );
    assert!(create(URL, filter_of_contexts(100)).is_ok());
    let many_contexts = filter_of_contexts(101);
    let error = Err(EndpointError::TooManyContexts(101));
    assert_eq!(create(URL, many_contexts.clone()), error);
    let change = EndpointChange::Filter(many_contexts);
    assert_eq!(endpoint().with_change(change, &rules()), error);
}

#[test]
fn filter_accepts_types_and_contexts() {
    let everything = EventFilter::default();
    assert!(everything.accepts("verdict.flagged", Some(&context(1))));
    assert!(everything.accepts("invoice.paid", None));
    let environment = Environment::Live;
    assert!(endpoint().accepts(environment, "invoice.paid", None));
    let environment = Environment::Sandbox;
    assert!(!endpoint().accepts(environment, "invoice.paid", None));
    let types = filter_of_types(["invoice.paid".to_owned()]);
    assert!(types.accepts("invoice.paid", None));
    assert!(!types.accepts("verdict.flagged", Some(&context(1))));
    assert!(!types.accepts("invoice.paid.late", None));
    let contexts = filter_of_contexts(2);
    assert!(contexts.accepts("verdict.flagged", Some(&context(1))));
    assert!(!contexts.accepts("verdict.flagged", Some(&context(2))));
    assert!(!contexts.accepts("invoice.paid", None));
}

#[test]
fn only_active_endpoints_are_paused_or_disabled() {
    let disable = EndpointChange::Disable {
        reason: DisabledReason::Gone,
        at: now(),
    };
    let disabled_state = EndpointState::Disabled {
        reason: DisabledReason::Gone,
        at: now(),
    };
    let change = |endpoint: Endpoint, change: &EndpointChange| {
        endpoint.with_change(change.clone(), &rules()).unwrap()
    };
    let paused_endpoint = change(endpoint(), &EndpointChange::Pause);
    assert_eq!(paused_endpoint.state, EndpointState::Paused);
    assert_eq!(change(paused_endpoint.clone(), &disable), paused_endpoint);
    let disabled_endpoint = change(endpoint(), &disable);
    assert_eq!(disabled_endpoint.state, disabled_state);
    let still_disabled = change(disabled_endpoint.clone(), &EndpointChange::Pause);
    assert_eq!(still_disabled, disabled_endpoint);
    for endpoint in [paused_endpoint, disabled_endpoint] {
        assert!(!endpoint.is_active());
        assert!(change(endpoint, &EndpointChange::Resume).is_active());
    }
}

#[test]
fn rotation_overlaps_for_24_hours() {
    assert_eq!(endpoint().overlapping_generation(now()), None);
    let rotate = |endpoint: Endpoint, at| {
        let change = EndpointChange::Rotate(at);
        endpoint.with_change(change, &rules()).unwrap()
    };
    let rotated_endpoint = rotate(endpoint(), now());
    assert_eq!(rotated_endpoint.generation, 1);
    let after = |millis| now().saturating_add(Duration::from_millis(millis));
    let overlap = |at| rotated_endpoint.overlapping_generation(at);
    assert_eq!(overlap(now()), Some(0));
    assert_eq!(overlap(after(86_399_999)), Some(0));
    assert_eq!(overlap(after(86_400_000)), None);
    let earlier = now().saturating_sub(Duration::from_hours(1));
    assert_eq!(overlap(earlier), Some(0), "the clock was set back");
    let twice = rotate(rotated_endpoint, after(1));
    assert_eq!(twice.overlapping_generation(after(2)), Some(1));
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
