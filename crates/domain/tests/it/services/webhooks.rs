//! Webhook endpoints and deliveries, with a receiver that a test scripts.

mod scene;

use scene::{Scene, URL, response};
use std::time::Duration;
use voight_domain::events::{EventType, EventTypeSet};
use voight_domain::ports::{Clock, OutboundError};
use voight_domain::services::{
    EndpointOwner, EndpointService, EndpointServiceError, NewEndpoint, TestError,
};
use voight_domain::vocabulary::{Environment, Timestamp};
use voight_domain::webhooks::{
    AttemptOutcome, DeliveryReport, DisabledReason, EndpointChange, EndpointState, EventFilter,
};
use voight_support::poll_now;

#[test]
fn event_is_sent_once_with_its_signature() {
    let scene = Scene::new();
    scene.create();
    assert_eq!(
        scene.deliver(),
        [],
        "events before the endpoint are not sent"
    );
    scene.register("summer");
    assert_eq!(scene.deliver(), [DeliveryReport::Delivered]);
    assert_eq!(scene.deliver(), []);
    let requests = scene.receiver.requests.lock().unwrap();
    let headers = &requests[0].headers;
    let header = |name: &str| {
        headers
            .iter()
            .find(|(key, _)| key == name)
            .unwrap()
            .1
            .as_str()
    };
    assert_eq!(header("content-type"), "application/json");
    let id = format!("{}-", scene.holder.client.id);
    assert!(header("webhook-id").starts_with(&id), "{headers:?}");
    assert!(header("webhook-signature").starts_with("v1,"));
    assert_eq!(requests[0].target.as_str(), URL);
}

#[test]
fn answers_and_errors_are_logged() {
    let scene = Scene::new();
    let id = scene.create();
    scene.register("summer");
    scene.answer([
        Ok(response(500, "no disk")),
        Err(OutboundError::Tls("expired".to_owned())),
    ]);
    scene.deliver();
    scene.fixture.clock.advance(Duration::from_secs(6));
    scene.deliver();
    let log = scene.log(id);
    let responses: Vec<_> = log.iter().map(|record| record.response.as_str()).collect();
    assert!(responses[0].starts_with("TLS failed (expired); use a certificate"));
    assert_eq!(responses[1], "no disk");
    let answered = AttemptOutcome::Answered {
        status: 500,
        retry_after: None,
    };
    assert_eq!(log[1].outcome, answered);
    assert_eq!((log[0].attempt, log[1].attempt), (2, 1));
}

#[test]
fn attempt_without_capacity_is_no_failure() {
    let scene = Scene::new();
    let id = scene.create();
    scene.register("summer");
    scene.answer([Err(OutboundError::Busy)]);
    assert_eq!(scene.deliver(), []);
    assert_eq!(scene.log(id), []);
    assert_eq!(scene.deliver(), [], "not due");
    scene.fixture.clock.advance(Duration::from_secs(1));
    assert_eq!(scene.deliver(), [DeliveryReport::Delivered]);
    assert_eq!(scene.log(id)[0].attempt, 1);
}

#[test]
fn receiver_that_is_down_is_reported_then_disabled() {
    let scene = Scene::new();
    let id = scene.create();
    let begin = scene.fixture.clock.now();
    let mut given_up = 0;
    let hours = |count| begin.saturating_add(Duration::from_hours(count));
    while scene.fixture.clock.now() < hours(6 * 24) {
        // A new event each hour keeps the failures going after the first ones are given up.
        scene.register("autumn");
        for _ in 0..6 {
            scene.answer((0..40).map(|_| Err(OutboundError::Connect("refused".to_owned()))));
            let reports = scene.deliver();
            let is_given_up = |report: &&DeliveryReport| **report == DeliveryReport::GivenUp;
            given_up += reports.iter().filter(is_given_up).count();
            scene.fixture.clock.advance(Duration::from_mins(10));
        }
    }
    let EndpointState::Disabled { reason, at } = scene.state(id) else {
        panic!("{:?}", scene.state(id));
    };
    assert_eq!(reason, DisabledReason::Failing);
    assert!(at >= hours(120) && at < hours(122), "{at}");
    assert!(given_up > 0);
    let mut reports = scene.event_types();
    reports.retain(|event_type| event_type.as_str().starts_with("endpoint."));
    let expected_types = [EventType::EndpointFailing, EventType::EndpointDisabled];
    assert_eq!(reports, expected_types);
    let request_count = scene.request_count();
    scene.deliver();
    assert_eq!(
        scene.request_count(),
        request_count,
        "nothing is sent any more"
    );
}

#[test]
fn resumed_endpoint_gets_what_it_missed() {
    let scene = Scene::new();
    let id = scene.create();
    scene.change(id, EndpointChange::Pause);
    scene.register("summer");
    scene.register("autumn");
    assert_eq!(scene.deliver(), []);
    scene.change(id, EndpointChange::Resume);
    assert_eq!(scene.deliver(), [DeliveryReport::Delivered; 2]);
}

