//! Contexts and the keys that may use them: revocations, moves, and the setting of the client.

use crate::admin::console::{Console, data};
use crate::common::{ADDRESS, Answer, look_up, post_json};
use crate::receipts::receipt;
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use voight_domain::services::IssuedKey;
use voight_domain::vocabulary::{Environment, Scope};

const UNKNOWN: &str = "quest.01k0ab3cdefghjkmnpqrstvwxy";

/// Issues a second live key of the console's client.
async fn sibling(console: &Console) -> IssuedKey {
    console.app.issue(Environment::Live, &Scope::ALL, &[]).await
}

async fn ask(console: &Console, secret: &str, context: &str) -> Answer {
    console.app.send(look_up(secret, context, ADDRESS)).await
}

fn patch_settings(secret: &str, context: &str) -> TestRequest {
    let request = TestRequest::patch().uri(&format!("/api/v1/contexts/{context}"));
    let request = request
        .insert_header(("x-api-key", secret))
        .insert_header(("content-type", "application/json"));
    request.set_payload(r#"{"mode":"observe"}"#)
}

fn vouch(secret: &str, context: &str) -> TestRequest {
    let body = json!({"context_id": context, "eoa_address": ADDRESS});
    post_json("/api/v1/sessions", secret, body.to_string())
}

fn redeem(console: &Console, secret: &str, context: &str, number: u8) -> TestRequest {
    let receipt = receipt(&console.app, context, number);
    let token = receipt.to_token(&console.app.ports.secrets);
    post_json(
        "/api/v1/receipts/verify",
        secret,
        json!({ "receipt": token }).to_string(),
    )
}

/// Returns the responses to a key by each endpoint that verifies access to a context. Members that do not concern the context
/// are removed.
async fn answers(
    console: &Console,
    secret: &str,
    context: &str,
    receipt: u8,
) -> Vec<(u16, String)> {
    let mut answers = Vec::new();
    for request in [
        look_up(secret, context, ADDRESS),
        patch_settings(secret, context),
        vouch(secret, context),
        redeem(console, secret, context, receipt),
    ] {
        let answer = console.app.send(request).await;
        answers.push((answer.status, answer.body));
    }
    answers
}

fn statuses(answers: &[(u16, String)]) -> Vec<(u16, bool)> {
    answers
        .iter()
        .map(|(status, body)| (*status, body.contains("forged")))
        .collect()
}

const USABLE: [(u16, bool); 4] = [(200, false); 4];
const FOREIGN: [(u16, bool); 4] = [(401, false), (401, false), (401, false), (200, true)];

#[actix_web::test]
async fn moved_context_is_hidden_from_its_old_key() {
    let console = Console::new().await;
    let context = console.app.context().await;
    let new_key = sibling(&console).await;
    let old = console.app.secret.clone();
    let new = new_key.secret.expose().to_owned();
    assert_eq!(
        statuses(&answers(&console, &old, &context, 1).await),
        USABLE
    );
    assert_eq!(
        answers(&console, &new, &context, 2).await,
        answers(&console, &new, UNKNOWN, 2).await
    );
    let path = format!("/admin/v1/contexts/{context}/move");
    let move_request = json!({"to_key": new_key.key.id.to_string(), "reason": "leaked"});
    let moved_context = data(&console.post(&path, &move_request).await);
    assert_eq!(moved_context["key_id"], json!(new_key.key.id.to_string()));
    assert_eq!(
        statuses(&answers(&console, &new, &context, 3).await),
        USABLE
    );
    let foreign = answers(&console, &old, &context, 4).await;
    assert_eq!(
        foreign,
        answers(&console, &old, UNKNOWN, 4).await,
        "a moved context is told from an unknown one"
    );
    assert_eq!(statuses(&foreign), FOREIGN);
    let log = || async {
        data(&console.get("/admin/v1/audit").await)
            .as_array()
            .unwrap()
            .clone()
    };
    let entries = log().await;
    let last = entries
        .iter()
        .find(|entry| entry["action"] == "context.moved")
        .unwrap();
    assert_eq!(last["subject"], json!(context));
    assert!(
        last["detail"].as_str().unwrap().ends_with(": leaked"),
        "{last}"
    );
    assert_eq!(
        data(&console.post(&path, &move_request).await),
        moved_context,
        "the same move again is no error"
    );
    assert_eq!(log().await.len(), entries.len(), "and is not audited");
    let contexts_of_key = |key: String| {
        let console = &console;
        async move {
            data(&console.get(&format!("/admin/v1/contexts?key={key}")).await)
                .as_array()
                .unwrap()
                .len()
        }
    };
    assert_eq!(
        (
            contexts_of_key(console.app.key.id.to_string()).await,
            contexts_of_key(new_key.key.id.to_string()).await
        ),
        (0, 1)
    );
}

#[actix_web::test]
async fn invalid_move_of_a_context_is_explained() {
    let console = Console::new().await;
    let context = console.app.context().await;
    let stranger = data(
        &console
            .post("/admin/v1/clients", &json!({"name": "other"}))
            .await,
    );
    let issue = |body: Value| {
        let console = &console;
        async move {
            data(&console.post("/admin/v1/keys", &body).await)["key_id"]
                .as_str()
                .unwrap()
                .to_owned()
        }
    };
    let foreign = issue(json!({"client": stranger["client_id"]})).await;
    let sandbox = issue(json!({"client": "acme", "test": true})).await;
    let writer = issue(json!({"client": "acme", "scopes": ["context:register"]})).await;
    let revoked_key = issue(json!({"client": "acme"})).await;
    console
        .post(&format!("/admin/v1/keys/{revoked_key}/revoke"), &json!({}))
        .await;
    let own_key = console.app.key.id.to_string();
    let path = format!("/admin/v1/contexts/{context}/move");
    let revoke = format!("/admin/v1/keys/{own_key}/revoke");
    for (to, hint) in [
        (&foreign, "belongs to another client"),
        (&sandbox, "a live context stays live"),
        (&writer, "lacks the scope lookup:read"),
        (&revoked_key, "voight key rotate --now"),
    ] {
        let rejection = console.post(&path, &json!({ "to_key": to })).await;
        rejection.is_error(400, "m_g_p_1");
        assert!(
            rejection.body.contains(hint) && rejection.body.contains(to.as_str()),
            "{}",
            rejection.body
        );
        let rejection = console
            .post(&revoke, &json!({ "move_contexts_to": to }))
            .await;
        rejection.is_error(400, "m_g_p_1");
        assert!(rejection.body.contains(hint), "{}", rejection.body);
    }
    let onto_itself = console
        .post(&revoke, &json!({ "move_contexts_to": own_key }))
        .await;
    assert!(
        onto_itself.body.contains("is the one to revoke"),
        "{}",
        onto_itself.body
    );
    for key in ["nothing", "01k0ab3cdefghjkmnpqrstvwxy"] {
        let unknown = console.post(&path, &json!({ "to_key": key })).await;
        unknown.is_error(404, "m_g_n_1");
        assert!(unknown.body.contains("There is no key"), "{}", unknown.body);
        console
            .post(&revoke, &json!({ "move_contexts_to": key }))
            .await
            .is_error(404, "m_g_n_1");
    }
    let unknown = console
        .post(
            &format!("/admin/v1/contexts/{UNKNOWN}/move"),
            &json!({ "to_key": own_key }),
        )
        .await;
    unknown.is_error(404, "m_g_n_1");
    assert!(
        unknown.body.contains("There is no context"),
        "{}",
        unknown.body
    );
    for body in [
        json!({}),
        json!({"key": own_key}),
        json!({"to_key": own_key, "reason": ""}),
    ] {
        console.post(&path, &body).await.is_error(400, "m_g_p_1");
    }
    assert_eq!(
        ask(&console, &console.app.secret, &context).await.status,
        200,
        "nothing of this was done"
    );
    data(
        &console
            .post("/admin/v1/clients/acme/close", &json!({}))
            .await,
    );
    let heir = console.post(&path, &json!({ "to_key": own_key })).await;
    heir.is_error(400, "m_g_p_1");
    assert!(heir.body.contains("permanently closed"), "{}", heir.body);
}

#[actix_web::test]
async fn revocation_moves_affected_contexts() {
    let console = Console::new().await;
    let archived = console.app.context().await;
    let live = console.app.context().await;
    console
        .patch(
            &format!("/admin/v1/contexts/{archived}"),
            &json!({"archived": true}),
        )
        .await;
    let sibling_key = sibling(&console).await;
    let key = console.app.key.id;
    let at_stake = data(&console.get(&format!("/admin/v1/keys/{key}/contexts")).await);
    let numbers = [
        &at_stake["count"],
        &at_stake["live"],
        &at_stake["live_unreachable"],
    ];
    assert_eq!(numbers, [2, 1, 1]);
    let first = &at_stake["contexts"][0];
    assert_eq!(
        (&first["context_id"], &first["becomes_unreachable"]),
        (&json!(live), &json!(true))
    );
    assert_eq!(at_stake["contexts"][1]["context_id"], json!(archived));
    let revocation_request =
        json!({"move_contexts_to": sibling_key.key.id.to_string(), "reason": "leaked"});
    let revocation = data(
        &console
            .post(&format!("/admin/v1/keys/{key}/revoke"), &revocation_request)
            .await,
    );
    assert_eq!(
        (&revocation["moved_contexts"], &revocation["key_id"]),
        (&json!(2), &json!(key.to_string()))
    );
    assert_eq!(revocation["revoked_at"], "2026-11-21T10:00:00Z");
    ask(&console, &console.app.secret, &live)
        .await
        .is_error(401, "m_a_k_1");
    for context in [&live, &archived] {
        assert_eq!(
            ask(&console, sibling_key.secret.expose(), context)
                .await
                .status,
            200
        );
    }
    console
        .get("/admin/v1/keys/01k0ab3cdefghjkmnpqrstvwxy/contexts")
        .await
        .is_error(404, "m_g_n_1");
}

#[actix_web::test]
async fn revocation_needs_no_body_and_takes_no_wrong_one() {
    let console = Console::new().await;
    let context = console.app.context().await;
    let path = format!("/admin/v1/keys/{}/revoke", console.app.key.id);
    // A mistyped member must not revoke the key and leave its contexts unmoved.
    console
        .post(&path, &json!({"move_context_to": "x"}))
        .await
        .is_error(400, "m_g_p_1");
    let plain = crate::admin::console::call(actix_web::http::Method::POST, &path)
        .set_payload(r#"{"move_contexts_to":"x"}"#);
    console
        .send(plain.insert_header(("content-type", "text/plain")))
        .await
        .is_error(415, "m_g_y_1");
    assert_eq!(
        ask(&console, &console.app.secret, &context).await.status,
        200
    );
    let info = data(&console.get("/admin/v1/info").await);
    assert_eq!(info["unreachable_contexts"], json!([]));
    data(
        &console
            .send(crate::admin::console::call(
                actix_web::http::Method::POST,
                &path,
            ))
            .await,
    );
    ask(&console, &console.app.secret, &context)
        .await
        .is_error(401, "m_a_k_1");
    let unreachable_contexts = json!([{"context_id": context, "key_id": console.app.key.id.to_string(), "client": "acme"}]);
    assert_eq!(
        data(&console.get("/admin/v1/info").await)["unreachable_contexts"],
        unreachable_contexts
    );
}

#[actix_web::test]
async fn keys_share_contexts_if_the_client_allows_it() {
    let console = Console::new().await;
    let context = console.app.context().await;
    let sibling_key = sibling(&console).await;
    let sandbox = console
        .app
        .issue(Environment::Sandbox, &Scope::ALL, &[])
        .await;
    let reader = console
        .app
        .issue(Environment::Live, &[Scope::UsageRead], &[])
        .await;
    let secret = sibling_key.secret.expose();
    assert_eq!(
        statuses(&answers(&console, secret, &context, 1).await),
        FOREIGN
    );
    let changed_client = data(
        &console
            .patch("/admin/v1/clients/acme", &json!({"contexts": "client"}))
            .await,
    );
    assert_eq!(changed_client["contexts"], "client");
    assert_eq!(
        statuses(&answers(&console, secret, &context, 2).await),
        USABLE
    );
    assert_eq!(
        statuses(&answers(&console, &console.app.secret, &context, 3).await),
        USABLE
    );
    ask(&console, sandbox.secret.expose(), &context)
        .await
        .is_error(401, "m_a_c_1");
    ask(&console, reader.secret.expose(), &context)
        .await
        .is_error(403, "m_a_s_1");
    console
        .patch("/admin/v1/clients/acme", &json!({"contexts": "any-key"}))
        .await
        .is_error(400, "m_g_p_1");
    data(
        &console
            .patch(
                "/admin/v1/clients/acme",
                &json!({"contexts": "registering-key"}),
            )
            .await,
    );
    assert_eq!(
        statuses(&answers(&console, secret, &context, 4).await),
        FOREIGN
    );
    let log = data(&console.get("/admin/v1/audit").await);
    let last = log.as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["action"], &last["detail"]),
        (
            &json!("client.changed"),
            &json!("contexts: usable by the key that each is tied to")
        )
    );
}
