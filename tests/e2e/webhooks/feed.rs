//! Calls of a client that has a webhook endpoint.

use serde_json::{Value, json};
use voight_tests::http::{self, Response};
use voight_tests::server::{Server, TestAccount};

const SCOPES: &str = "context:register,lookup:read,events:read,webhooks:write";

/// Creates a client with an endpoint at this URL, and returns its account and the data of the endpoint.
pub(crate) fn create_endpoint(server: &Server, client: &str, url: &str) -> (TestAccount, Value) {
    server.account(client);
    let account = server.key_and_context(client, &["--scope", SCOPES]);
    let body = json!({ "url": url }).to_string();
    let url = format!("{}/api/v1/webhooks", server.url());
    let response = post(&http::agent(), &url, &account, &body);
    let endpoint = data(&response.expect("the server answers"));
    (account, endpoint)
}

/// Returns the events of the client's feed after this number.
pub(crate) fn read_feed(server: &Server, account: &TestAccount, mut after: u64) -> Vec<Value> {
    let agent = http::agent();
    let headers = [("x-api-key", account.key.as_str())];
    let mut events = Vec::new();
    loop {
        let url = format!("{}/api/v1/events?limit=100&after={after}", server.url());
        let mut page = data(&http::get(&agent, &url, &headers).expect("the server answers"));
        let Value::Array(page_events) = page["events"].take() else {
            panic!("no list of events: {page}");
        };
        events.extend(page_events);
        if page["done"] == true {
            return events;
        }
        after = page["next"].as_u64().expect("a number");
    }
}

/// Returns the number of the last event of the client's feed.
pub(crate) fn last_event(server: &Server, account: &TestAccount) -> u64 {
    let events = read_feed(server, account, 0);
    let last_event = events.last().expect("an event");
    last_event["number"].as_u64().expect("a number")
}

/// Registers a context with the key of the account.
pub(crate) fn register(
    agent: &ureq::Agent,
    server_url: &str,
    account: &TestAccount,
) -> Result<Response, ureq::Error> {
    let url = format!("{server_url}/api/v1/register/context_id");
    post(agent, &url, account, r#"{"context_title":"quest"}"#)
}

/// Returns the id of the context whose registration is this event; `None` for other events.
pub(crate) fn registered_context(event: &Value) -> Option<String> {
    (event["type"] == "context.created").then(|| text(&event["data"]["context_id"]))
}

/// Posts a body with the key of the account.
fn post(
    agent: &ureq::Agent,
    url: &str,
    account: &TestAccount,
    body: &str,
) -> Result<Response, ureq::Error> {
    let headers = [
        ("x-api-key", account.key.as_str()),
        ("content-type", "application/json"),
    ];
    http::post(agent, url, &headers, body.as_bytes())
}

/// Returns the data of a successful response.
pub(crate) fn data(response: &Response) -> Value {
    assert_eq!(response.status, 200, "{}", response.body);
    response.json()["data"].take()
}

/// Returns a text as such.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
