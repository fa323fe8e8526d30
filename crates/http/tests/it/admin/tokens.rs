//! Named admin tokens: the permissions of each role, and the invalidation of old secrets.

use crate::admin::console::{Console, HOST, TOKEN, data, probe};
use crate::common::Answer;
use actix_web::http::Method;
use serde_json::{Value, json};
use std::time::Duration;
use voight_api::AdminTokenSecret;
use voight_api::admin::HandshakeProof;
use voight_api::admin::routes::ADMIN_ROUTES;
use voight_api::proof::{ProvenRequest, authorization, handshake};
use voight_api::route::AdminRoute;
use voight_domain::registry::{Permission, Role};

const TOKENS: &str = "/admin/v1/tokens";
const AUDIT: &str = "/admin/v1/audit?limit=1000";

async fn created(console: &Console, name: &str, role: &str) -> Value {
    data(
        &console
            .post(TOKENS, &json!({"name": name, "role": role}))
            .await,
    )
}

fn text(issued: &Value) -> &str {
    issued["token"]
        .as_str()
        .unwrap_or_else(|| panic!("no token: {issued}"))
}

async fn sent(console: &Console, token: &str, method: Method, path: &str) -> Answer {
    let request = probe(path, HOST)
        .method(method)
        .insert_header(("authorization", format!("Bearer {token}")));
    let request = request
        .insert_header(("content-type", "application/json"))
        .set_payload("{}");
    console.send(request).await
}

async fn get(console: &Console, token: &str, path: &str) -> Answer {
    sent(console, token, Method::GET, path).await
}

/// Returns a path of the route with parameters that refer to nothing.
fn path_of(route: &AdminRoute) -> String {
    let path = route.full_path();
    let pieces = path.split('/').map(|piece| {
        if piece.starts_with('{') {
            "nothing"
        } else {
            piece
        }
    });
    pieces.collect::<Vec<_>>().join("/")
}

#[actix_web::test]
async fn roles_open_only_permitted_routes() {
    let console = Console::new().await;
    for role in Role::ALL {
        let token = created(&console, role.as_str(), role.as_str()).await;
        for route in ADMIN_ROUTES {
            let answer = sent(
                &console,
                text(&token),
                route.method.as_str().parse().unwrap(),
                &path_of(route),
            )
            .await;
            let at = format!("{} {} as {role}: {}", route.method, route.path, answer.body);
            if role.allows(route.permission) {
                assert!(![401, 403, 405].contains(&answer.status), "{at}");
            } else {
                answer.is_error(403, "m_a_r_1");
                let sentence = answer.json()["error"]["message"]
                    .as_str()
                    .unwrap()
                    .to_owned();
                assert!(sentence.contains(&format!("has the role {role}")), "{at}");
                assert!(
                    sentence.contains(&format!("needs the role {}", route.permission.roles())),
                    "{at}"
                );
            }
        }
    }
}

#[test]
fn installation_changes_require_the_role_owner() {
    let of = |permission: Permission| {
        let routes = ADMIN_ROUTES
            .iter()
            .filter(move |route| route.permission == permission);
        let mut route_names: Vec<_> = routes
            .map(|route| format!("{} {}", route.method, route.path))
            .collect();
        route_names.sort();
        route_names
    };
    let owner_routes = [
        "GET /store/backup",
        "GET /tokens",
        "GET /users",
        "POST /clock/acknowledge",
        "POST /signing-keys/rotate",
        "POST /tokens",
        "POST /tokens/{token}/revoke",
        "POST /tokens/{token}/rotate",
        "POST /users",
        "POST /users/{user}/remove",
        "POST /users/{user}/role",
    ];
    assert_eq!(of(Permission::Own), owner_routes);
    let bill = [
        "PATCH /clients/{client}/limits",
        "POST /clients/{client}/adjustments",
        "POST /invoices/close",
        "POST /invoices/{invoice}/mark-paid",
        "POST /invoices/{invoice}/void",
        "POST /invoices/{invoice}/write-off",
    ];
    assert_eq!(of(Permission::Bill), bill);
    for permission in [Permission::Read, Permission::ReadAccounts] {
        assert!(
            of(permission).iter().all(|route| route.starts_with("GET ")),
            "a read that changes something"
        );
    }
}

#[actix_web::test]
async fn openings_of_a_ledger_are_for_owners() {
    let console = Console::new().await;
    let analyst = created(&console, "ana", "analyst").await;
    let path = "/admin/v1/audit/export?client=acme";
    let answer = get(&console, text(&analyst), &format!("{path}&openings=true")).await;
    answer.is_error(403, "m_a_r_1");
    assert_ne!(get(&console, text(&analyst), path).await.status, 403);
}

