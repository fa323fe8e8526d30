//! Clients, keys and contexts through the admin API.

use crate::admin::console::{Console, data};
use crate::common::{ADDRESS, look_up};
use serde_json::json;
use std::time::Duration;

#[actix_web::test]
async fn client_is_created_found_changed_and_listed() {
    let console = Console::new().await;
    let new_client = data(
        &console
            .post("/admin/v1/clients", &json!({"name": "Quest Labs"}))
            .await,
    );
    let members: Vec<_> = new_client
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        members,
        [
            "client_id",
            "contexts",
            "created_at",
            "lookup_rate",
            "name",
            "origins",
            "status"
        ]
    );
    assert_eq!(new_client["created_at"], "2026-11-21T10:00:00Z");
    let id = new_client["client_id"].as_str().unwrap().to_owned();
    for name in ["Quest%20Labs", &id] {
        let mut shown_client = data(&console.get(&format!("/admin/v1/clients/{name}")).await);
        shown_client
            .as_object_mut()
            .unwrap()
            .retain(|member, _| new_client.get(member).is_some());
        assert_eq!(shown_client, new_client);
    }
    let path = format!("/admin/v1/clients/{id}");
    let change =
        json!({"status": "suspended", "origins": ["https://quest.example"], "lookup_rate": 7});
    let changed_client = data(&console.patch(&path, &change).await);
    assert_eq!(
        (&changed_client["status"], &changed_client["lookup_rate"]),
        (&json!("suspended"), &json!(7))
    );
    let back = data(
        &console
            .patch(&path, &json!({"status": "active", "lookup_rate": null}))
            .await,
    );
    assert_eq!(
        (&back["status"], &back["lookup_rate"]),
        (&json!("active"), &json!(null))
    );
    assert_eq!(
        back["origins"],
        json!(["https://quest.example"]),
        "what is left out stays"
    );
    let names = data(&console.get("/admin/v1/clients").await);
    assert_eq!(names.as_array().unwrap().len(), 2);
}

#[actix_web::test]
async fn client_errors_name_the_cause() {
    let console = Console::new().await;
    console
        .post("/admin/v1/clients", &json!({"name": "acme"}))
        .await
        .is_error(409, "m_g_c_1");
    for (body, hint) in [
        (json!({"name": " "}), "name: a client's name"),
        (json!({}), "name"),
        (json!({"name": "a", "b": 1}), "b"),
    ] {
        let answer = console.post("/admin/v1/clients", &body).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(hint), "{}", answer.body);
    }
    let missing = console.get("/admin/v1/clients/missing-client").await;
    missing.is_error(404, "m_g_n_1");
    assert!(missing.body.contains("missing-client"));
    let client_before = data(&console.get("/admin/v1/clients/acme").await);
    for (body, hint) in [
        (json!({"status": "gone"}), "gone"),
        (
            json!({"status": "suspended", "origins": ["https://a.example", "quest.example"]}),
            "origins[1]",
        ),
        (json!({"lookup_rate": 0}), "at least 1"),
        (json!({}), "The request changes nothing"),
    ] {
        let answer = console.patch("/admin/v1/clients/acme", &body).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(hint), "{}", answer.body);
    }
    assert_eq!(
        data(&console.get("/admin/v1/clients/acme").await),
        client_before,
        "a change is made whole or not at all"
    );
}

#[actix_web::test]
async fn key_is_shown_once_rotated_and_revoked() {
    let console = Console::new().await;
    let key_request =
        json!({"client": "acme", "scopes": ["lookup:read"], "networks": ["192.0.2.0/24"]});
    let issued_key = data(&console.post("/admin/v1/keys", &key_request).await);
    let id = issued_key["key_id"].as_str().unwrap();
    let secret = issued_key["key"].as_str().unwrap();
    assert!(
        secret.starts_with(issued_key["prefix"].as_str().unwrap())
            && secret.starts_with("vgt_live_")
    );
    assert_eq!(
        (&issued_key["scopes"], &issued_key["environment"]),
        (&json!(["lookup:read"]), &json!("live"))
    );
    let list = console.get("/admin/v1/keys?client=acme").await;
    assert_eq!(data(&list).as_array().unwrap().len(), 2);
    assert!(!list.body.contains(secret), "a list never shows a secret");

    let ask = async |secret: &str| {
        console
            .app
            .send(look_up(secret, "quest.01k0ab3cdefghjkmnpqrstvwxy", ADDRESS))
            .await
    };
    ask(secret).await.is_error(401, "m_a_c_1");
    let rotation = data(
        &console
            .post(
                &format!("/admin/v1/keys/{id}/rotate"),
                &json!({"overlap_seconds": 60}),
            )
            .await,
    );
    let fresh = rotation["key"].as_str().unwrap();
    assert_eq!(rotation["key_id"], issued_key["key_id"]);
    ask(secret).await.is_error(401, "m_a_c_1");
    console.app.wait(Duration::from_mins(1));
    ask(secret).await.is_error(401, "m_a_k_1");
    ask(fresh).await.is_error(401, "m_a_c_1");
    let revocation = data(
        &console
            .post(&format!("/admin/v1/keys/{id}/revoke"), &json!({}))
            .await,
    );
    assert_eq!(revocation["revoked_at"], "2026-11-21T10:01:00Z");
    ask(fresh).await.is_error(401, "m_a_k_1");
    let second_rotation = console
        .post(&format!("/admin/v1/keys/{id}/rotate"), &json!({}))
        .await;
    second_rotation.is_error(400, "m_g_p_1");
}

