//! Event streams of operators.

use crate::admin::console::{Console, HOST, TOKEN, call, data, probe};
use crate::common::Answer;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::http::Method;
use actix_web::test::{init_service, try_call_service};
use actix_web::web::Bytes;
use serde_json::{Value, json};
use std::error::Error;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;
use voight_api::AdminTokenSecret;
use voight_domain::registry::Client;
use voight_domain::retention::RetentionPolicy;
use voight_domain::vocabulary::{Environment, Scope};
use voight_http::admin::create_admin_app;

const EVENTS: &str = "/admin/v1/events";

/// Block of a stream.
#[derive(Debug, Clone, PartialEq)]
struct Block {
    id: String,
    event: Option<String>,
    data: Value,
}

impl Block {
    /// Returns the client and the number of the event.
    fn name(&self) -> (String, u64) {
        let client = self.data["client_name"].as_str().unwrap().to_owned();
        (client, self.data["number"].as_u64().unwrap())
    }
}

fn blocks(text: &str) -> Vec<Block> {
    assert!(text.ends_with("\n\n"), "{text}");
    let field = |block: &str, name: &str| {
        block
            .lines()
            .find_map(|line| line.strip_prefix(name).map(str::to_owned))
    };
    text.trim_end()
        .split("\n\n")
        .map(|block| Block {
            id: field(block, "id: ").unwrap(),
            event: field(block, "event: "),
            data: field(block, "data: ")
                .map_or(Value::Null, |data| serde_json::from_str(&data).unwrap()),
        })
        .collect()
}

/// Returns the events of a complete stream.
fn events(answer: &Answer) -> Vec<Block> {
    assert_eq!(answer.status, 200, "{}", answer.body);
    let mut events = blocks(&answer.body);
    events.retain(|block| block.event.is_some());
    events
}

fn names(answer: &Answer) -> Vec<(String, u64)> {
    events(answer).iter().map(Block::name).collect()
}

/// Returns the names of events of a client.
fn numbers(client: &str, numbers: impl IntoIterator<Item = u64>) -> Vec<(String, u64)> {
    let numbers = numbers.into_iter();
    numbers.map(|number| (client.to_owned(), number)).collect()
}

async fn resume(console: &Console, query: &str, cursor: &str) -> Answer {
    let path = format!("{EVENTS}?{query}");
    let request = call(Method::GET, &path).insert_header(("last-event-id", cursor.to_owned()));
    console.send(request).await
}

/// Creates a client whose events follow those of `acme`.
async fn create_second_client(console: &Console) -> Client {
    console.app.wait(Duration::from_secs(1));
    let registry = &console.app.state.services.registry;
    registry
        .create_client("umbrella".parse().unwrap())
        .await
        .unwrap()
}

async fn issue_key(console: &Console, client: &Client) {
    let scopes = [Scope::EventsRead];
    console
        .app
        .issue_to(client, Environment::Sandbox, &scopes)
        .await;
}

#[actix_web::test]
async fn stream_of_a_client_begins_with_its_last_events() {
    let console = Console::new().await;
    for _ in 0..24 {
        console.app.context().await;
    }
    let path = |query| format!("{EVENTS}?client=acme{query}");
    let answer = console.get(&path("&limit=1")).await;
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let client = console.app.client.id;
    let event = events(&answer).pop().unwrap();
    assert_eq!(event.id, format!("{client}-25"));
    assert_eq!(event.event.as_deref(), Some("context.created"));
    let context = &event.data["data"]["context_id"];
    let expected_data = json!({
        "client_id": client.to_string(), "client_name": "acme", "id": format!("{client}-25"), "number": 25,
        "type": "context.created", "timestamp": "2026-11-21T10:00:00Z",
        "data": { "environment": "live", "context_id": context },
    });
    assert_eq!(event.data, expected_data);
    let latest = |query| {
        let path = path(query);
        let console = &console;
        async move { names(&console.get(&path).await) }
    };
    assert_eq!(latest("").await, numbers("acme", 6..=25));
    assert_eq!(latest("&limit=0").await, []);
    assert_eq!(
        latest("&limit=2&types=key.issued").await,
        numbers("acme", [1])
    );
    assert_eq!(
        latest("&since=2026-11-21T10:00:00Z").await,
        numbers("acme", 1..=25)
    );
    assert_eq!(latest("&since=2026-11-21T10:00:01Z").await, []);
}

