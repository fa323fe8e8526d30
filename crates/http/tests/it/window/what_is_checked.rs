//! Page about the data that a check evaluates.

use crate::common::Answer;
use crate::window::service::Service;
use actix_web::test::TestRequest;
use voight_domain::Environment;
use voight_domain::check::Member;
use voight_domain::registry::{Actor, ContextChange};
use voight_http::HttpSettings;

const PATH: &str = "/window/v1/what-is-checked";

async fn show(service: &Service, query: &str) -> Answer {
    service
        .app
        .send(TestRequest::get().uri(&format!("{PATH}{query}")))
        .await
}

/// Collects all members recursively.
fn all<'a>(members: &'a [Member], found: &mut Vec<&'a Member>) {
    for member in members {
        found.push(member);
        all(member.members, found);
    }
}

#[actix_web::test]
async fn page_documents_every_member_of_evidence() {
    let service = Service::new().await;
    let answer = show(&service, "").await;
    let mut members = Vec::new();
    for section in service.app.state.services.checks.disclose() {
        all(section.members, &mut members);
    }
    assert!(members.len() > 150, "{}", members.len());
    let (page, list) = answer.body.split_once("<details>").unwrap();
    for Member { name, about, .. } in &members {
        assert!(
            list.contains(&format!("<li>{}", about.replace('\'', "&#39;"))),
            "{name}: {about}"
        );
    }
    for header in ["user-agent", "accept-language", "sec-fetch-site"] {
        assert!(list.contains(header), "{header}");
    }
    let words: Vec<_> = page.split(|c: char| !c.is_alphanumeric()).collect();
    for internal in members
        .iter()
        .map(|member| member.name)
        .filter(|name| name.chars().any(char::is_uppercase))
    {
        assert!(
            !words.contains(&internal),
            "the page names the member {internal}"
        );
    }
    assert!(!answer.body.contains("<dt>env</dt>") && !answer.body.contains("{{"));
}

#[actix_web::test]
async fn page_is_in_the_language_of_the_window() {
    let service = Service::new().await;
    for (query, accepted, lang, title) in [
        (
            "?locale=de",
            "fr",
            r#"lang="de" dir="ltr""#,
            "<h1>Was geprüft wird</h1>",
        ),
        (
            "?locale=pt-PT",
            "",
            r#"lang="pt-BR""#,
            "<h1>O que é verificado</h1>",
        ),
        (
            "",
            "tlh, ar-EG;q=0.9",
            r#"lang="ar" dir="rtl""#,
            "<h1>ما الذي يُفحص</h1>",
        ),
        (
            "?locale=tlh",
            "",
            r#"lang="en""#,
            "<h1>What is checked</h1>",
        ),
    ] {
        let request = TestRequest::get()
            .uri(&format!("{PATH}{query}"))
            .insert_header(("accept-language", accepted));
        let page = service.app.send(request).await.body;
        assert!(
            page.contains(lang) && page.contains(title),
            "{query} {accepted}: {page}"
        );
    }
}

#[actix_web::test]
async fn configured_operator_is_named() {
    let page = show(&Service::new().await, "").await.body;
    assert!(
        page.contains("Ask the people behind the page") && !page.contains("operated by"),
        "{page}"
    );
    let service = Service::with_settings(HttpSettings {
        operator_name: Some("Quest & Sons".to_owned()),
        operator_contact: Some("privacy@quest.example".to_owned()),
        ..HttpSettings::default()
    });
    let page = show(&service.await, "").await.body;
    assert!(
        page.contains("operated by: <strong>Quest &#38; Sons</strong>"),
        "{page}"
    );
    assert!(
        page.contains("erasure: <strong>privacy@quest.example</strong>"),
        "{page}"
    );
    assert!(!page.contains("Ask the people behind the page"), "{page}");
}

#[actix_web::test]
async fn any_origin_can_frame_the_page_without_scripts() {
    let service = Service::new().await;
    let answer = show(&service, "?theme=dark").await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("text/html; charset=utf-8"))
    );
    let policy = answer.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; ") && policy.ends_with("frame-ancestors *"),
        "{policy}"
    );
    assert!(answer.body.contains(r#"data-theme="dark""#));
    for absent in ["<script", "style=", "<style", " on", "set-cookie"] {
        assert!(
            !answer
                .body
                .split('<')
                .any(|tag| format!("<{}", tag.split('>').next().unwrap()).contains(absent))
        );
    }
    assert_eq!(answer.header("set-cookie"), None);
    let style = show(&service, ".css").await;
    assert_eq!(
        (style.status, style.header("content-type")),
        (200, Some("text/css; charset=utf-8"))
    );
    assert!(answer.body.contains(&format!("href=\"{PATH}.css\"")));
}

#[actix_web::test]
async fn evidence_retention_is_shown() {
    let service = Service::with_settings(HttpSettings {
        evidence_retention_days: 20,
        ..HttpSettings::default()
    })
    .await;
    let retention_text = |days: u16| {
        format!(
            "Days until the evidence is deleted (sooner if space runs out): <strong>{days}</strong>"
        )
    };
    assert!(show(&service, "").await.body.contains(&retention_text(20)));
    for (days, told) in [(30, 20), (20, 20), (7, 7), (1, 1)] {
        let change = ContextChange {
            retention_days: Some(days),
            ..ContextChange::default()
        };
        let id = service.context.parse().unwrap();
        service
            .app
            .state
            .services
            .registry
            .change_context(&id, change, Actor::Operator, String::new())
            .await
            .unwrap();
        let answer = show(&service, &format!("?context={}", service.context)).await;
        assert!(answer.body.contains(&retention_text(told)), "{days} days");
    }
}

#[actix_web::test]
async fn sandbox_states_that_nothing_is_stored() {
    let mut service = Service::new().await;
    let sandbox_key = service
        .app
        .issue(Environment::Sandbox, &voight_domain::Scope::ALL, &[])
        .await;
    service.app.secret = sandbox_key.secret.expose().to_owned();
    let context = service.app.context().await;
    assert!(
        show(&service, &format!("?context={context}"))
            .await
            .body
            .contains("nothing of the evidence is kept.")
    );
}

#[actix_web::test]
async fn requested_evidence_is_required() {
    let service = Service::new().await;
    for context in ["quest.01k0ab3cdefghjkmnpqrstvwxy", "no-context", ""] {
        show(&service, &format!("?context={context}"))
            .await
            .is_error(404, "m_g_n_1");
    }
    for query in ["?theme=red", "?color=red", "?theme=dark&theme=dark"] {
        show(&service, query).await.is_error(400, "m_g_p_1");
    }
    service
        .app
        .send(TestRequest::post().uri(PATH))
        .await
        .is_error(405, "m_g_m_1");
}
