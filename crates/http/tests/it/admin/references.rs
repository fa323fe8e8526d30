//! References: a prefix of an id and `client/title` identify a client, a key, a context or a token wherever an id does.

use crate::admin::console::{Console, data};
use serde_json::{Value, json};

/// Returns this member of each entry of a list.
fn ids(list: &Value, member: &str) -> Vec<String> {
    let entries = list.as_array().unwrap().iter();
    entries
        .map(|entry| entry[member].as_str().unwrap().to_owned())
        .collect()
}

/// Returns the shortest prefix of `id` with at least four characters that no other id has.
fn unique<'a>(id: &'a str, all: &[String]) -> &'a str {
    let is_unique = |length: &usize| {
        all.iter()
            .filter(|candidate| candidate.starts_with(&id[..*length]))
            .count()
            == 1
    };
    &id[..(4..=id.len()).find(is_unique).unwrap()]
}

/// Creates a console with two clients, three keys and three contexts.
async fn filled() -> Console {
    let console = Console::new().await;
    console
        .post("/admin/v1/clients", &json!({"name": "Other / Co"}))
        .await;
    for client in ["acme", "Other / Co"] {
        let key = data(
            &console
                .post("/admin/v1/keys", &json!({"client": client}))
                .await,
        );
        for title in ["spring", "autumn"] {
            let body = json!({"key_id": key["key_id"], "title": title});
            assert_eq!(console.post("/admin/v1/contexts", &body).await.status, 200);
        }
    }
    console
}

#[actix_web::test]
async fn unique_id_prefix_is_accepted() {
    let console = filled().await;
    let clients = ids(&data(&console.get("/admin/v1/clients").await), "client_id");
    let keys = ids(&data(&console.get("/admin/v1/keys").await), "key_id");
    let contexts = ids(
        &data(&console.get("/admin/v1/contexts").await),
        "context_id",
    );
    let token = data(
        &console
            .post(
                "/admin/v1/tokens",
                &json!({"name": "ci", "role": "analyst"}),
            )
            .await,
    );
    for id in &clients {
        let client = data(
            &console
                .get(&format!("/admin/v1/clients/{}", unique(id, &clients)))
                .await,
        );
        assert_eq!(client["client_id"], id.as_str());
    }
    let address = format!("0x{}", "1".repeat(40));
    for id in &contexts {
        let context = unique(id, &contexts);
        assert!(
            context.len() < id.len(),
            "{context} is no shorter than {id}"
        );
        assert_eq!(
            data(&console.get(&format!("/admin/v1/contexts/{context}")).await)["context_id"],
            id.as_str()
        );
        for path in ["verdicts", "labels", &format!("verdicts/{address}")] {
            assert_eq!(
                console
                    .get(&format!("/admin/v1/contexts/{context}/{path}"))
                    .await
                    .status,
                200,
                "{path}"
            );
        }
        assert_eq!(
            console
                .get(&format!("/admin/v1/calibration?context={context}"))
                .await
                .status,
            200
        );
    }
    let key = unique(&keys[0], &keys);
    assert_eq!(
        data(&console.get(&format!("/admin/v1/keys/{key}/contexts")).await)["key_id"],
        keys[0].as_str()
    );
    assert_eq!(
        console
            .get(&format!("/admin/v1/contexts?key={key}"))
            .await
            .status,
        200
    );
    let rotation = data(
        &console
            .post(&format!("/admin/v1/keys/{key}/rotate"), &json!({}))
            .await,
    );
    assert_eq!(rotation["key_id"], keys[0].as_str());
    let revocation = console
        .post(&format!("/admin/v1/keys/{key}/revoke"), &json!({}))
        .await;
    assert_eq!(data(&revocation)["key_id"], keys[0].as_str());
    let path = format!(
        "/admin/v1/tokens/{}/revoke",
        &token["id"].as_str().unwrap()[..8]
    );
    assert_eq!(data(&console.post(&path, &json!({})).await)["name"], "ci");
}

#[actix_web::test]
async fn ambiguous_and_short_prefixes_are_rejected_with_their_candidates() {
    let console = filled().await;
    let keys = ids(&data(&console.get("/admin/v1/keys").await), "key_id");
    for (prefix, hint) in [
        (&keys[0][..4], "is ambiguous"),
        (&keys[0][..2], "at least 4 characters"),
    ] {
        let answer = console
            .post(&format!("/admin/v1/keys/{prefix}/revoke"), &json!({}))
            .await;
        answer.is_error(400, "m_g_p_1");
        assert!(
            answer.body.contains(hint) && keys.iter().all(|key| answer.body.contains(key)),
            "{}",
            answer.body
        );
    }
    for path in ["clients/zzzz", "keys/zzzz/contexts", "contexts/zzzz"] {
        let answer = console.get(&format!("/admin/v1/{path}")).await;
        answer.is_error(404, "m_g_n_1");
        assert!(answer.body.contains("zzzz"), "{}", answer.body);
    }
    let key_list = data(&console.get("/admin/v1/keys").await);
    assert!(
        key_list
            .as_array()
            .unwrap()
            .iter()
            .all(|key| key["revoked_at"].is_null()),
        "{key_list}"
    );
}