#[test]
fn replay_sends_stored_events_again() {
    let scene = Scene::new();
    let id = scene.create();
    scene.register("summer");
    scene.fixture.clock.advance(Duration::from_mins(1));
    let since = scene.fixture.clock.now();
    scene.register("autumn");
    assert_eq!(scene.deliver().len(), 2);
    let client = scene.holder.client.id;
    let first_event =
        |since: Timestamp| poll_now(scene.endpoints.first_event_since(client, since)).unwrap();
    let newest = first_event(since);
    assert_eq!(first_event(Timestamp::from_millis(0)), 1);
    assert_eq!(
        first_event(since.saturating_add(Duration::from_millis(1))),
        newest + 1
    );
    scene.change(id, EndpointChange::ReplayFrom(newest));
    assert_eq!(scene.deliver().len(), 1);
    scene.change(id, EndpointChange::ReplayEvent(1));
    assert_eq!(scene.deliver().len(), 1);
    let replay = |event| {
        let changes = vec![EndpointChange::ReplayEvent(event)];
        poll_now(scene.endpoints.change(scene.owner(), id, changes))
    };
    for event in [0, newest + 1] {
        let error = EndpointServiceError::UnknownEvent(event);
        assert_eq!(replay(event), Err(error));
    }
}

#[test]
fn test_reaches_a_paused_endpoint_and_is_logged() {
    let scene = Scene::new();
    let id = scene.create();
    scene.change(id, EndpointChange::Pause);
    let before = poll_now(scene.endpoints.get(scene.owner(), id)).unwrap();
    let test = || {
        poll_now(
            scene
                .deliveries
                .test(&before.endpoint, |_, _, _| Vec::new()),
        )
    };
    scene.answer([Ok(response(418, "tea")), Err(OutboundError::Busy)]);
    let record = test().unwrap();
    assert_eq!((record.event, record.response.as_str()), (0, "tea"));
    assert_eq!(test(), Err(TestError::Busy));
    assert_eq!(scene.log(id), [record]);
    let after = poll_now(scene.endpoints.get(scene.owner(), id)).unwrap();
    assert_eq!(after.delivery, before.delivery);
}

#[test]
fn invalid_endpoints_are_rejected() {
    let scene = Scene::new();
    let create = |new: NewEndpoint| poll_now(scene.endpoints.create(new)).unwrap_err();
    for url in ["http://receiver.example/", "https://10.0.0.1/", "receiver"] {
        let error = create(NewEndpoint {
            url: url.to_owned(),
            ..scene.new_endpoint()
        });
        assert!(
            matches!(error, EndpointServiceError::Outbound(_)),
            "{url}: {error}"
        );
    }
    for _ in 0..10 {
        scene.create();
    }
    assert_eq!(create(scene.new_endpoint()), EndpointServiceError::TooMany);
    let disabled = EndpointService::new(&scene.fixture.ports);
    let error = poll_now(disabled.create(scene.new_endpoint())).unwrap_err();
    assert_eq!(
        error,
        EndpointServiceError::Outbound(OutboundError::Disabled)
    );
}

#[test]
fn endpoint_of_another_environment_is_not_found() {
    let scene = Scene::new();
    let id = scene.create();
    let sandbox = EndpointOwner {
        environment: Some(Environment::Sandbox),
        ..scene.owner()
    };
    let not_found = EndpointServiceError::NotFound;
    assert_eq!(
        poll_now(scene.endpoints.get(sandbox, id)),
        Err(not_found.clone())
    );
    assert_eq!(
        poll_now(scene.endpoints.delete(sandbox, id)),
        Err(not_found.clone())
    );
    assert_eq!(poll_now(scene.endpoints.list(sandbox)), Ok(Vec::new()));
    let operator = EndpointOwner {
        environment: None,
        ..scene.owner()
    };
    assert_eq!(poll_now(scene.endpoints.list(operator)).unwrap().len(), 1);
    poll_now(scene.endpoints.delete(operator, id)).unwrap();
    assert_eq!(poll_now(scene.endpoints.get(operator, id)), Err(not_found));
}

#[test]
fn filter_skips_events_without_losing_later_ones() {
    let scene = Scene::new();
    let filter = EventFilter {
        types: [EventType::KeyIssued].into_iter().collect::<EventTypeSet>(),
        ..EventFilter::default()
    };
    let new = NewEndpoint {
        filter,
        ..scene.new_endpoint()
    };
    poll_now(scene.endpoints.create(new)).unwrap();
    for _ in 0..30 {
        scene.register("summer");
    }
    scene.fixture.key(&scene.holder.client);
    let reports: Vec<_> = (0..10).flat_map(|_| scene.deliver()).collect();
    assert_eq!(reports, [DeliveryReport::Delivered]);
}