#[actix_web::test]
async fn stream_of_all_clients_is_in_the_order_of_time() {
    let console = Console::new().await;
    let second_client = create_second_client(&console).await;
    issue_key(&console, &second_client).await;
    console.app.wait(Duration::from_secs(1));
    console.app.context().await;
    console.app.wait(Duration::from_secs(1));
    issue_key(&console, &second_client).await;
    let expected = [("acme", 1), ("umbrella", 1), ("acme", 2), ("umbrella", 2)]
        .map(|(client, number)| (client.to_owned(), number));
    assert_eq!(names(&console.get(EVENTS).await), expected);
    let since = format!("{EVENTS}?since=2026-11-21T10:00:02Z");
    assert_eq!(names(&console.get(&since).await), expected[2..]);
    let of_type = format!("{EVENTS}?types=context.created,context.changed");
    assert_eq!(names(&console.get(&of_type).await), expected[2..3]);
    console.app.wait(Duration::from_secs(3_601));
    assert_eq!(names(&console.get(EVENTS).await), []);
}

#[actix_web::test]
async fn client_stream_resumes_exactly_after_its_cursor() {
    let console = Console::new().await;
    for _ in 0..3 {
        console.app.context().await;
    }
    let query = "client=acme&since=2020-01-01T00:00:00Z";
    let answer = console.get(&format!("{EVENTS}?{query}")).await;
    for event in events(&answer) {
        let number = event.data["number"].as_u64().unwrap();
        let later_events = resume(&console, query, &event.id).await;
        assert_eq!(names(&later_events), numbers("acme", number + 1..=4));
    }
    let begin = &blocks(&answer.body)[0];
    assert_eq!((&begin.event, &begin.data), (&None, &Value::Null));
    assert_eq!(
        names(&resume(&console, query, &begin.id).await),
        numbers("acme", 1..=4)
    );
}

#[actix_web::test]
async fn stream_of_all_clients_resumes_without_loss() {
    let console = Console::new().await;
    let second_client = create_second_client(&console).await;
    for _ in 0..3 {
        console.app.wait(Duration::from_mins(2));
        issue_key(&console, &second_client).await;
        console.app.context().await;
    }
    let all_events = names(&console.get(EVENTS).await);
    assert_eq!(all_events.len(), 7);
    for (index, event) in events(&console.get(EVENTS).await).iter().enumerate() {
        let later_events = names(&resume(&console, "", &event.id).await);
        let missed_events = &all_events[index + 1..];
        assert!(later_events.ends_with(missed_events), "{later_events:?}");
        assert!(
            later_events.len() <= missed_events.len() + 1,
            "{later_events:?}"
        );
        assert!(!later_events.contains(&event.name()));
    }
}

#[actix_web::test]
async fn stream_after_deleted_events_is_rejected() {
    let console = Console::new().await;
    console.app.context().await;
    console
        .app
        .wait(RetentionPolicy::EVENT_RETENTION + Duration::from_secs(1));
    let before = RetentionPolicy::events_before(console.app.now());
    let store = &console.app.ports.store;
    assert_eq!(store.purge_events(before, 100).await.unwrap(), 2);
    console.app.context().await;
    let client = console.app.client.id;
    let answer = resume(&console, "client=acme", &format!("{client}-1")).await;
    answer.is_error(409, "m_g_c_1");
    assert!(answer.body.contains("up to number 2"), "{}", answer.body);
    let answer = resume(&console, "client=acme", &format!("{client}-2")).await;
    assert_eq!(names(&answer), numbers("acme", [3]));
    let latest = console.get(&format!("{EVENTS}?client=acme")).await;
    assert_eq!(names(&latest), numbers("acme", [3]));
}

#[actix_web::test]
async fn malformed_stream_requests_are_rejected() {
    let console = Console::new().await;
    for (query, words) in [
        ("since=yesterday", "since"),
        ("types=key.issued,verdict.gone", "verdict.gone"),
        ("follow=maybe", "follow"),
        ("client=acme&limit=501", "limit is a number from 0 to 500"),
        ("limit=5", "send it with client"),
        (
            "client=acme&limit=5&since=2026-11-21T10:00:00Z",
            "without since",
        ),
        ("kind=key.issued", "unknown query parameter"),
    ] {
        let answer = console.get(&format!("{EVENTS}?{query}")).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(words), "{query}: {}", answer.body);
    }
    let unknown = console.get(&format!("{EVENTS}?client=umbrella")).await;
    unknown.is_error(404, "m_g_n_1");
    let client = console.app.client.id;
    for (query, cursor) in [
        ("", "x".to_owned()),
        ("", format!("{client}-1")),
        ("client=acme", "5000".to_owned()),
    ] {
        let answer = resume(&console, query, &cursor).await;
        answer.is_error(400, "m_g_p_1");
    }
}

/// Stream that is read chunk by chunk.
struct OpenStream(BoxBody);