#[actix_web::test]
async fn invalid_keys_are_explained() {
    let console = Console::new().await;
    let issued_key = data(
        &console
            .post("/admin/v1/keys", &json!({"client": "acme", "test": true}))
            .await,
    );
    assert!(issued_key["key"].as_str().unwrap().starts_with("vgt_test_"));
    for (member, value, hint) in [
        ("scopes", json!(["lookup:write"]), "scopes[0]"),
        ("scopes", json!([]), "scopes is empty"),
        ("networks", json!(["everywhere"]), "networks[0]"),
        (
            "expires_at",
            json!("tomorrow"),
            "expires_at: a time is written as in RFC 3339",
        ),
        ("expires_at", json!("2026-11-21T09:00:00Z"), "in the future"),
    ] {
        let mut key_request = json!({"client": "acme"});
        key_request[member] = value;
        let answer = console.post("/admin/v1/keys", &key_request).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(hint), "{}", answer.body);
    }
    console
        .post("/admin/v1/keys", &json!({"client": "missing-client"}))
        .await
        .is_error(404, "m_g_n_1");
    console
        .post("/admin/v1/keys/nothing/revoke", &json!({}))
        .await
        .is_error(404, "m_g_n_1");
    let long = json!({"overlap_seconds": 31 * 24 * 3600});
    let id = issued_key["key_id"].as_str().unwrap();
    console
        .post(&format!("/admin/v1/keys/{id}/rotate"), &long)
        .await
        .is_error(400, "m_g_p_1");
}

#[actix_web::test]
async fn network_of_mapped_addresses_is_an_ipv4_network() {
    let console = Console::new().await;
    let key_request = json!({"client": "acme", "networks": ["::ffff:192.0.2.0/120"]});
    let issued_key = data(&console.post("/admin/v1/keys", &key_request).await);
    assert_eq!(issued_key["networks"], json!(["192.0.2.0/24"]));
    let context = "quest.01k0ab3cdefghjkmnpqrstvwxy";
    let answer = console
        .app
        .send(look_up(
            issued_key["key"].as_str().unwrap(),
            context,
            ADDRESS,
        ))
        .await;
    // The caller is in the network: the key is accepted, and the context is not one of its own.
    answer.is_error(401, "m_a_c_1");
    let wide = json!({"client": "acme", "networks": ["::ffff:192.0.2.0/80"]});
    let answer = console.post("/admin/v1/keys", &wide).await;
    answer.is_error(400, "m_g_p_1");
    assert!(
        answer.body.contains("write the IPv4 network"),
        "{}",
        answer.body
    );
}

#[actix_web::test]
async fn context_is_registered_for_a_key_changed_and_archived() {
    let console = Console::new().await;
    let context_request = json!({"key_id": console.app.key.id.to_string(), "title": "spring"});
    let context = data(&console.post("/admin/v1/contexts", &context_request).await);
    let id = context["context_id"].as_str().unwrap().to_owned();
    assert!(id.starts_with("spring."));
    assert_eq!(
        (
            &context["settings"]["min_confidence"],
            &context["archived_at"]
        ),
        (&json!(90), &json!(null))
    );
    let path = format!("/admin/v1/contexts/{id}");
    assert_eq!(data(&console.get(&path).await), context);
    let change = json!({"mode": "observe", "min_confidence": 75, "origins": ["https://quest.example"], "archived": true});
    let changed_context = data(&console.patch(&path, &change).await);
    assert_eq!(
        (
            &changed_context["settings"]["mode"],
            &changed_context["settings"]["min_confidence"]
        ),
        (&json!("observe"), &json!(75))
    );
    assert_eq!(changed_context["archived_at"], "2026-11-21T10:00:00Z");
    assert_eq!(
        data(&console.patch(&path, &json!({"archived": false})).await)["archived_at"],
        json!(null)
    );
    for body in [
        json!({}),
        json!({"min_confidence": 49}),
        json!({"press_count": 3}),
        json!({"mood": 1}),
    ] {
        console.patch(&path, &body).await.is_error(400, "m_g_p_1");
    }
    assert_eq!(
        data(&console.get("/admin/v1/contexts?client=acme").await)
            .as_array()
            .unwrap()
            .len(),
        1
    );
    console
        .get("/admin/v1/contexts?client=missing-client")
        .await
        .is_error(404, "m_g_n_1");
    console
        .get("/admin/v1/contexts/spring.01k0ab3cdefghjkmnpqrstvwxy")
        .await
        .is_error(404, "m_g_n_1");
    let invalid_request = json!({"key_id": console.app.key.id.to_string(), "title": "a b"});
    console
        .post("/admin/v1/contexts", &invalid_request)
        .await
        .is_error(400, "m_g_p_1");
}

#[actix_web::test]
async fn rotation_reactivates_a_revoked_key() {
    let console = Console::new().await;
    let id = console.app.key.id;
    let context = console.app.context().await;
    data(
        &console
            .post(&format!("/admin/v1/keys/{id}/revoke"), &json!({}))
            .await,
    );
    let rotation = data(
        &console
            .post(
                &format!("/admin/v1/keys/{id}/rotate"),
                &json!({"overlap_seconds": 0}),
            )
            .await,
    );
    let answer = console
        .app
        .send(look_up(
            rotation["key"].as_str().unwrap(),
            &context,
            ADDRESS,
        ))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}