#[actix_web::test]
async fn client_and_title_name_a_context() {
    let console = filled().await;
    let contexts = data(&console.get("/admin/v1/contexts?client=acme").await);
    for context in contexts.as_array().unwrap() {
        let path = format!(
            "/admin/v1/contexts/acme%2F{}",
            context["title"].as_str().unwrap()
        );
        assert_eq!(&data(&console.get(&path).await), context);
    }
    let other_context = data(
        &console
            .get("/admin/v1/contexts/Other%20%2F%20Co%2Fspring")
            .await,
    );
    assert_eq!(other_context["title"], "spring");
    let first = contexts[0].clone();
    let body = json!({"key_id": first["key_id"], "title": first["title"]});
    let second = data(&console.post("/admin/v1/contexts", &body).await);
    let path = format!(
        "/admin/v1/contexts/acme%2F{}",
        first["title"].as_str().unwrap()
    );
    let ambiguous = console.get(&path).await;
    ambiguous.is_error(400, "m_g_p_1");
    for context in [&first, &second] {
        assert!(
            ambiguous
                .body
                .contains(context["context_id"].as_str().unwrap()),
            "{}",
            ambiguous.body
        );
    }
    let archive = format!(
        "/admin/v1/contexts/{}",
        first["context_id"].as_str().unwrap()
    );
    assert_eq!(
        console
            .patch(&archive, &json!({"archived": true}))
            .await
            .status,
        200
    );
    assert_eq!(
        data(&console.get(&path).await)["context_id"],
        second["context_id"],
        "the open one wins"
    );
    console
        .get("/admin/v1/contexts/acme%2Fwinter")
        .await
        .is_error(404, "m_g_n_1");
}

#[actix_web::test]
async fn client_is_shown_with_its_limits_and_its_balance() {
    let console = filled().await;
    let client = data(&console.get("/admin/v1/clients/acme").await);
    assert_eq!(
        client["limits"],
        json!({"cap": null, "money_cap": null, "budget": null})
    );
    assert_eq!(
        client["balance"],
        json!([{"minor": 0, "currency": "USD", "formatted": "0.00"}])
    );
    let limits = json!({"cap": 5000, "budget": "20.00"});
    assert_eq!(
        console
            .patch("/admin/v1/clients/acme/limits", &limits)
            .await
            .status,
        200
    );
    let credit = json!({"kind": "credit", "amount": "1.50", "reason": "an outage"});
    assert_eq!(
        console
            .post("/admin/v1/clients/acme/adjustments", &credit)
            .await
            .status,
        200
    );
    let client = data(&console.get("/admin/v1/clients/acme").await);
    assert_eq!(
        (
            &client["limits"]["cap"],
            &client["limits"]["budget"]["formatted"]
        ),
        (&json!(5000), &json!("20.00"))
    );
    assert_eq!(client["balance"][0]["formatted"], "-1.50");
}

#[actix_web::test]
async fn last_use_of_a_key_is_listed_at_once() {
    let console = Console::new().await;
    let new_key = data(
        &console
            .post(
                "/admin/v1/keys",
                &json!({"client": "acme", "label": "Claim server"}),
            )
            .await,
    );
    assert_eq!(new_key["label"], "Claim server");
    let rejection = console
        .post("/admin/v1/keys", &json!({"client": "acme", "label": " x"}))
        .await;
    rejection.is_error(400, "m_g_p_1");
    assert!(rejection.body.contains("label"), "{}", rejection.body);
    let listed_keys = async || {
        let keys = data(&console.get("/admin/v1/keys?client=acme").await);
        let keys = keys.as_array().unwrap().clone();
        // The order of ids of the same millisecond is random.
        let (labelled, other) = if keys[0]["label"].is_null() {
            (&keys[1], &keys[0])
        } else {
            (&keys[0], &keys[1])
        };
        [other, labelled].map(|key| (key["label"].clone(), key["last_used_at"].clone()))
    };
    assert_eq!(
        listed_keys().await,
        [
            (json!(null), json!(null)),
            (json!("Claim server"), json!(null))
        ]
    );
    console.app.context().await;
    let first_use = json!("2026-11-21T10:00:00Z");
    assert_eq!(listed_keys().await[0], (json!(null), first_use.clone()));
    let uses = console.app.state.key_uses.take();
    assert_eq!(uses.len(), 1, "a key that was not used is stored");
    console.app.ports.store.store_key_uses(uses).await.unwrap();
    assert_eq!(listed_keys().await[0], (json!(null), first_use));
    assert_eq!(
        data(
            &console
                .post("/admin/v1/keys", &json!({"client": "acme"}))
                .await
        )["label"],
        json!(null)
    );
}
