//! Clients, keys, contexts and users.

use crate::common::{Browser, TestConsole};
use actix_web::http::StatusCode;
use voight_domain::ports::ContextFilter;
use voight_domain::registry::{ContextMode, Role};

async fn create_client(owner: &Browser<'_>, name: &str) -> String {
    let answer = owner.post("/console/clients/new", &[("name", name)]).await;
    let location = answer.location();
    location.split('?').next().unwrap().to_owned()
}

#[actix_web::test]
async fn quest_gets_a_key_and_a_context() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara Lind", Role::Owner).await;
    create_client(&owner, "acme").await;
    let quest = [
        ("client", "acme"),
        ("title", "spring_quest"),
        ("url", "https://quest.example/spring?a=1"),
        ("mode", "observe"),
    ];
    let answer = owner.post("/console/protect", &quest).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.body.matches("vgt_live_").count(), 1);
    let registry = &console.services.registry;
    let contexts = registry.all_contexts(ContextFilter::All).await.unwrap();
    let [context] = contexts.as_slice() else {
        panic!("{contexts:?}");
    };
    assert_eq!(context.id.title(), "spring_quest");
    assert_eq!(context.settings.mode, ContextMode::Observe);
    assert_eq!(
        context.settings.origins[0].as_str(),
        "https://quest.example"
    );
    assert!(answer.body.contains(context.id.as_str()));
    let log = console.audit_log().await;
    let by_user = |line: &&String| line.starts_with("User(UserName(\"Mara Lind\"))");
    assert_eq!(
        log.iter().filter(by_user).count(),
        log.len() - 1,
        "all but the invitation: {log:?}"
    );
}

#[actix_web::test]
async fn wrong_fields_are_explained_and_kept() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    create_client(&owner, "acme").await;
    for (field, value) in [
        ("title", "two words"),
        ("url", "ftp://quest.example"),
        ("mode", "maybe"),
    ] {
        let mut quest = std::collections::BTreeMap::from([
            ("client", "acme"),
            ("title", "kept_title"),
            ("url", "https://kept.example/"),
            ("mode", "enforce"),
        ]);
        quest.insert(field, value);
        let fields: Vec<_> = quest.iter().map(|(name, value)| (*name, *value)).collect();
        let answer = owner.post("/console/protect", &fields).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
        assert!(answer.body.contains("class=\"note no\""), "{field}");
        assert!(answer.body.contains("kept"), "{field}");
    }
    let contexts = console
        .services
        .registry
        .all_contexts(ContextFilter::All)
        .await;
    assert_eq!(contexts.unwrap(), []);
    let answer = owner
        .post("/console/clients/new", &[("name", "acme")])
        .await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.body.contains("already exists"), "{}", answer.body);
}

#[actix_web::test]
async fn key_is_shown_once_and_revoked() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let acme = create_client(&owner, "acme").await;
    let harbor = create_client(&owner, "harbor").await;
    let key = [("label", "backend"), ("environment", "live")];
    let answer = owner.post(&format!("{acme}/keys"), &key).await;
    let (_, rest) = answer.body.split_once("vgt_live_").unwrap();
    let secret = rest.split('<').next().unwrap();
    let page = owner.get(&acme).await;
    assert!(
        page.body.contains("backend") && !page.body.contains(secret),
        "{}",
        page.body
    );
    let client = console.services.registry.find_client("acme").await.unwrap();
    let keys = console.services.registry.keys(client.id).await.unwrap();
    let id = keys[0].id;
    let foreign_answer = owner.post(&format!("{harbor}/keys/{id}/revoke"), &[]).await;
    assert_eq!(foreign_answer.status, StatusCode::NOT_FOUND);
    let answer = owner.post(&format!("{acme}/keys/{id}/revoke"), &[]).await;
    assert!(
        answer.location().ends_with("?done=key_revoked"),
        "{answer:?}"
    );
    let page = owner.get(answer.location()).await;
    assert!(page.body.contains("The key is revoked") && page.body.contains("Revoked"));
}

#[actix_web::test]
async fn last_owner_stays() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let answer = owner
        .post("/console/people/Mara/role", &[("role", "analyst")])
        .await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let answer = owner.post("/console/people/Mara/remove", &[]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(owner.get("/console/people").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn invitation_shows_its_link_once() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let invitation = [("name", "Jonas Weber"), ("role", "billing")];
    let answer = owner.post("/console/people/invite", &invitation).await;
    let (_, rest) = answer.body.split_once("http://127.0.0.1:8081").unwrap();
    let path = rest.split('<').next().unwrap();
    assert!(!owner.get("/console/people").await.body.contains("vul_"));
    let page = console.visitor().get(path).await;
    assert!(page.body.contains("billing"), "{}", page.body);
}

#[actix_web::test]
async fn search_opens_the_only_hit() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let acme = create_client(&owner, "acme").await;
    create_client(&owner, "acme two").await;
    assert_eq!(owner.get("/console/search?q=acme").await.location(), acme);
    let address = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
    let answer = owner.get(&format!("/console/search?q={address}")).await;
    assert_eq!(answer.location(), format!("/console/verdicts?q={address}"));
    let answer = owner.get("/console/search?q=cme").await;
    assert!(answer.body.contains("2 matches"), "{}", answer.body);
    let answer = owner.get("/console/search?q=%3Cscript%3E").await;
    assert!(
        answer.body.contains("No match") && !answer.body.contains("<script"),
        "{}",
        answer.body
    );
}