impl OpenStream {
    /// Opens a stream of all clients with this token.
    async fn open(console: &Console, token: &str, query: &str) -> Result<Self, Answer> {
        let own_token = AdminTokenSecret::parse(TOKEN).unwrap();
        let app = create_admin_app(console.app.state.clone(), own_token);
        let service = init_service(app).await;
        let request = probe(&format!("{EVENTS}?{query}"), HOST)
            .insert_header(("authorization", format!("Bearer {token}")))
            .to_request();
        let response = try_call_service(&service, request).await.unwrap();
        if response.status() == 200 {
            Ok(Self(response.into_body()))
        } else {
            Err(Answer::read(response).await)
        }
    }

    async fn next_chunk(&mut self) -> Option<Result<Bytes, Box<dyn Error>>> {
        let chunk = poll_fn(|context| Pin::new(&mut self.0).poll_next(context));
        tokio::time::timeout(Duration::from_secs(20), chunk)
            .await
            .expect("the stream sends a chunk")
    }

    /// Returns the blocks of the next chunk; `None` at the end.
    async fn next(&mut self) -> Option<Vec<Block>> {
        let chunk = self.next_chunk().await;
        chunk.map(|bytes| blocks(std::str::from_utf8(&bytes.unwrap()).unwrap()))
    }
}

#[actix_web::test]
async fn followed_stream_ends_when_the_service_drains() {
    let console = Console::new().await;
    let mut stream = OpenStream::open(&console, TOKEN, "follow=true&types=context.created")
        .await
        .unwrap();
    assert_eq!(stream.next().await.unwrap()[0].event, None);
    let context = console.app.context().await;
    let events = stream.next().await.unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].data["data"]["context_id"], json!(context));
    // A comment advances the cursor.
    console.app.wait(Duration::from_mins(5));
    let comment = stream.next().await.unwrap();
    assert_eq!((comment.len(), &comment[0].event), (1, &None));
    assert_ne!(comment[0].id, events[0].id);
    assert_eq!(names(&resume(&console, "", &comment[0].id).await), []);
    console.app.state.drain();
    assert_eq!(stream.next().await, None);
}

#[actix_web::test]
async fn incomplete_stream_is_aborted_by_a_drain() {
    let console = Console::new().await;
    let mut stream = OpenStream::open(&console, TOKEN, "").await.unwrap();
    assert!(stream.next().await.is_some());
    console.app.state.drain();
    assert!(stream.next_chunk().await.unwrap().is_err());
}

#[actix_web::test]
async fn complete_stream_ends_despite_a_drain() {
    let console = Console::new().await;
    let mut stream = OpenStream::open(&console, TOKEN, "").await.unwrap();
    assert_eq!(stream.next().await.unwrap()[0].event, None);
    assert!(stream.next().await.unwrap()[0].event.is_some());
    console.app.state.drain();
    assert_eq!(stream.next().await, None);
}

/// Creates an admin token, and returns its secret.
async fn create_token(console: &Console, name: &str) -> String {
    let body = json!({ "name": name, "role": "analyst" });
    let token = data(&console.post("/admin/v1/tokens", &body).await);
    token["token"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn stream_of_a_changed_token_is_aborted() {
    for change in ["rotate", "revoke"] {
        let console = Console::new().await;
        let token = create_token(&console, "ci").await;
        let query = "follow=true&types=context.created";
        let mut stream = OpenStream::open(&console, &token, query).await.unwrap();
        console.app.wait(Duration::from_secs(16));
        assert!(stream.next().await.is_some());
        let path = format!("/admin/v1/tokens/ci/{change}");
        data(&console.post(&path, &json!({})).await);
        console.app.wait(Duration::from_secs(16));
        assert!(stream.next_chunk().await.unwrap().is_err(), "{change}");
    }
}

#[actix_web::test]
async fn streams_are_limited_per_token_and_in_all() {
    let console = Console::new().await;
    let first_token = create_token(&console, "first").await;
    let second_token = create_token(&console, "second").await;
    let mut streams = Vec::new();
    for token in [TOKEN, TOKEN, first_token.as_str(), first_token.as_str()] {
        let stream = OpenStream::open(&console, token, "follow=true").await;
        streams.push(stream.unwrap());
    }
    for (token, words) in [
        (TOKEN, "2 event streams of this admin token are open"),
        (second_token.as_str(), "4 event streams are open"),
    ] {
        let Err(answer) = OpenStream::open(&console, token, "follow=true").await else {
            panic!("a further stream was opened");
        };
        answer.is_error(503, "m_g_x_2");
        assert!(answer.body.contains(words), "{}", answer.body);
    }
    streams.pop();
    let stream = OpenStream::open(&console, &second_token, "follow=true").await;
    assert!(stream.is_ok());
}