#[actix_web::test]
async fn audit_entries_name_the_token() {
    let console = Console::new().await;
    let operator = created(&console, "night shift", "operator").await;
    let request = probe("/admin/v1/clients", HOST).method(Method::POST);
    let request = request.insert_header(("authorization", format!("Bearer {}", text(&operator))));
    let request = request
        .insert_header(("content-type", "application/json"))
        .set_payload(r#"{"name":"new"}"#);
    assert_eq!(console.send(request).await.status, 200);
    let export = "/admin/v1/audit/export?client=new";
    assert_eq!(get(&console, text(&operator), export).await.status, 200);
    let log = data(&console.get(AUDIT).await);
    let entries = log.as_array().unwrap().iter().rev().take(3);
    let last: Vec<_> = entries
        .map(|entry| (&entry["action"], &entry["actor"]))
        .collect();
    let token_actor = json!("token:night shift");
    let expected_entries = [
        (&json!("ledger.exported"), &token_actor),
        (&json!("client.created"), &token_actor),
        (&json!("admin_token.created"), &json!("operator")),
    ];
    assert_eq!(last, expected_entries);
    assert!(
        !log.to_string().contains(text(&operator)),
        "the log has a secret"
    );
}

#[actix_web::test]
async fn rotation_ends_the_old_secret() {
    let console = Console::new().await;
    let first = created(&console, "ci", "analyst").await;
    assert_eq!(
        data(&get(&console, text(&first), "/admin/v1/token").await),
        json!({"name": "ci", "role": "analyst"})
    );
    let second = data(&console.post("/admin/v1/tokens/ci/rotate", &json!({})).await);
    assert_eq!(first["id"], second["id"]);
    get(&console, text(&first), "/admin/v1/token")
        .await
        .is_error(401, "m_a_t_1");
    assert_eq!(
        get(&console, text(&second), "/admin/v1/token").await.status,
        200
    );
    let revocation = data(&console.post("/admin/v1/tokens/ci/revoke", &json!({})).await);
    assert!(revocation["revoked_at"].is_string(), "{revocation}");
    get(&console, text(&second), "/admin/v1/token")
        .await
        .is_error(401, "m_a_t_1");
    let rotation = console.post("/admin/v1/tokens/ci/rotate", &json!({})).await;
    rotation.is_error(409, "m_g_c_1");
    assert!(
        rotation.body.contains("is permanently revoked"),
        "{}",
        rotation.body
    );
    let token_list = data(&console.get(TOKENS).await);
    assert!(
        !token_list.to_string().contains(text(&second)),
        "the list has a secret"
    );
    created(&console, "ci", "billing").await;
}

#[actix_web::test]
async fn wrong_requests_are_rejected_with_the_cause() {
    let console = Console::new().await;
    let token = created(&console, "ci", "analyst").await;
    let rejection = console
        .post(TOKENS, &json!({"name": "ci", "role": "owner"}))
        .await;
    rejection.is_error(409, "m_g_c_1");
    assert!(
        rejection.body.contains("named \\\"ci\\\" already"),
        "{}",
        rejection.body
    );
    let role = console
        .post(TOKENS, &json!({"name": "cd", "role": "admin"}))
        .await;
    role.is_error(400, "m_g_p_1");
    assert!(
        role.body.contains("owner, operator, analyst or billing"),
        "{}",
        role.body
    );
    console
        .post(TOKENS, &json!({"name": " cd", "role": "owner"}))
        .await
        .is_error(400, "m_g_p_1");
    for act in ["rotate", "revoke"] {
        let path = format!("/admin/v1/tokens/missing-token/{act}");
        console
            .post(&path, &json!({}))
            .await
            .is_error(404, "m_g_n_1");
    }
    let secret_text = text(&token);
    let last_digit = if secret_text.ends_with('0') { '1' } else { '0' };
    let wrong_secret = format!("{}{last_digit}", &secret_text[..secret_text.len() - 1]);
    let unknown = format!(
        "vat_01k0ab3cdefghjkmnpqrstvwxy_{}",
        &secret_text[secret_text.len() - 64..]
    );
    for wrong in [
        wrong_secret.as_str(),
        &unknown,
        &secret_text[..40],
        "vat_",
        "vat_x_y",
    ] {
        get(&console, wrong, "/admin/v1/token")
            .await
            .is_error(401, "m_a_t_1");
    }
}

#[actix_web::test]
async fn proof_of_a_named_token_opens_its_request() {
    let console = Console::new().await;
    let token_created = created(&console, "ci", "analyst").await;
    let token = AdminTokenSecret::parse(text(&token_created)).unwrap();
    let request = ProvenRequest {
        method: "GET",
        target: "/admin/v1/token",
    };
    let hello = handshake(&token, HOST, &[9; 32]);
    let shake_hands = |body: String| {
        let request = probe("/admin/v1/handshake", HOST).method(Method::POST);
        console.send(
            request
                .insert_header(("content-type", "application/json"))
                .set_payload(body),
        )
    };
    let answer = shake_hands(serde_json::to_string(&hello).unwrap()).await;
    let proof: HandshakeProof = serde_json::from_value(data(&answer)).unwrap();
    let header = authorization(&token, &hello, &proof, request).unwrap();
    assert!(
        !header.contains(&text(&token_created)[31..]),
        "the secret was sent"
    );
    let send_proof = || {
        console
            .send(probe("/admin/v1/token", HOST).insert_header(("authorization", header.clone())))
    };
    assert_eq!(data(&send_proof().await)["name"], "ci");
    // The owner's token cannot create a proof of a named token.
    let owner = AdminTokenSecret::parse(TOKEN).unwrap();
    assert_eq!(authorization(&owner, &hello, &proof, request), None);
    console.post("/admin/v1/tokens/ci/rotate", &json!({})).await;
    send_proof().await.is_error(401, "m_a_t_1");
    let stale = shake_hands(serde_json::to_string(&hello).unwrap()).await;
    let proof: HandshakeProof = serde_json::from_value(data(&stale)).unwrap();
    assert_eq!(
        authorization(&token, &hello, &proof, request),
        None,
        "the listener proved a secret that has ended"
    );
    console.post("/admin/v1/tokens/ci/revoke", &json!({})).await;
    shake_hands(serde_json::to_string(&hello).unwrap())
        .await
        .is_error(401, "m_a_t_1");
    console.app.wait(Duration::from_secs(1));
}
