//! Users of the console: invitations, roles and removals.

use crate::admin::console::{Console, data};
use serde_json::{Value, json};

const USERS: &str = "/admin/v1/users";
const AUDIT: &str = "/admin/v1/audit?limit=1000";

async fn invited(console: &Console, name: &str, role: &str) -> Value {
    data(
        &console
            .post(USERS, &json!({"name": name, "role": role}))
            .await,
    )
}

#[actix_web::test]
async fn link_is_only_in_the_answer_to_an_invitation() {
    let console = Console::new().await;
    let invitation = invited(&console, "Ada", "owner").await;
    let user = &invitation["user"];
    assert_eq!(user["name"], "Ada");
    assert_eq!(user["role"], "owner");
    assert_eq!(user["seen_at"], Value::Null);
    assert!(invitation["expires_at"].is_string());
    let path = invitation["path"].as_str().unwrap();
    let link = path.strip_prefix("/console/sign-in/vul_").unwrap();
    let renewal = invited(&console, "ada", "owner").await;
    assert_eq!(renewal["user"]["id"], user["id"]);
    assert_ne!(renewal["path"], invitation["path"]);
    let users = data(&console.get(USERS).await);
    assert_eq!(users, json!([user]));
    let log = data(&console.get(AUDIT).await);
    let details: Vec<_> = log
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["subject"] == user["id"])
        .map(|entry| (&entry["action"], &entry["actor"], &entry["detail"]))
        .collect();
    let entry = (
        &json!("user.invited"),
        &json!("operator"),
        &json!("Ada, owner"),
    );
    assert_eq!(details, [entry, entry]);
    assert!(!log.to_string().contains(link), "the log has a secret");
}

#[actix_web::test]
async fn role_changes_and_removal_keep_an_owner() {
    let console = Console::new().await;
    invited(&console, "Ada", "owner").await;
    invited(&console, "Bob", "analyst").await;
    let role = json!({"role": "billing"});
    let last_owner = console.post("/admin/v1/users/Ada/role", &role).await;
    last_owner.is_error(409, "m_g_c_1");
    assert!(
        last_owner.body.contains("only owner"),
        "{}",
        last_owner.body
    );
    let bob = data(&console.post("/admin/v1/users/bob/role", &role).await);
    assert_eq!(bob["role"], "billing");
    let removed_bob = data(&console.post("/admin/v1/users/bob/remove", &json!({})).await);
    assert!(removed_bob["removed_at"].is_string(), "{removed_bob}");
    console
        .post("/admin/v1/users/bob/role", &role)
        .await
        .is_error(409, "m_g_c_1");
    console
        .post("/admin/v1/users/carol/remove", &json!({}))
        .await
        .is_error(404, "m_g_n_1");
    let other_bob = invited(&console, "Bob", "operator").await;
    assert_ne!(other_bob["user"]["id"], bob["id"]);
}

#[actix_web::test]
async fn invalid_invitations_are_rejected() {
    let console = Console::new().await;
    invited(&console, "Ada", "owner").await;
    for (name, role, status, id, text) in [
        ("Ada", "analyst", 409, "m_g_c_1", "has the role owner"),
        (" ", "owner", 400, "m_g_p_1", "1 to 64 printable"),
        (
            "Bob",
            "admin",
            400,
            "m_g_p_1",
            "owner, operator, analyst or billing",
        ),
    ] {
        let answer = console
            .post(USERS, &json!({"name": name, "role": role}))
            .await;
        answer.is_error(status, id);
        assert!(answer.body.contains(text), "{}", answer.body);
    }
}
