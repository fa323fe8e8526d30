//! Document of the window and its stub.

use crate::common::{Answer, App};
use actix_web::test::TestRequest;
use voight_domain::registry::ClientChange;
use voight_domain::vocabulary::Environment;

const ORIGIN: &str = "https://quest.example";

async fn show(app: &App, context: &str, origin: &str) -> Answer {
    let uri = format!(
        "/window/v1?context={context}&origin={}",
        origin.replace(':', "%3A").replace('/', "%2F")
    );
    app.send(TestRequest::get().uri(&uri)).await
}

fn framed_by(answer: &Answer) -> &str {
    answer
        .header("content-security-policy")
        .unwrap()
        .split("frame-ancestors ")
        .nth(1)
        .unwrap()
}

#[actix_web::test]
async fn only_its_origin_may_frame_the_document() {
    let app = App::new().await;
    let context = app.context().await;
    let answer = show(&app, &context, ORIGIN).await;
    assert_eq!((answer.status, framed_by(&answer)), (200, ORIGIN));
    assert!(
        answer.body.contains(r#"data-status="ok""#) && answer.body.contains("/window/v1/window.js")
    );
    assert!(answer.body.contains(r#"data-test="false""#));
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.starts_with(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script';"
    ));
    for (name, value) in [
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("origin-agent-cluster", "?1"),
        ("cross-origin-embedder-policy", "require-corp"),
        ("cross-origin-resource-policy", "cross-origin"),
        ("content-type", "text/html; charset=utf-8"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}");
    }
    assert!(
        answer
            .header("permissions-policy")
            .unwrap()
            .contains("camera=()")
    );
}

#[actix_web::test]
async fn rejected_page_shows_the_reason() {
    let app = App::new().await;
    let context = app.context().await;
    let origins = ClientChange::Origins(vec!["https://pinned.example".parse().unwrap()]);
    app.state
        .services
        .registry
        .change_client(app.client.id, origins)
        .await
        .unwrap();
    let archived_context = app.context().await;
    let id = archived_context.parse().unwrap();
    let operator = voight_domain::registry::Actor::Operator;
    app.state
        .services
        .registry
        .archive_context(&id, operator)
        .await
        .unwrap();
    for (context, origin, status) in [
        (context.as_str(), ORIGIN, "origin_not_allowed"),
        (&context, "null", "origin_not_allowed"),
        (
            &archived_context,
            "https://pinned.example",
            "context_closed",
        ),
        (
            "quest.01k0ab3cdefghjkmnpqrstvwxy",
            ORIGIN,
            "context_unknown",
        ),
        ("\"><script>", ORIGIN, "context_unknown"),
    ] {
        let answer = show(&app, &context.replace(['"', '<', '>'], "%22"), origin).await;
        assert_eq!((answer.status, framed_by(&answer)), (200, "*"), "{status}");
        assert!(
            answer.body.contains(&format!(r#"data-status="{status}""#)),
            "{status}: {}",
            answer.body
        );
        let reference = answer.header("x-request-id").unwrap();
        assert!(
            answer
                .body
                .contains(&format!(r#"data-reference="{reference}""#)),
            "{reference}: {}",
            answer.body
        );
        assert!(
            !answer.body.contains("/window/v1/window.js"),
            "a stub loads no code that collects"
        );
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    }
    assert_eq!(
        framed_by(&show(&app, &context, "https://pinned.example").await),
        "https://pinned.example"
    );
}

#[actix_web::test]
async fn outer_origins_must_be_registered() {
    let app = App::new().await;
    let context = app.context().await;
    let portal = "https://portal.example";
    let stranger = "https://stranger.example";
    let within = |above: String| format!("{ORIGIN}&within={above}");
    let page = show(&app, &context, &within(portal.into())).await;
    assert!(
        page.body.contains(r#"data-status="origin_not_allowed""#),
        "nothing is registered yet"
    );

    let origins = ClientChange::Origins(vec![ORIGIN.parse().unwrap(), portal.parse().unwrap()]);
    app.state
        .services
        .registry
        .change_client(app.client.id, origins)
        .await
        .unwrap();
    let answer = show(&app, &context, &within(format!("{portal},{ORIGIN}"))).await;
    assert_eq!(framed_by(&answer), format!("{ORIGIN} {portal} {ORIGIN}"));
    assert!(
        answer.body.contains(&format!(r#"data-origin="{ORIGIN}""#)),
        "the page's own origin is the one that counts"
    );
    for above in [
        stranger.to_owned(),
        format!("{portal},{stranger}"),
        "null".into(),
        "*".into(),
    ] {
        let answer = show(&app, &context, &within(above)).await;
        assert_eq!(framed_by(&answer), "*");
        assert!(answer.body.contains(r#"data-status="origin_not_allowed""#));
    }
}

#[actix_web::test]
async fn sandbox_context_is_marked() {
    let mut app = App::new().await;
    let sandbox_key = app
        .issue(Environment::Sandbox, &voight_domain::Scope::ALL, &[])
        .await;
    app.secret = sandbox_key.secret.expose().to_owned();
    let context = app.context().await;
    assert!(
        show(&app, &context, ORIGIN)
            .await
            .body
            .contains(r#"data-test="true""#)
    );
}

#[actix_web::test]
async fn document_needs_both_parameters_once() {
    let app = App::new().await;
    for query in [
        "",
        "?context=a",
        "?origin=b",
        "?context=a&origin=b&x=1",
        "?context=a&context=a&origin=b",
    ] {
        app.send(TestRequest::get().uri(&format!("/window/v1{query}")))
            .await
            .is_error(400, "m_g_p_1");
    }
}

/// Returns the document's language for the preferences of the page and the browser.
async fn language(app: &App, context: &str, locale: &str, accepted: &str) -> String {
    let uri = format!("/window/v1?context={context}&origin={ORIGIN}{locale}");
    let answer = app
        .send(
            TestRequest::get()
                .uri(&uri)
                .insert_header(("accept-language", accepted)),
        )
        .await;
    let tag = answer
        .body
        .split("<html lang=\"")
        .nth(1)
        .and_then(|tail| tail.split('"').next())
        .unwrap()
        .to_owned();
    let loaded_files: Vec<_> = answer
        .body
        .split("/window/v1/locales/")
        .skip(1)
        .map(|tail| tail.split('"').next())
        .collect();
    let file = format!("{tag}.js");
    let expected_files = if tag == "en" {
        vec![]
    } else {
        vec![Some(file.as_str())]
    };
    assert_eq!(
        loaded_files, expected_files,
        "English is part of the window, another language is a file"
    );
    tag
}

#[actix_web::test]
async fn browser_chooses_the_language() {
    let app = App::new().await;
    let context = app.context().await;
    for (accepted, expected) in [
        ("", "en"),
        ("tlh", "en"),
        ("tlh-US, en-GB;q=0.5, de;q=0.4", "en"),
        ("en;q=0.5, de", "de"),
        ("pt-PT", "pt-BR"),
        ("zh-TW, ja;q=0.9", "ja"),
        ("../../x", "en"),
        ("*", "en"),
    ] {
        assert_eq!(
            language(&app, &context, "", accepted).await,
            expected,
            "{accepted}"
        );
    }
}

#[actix_web::test]
async fn page_chooses_the_language_before_the_browser() {
    let app = App::new().await;
    let context = app.context().await;
    for (locale, expected) in [
        ("ar", "ar"),
        ("zh", "zh-CN"),
        ("tlh", "fr"),
        ("", "fr"),
        ("%22%3E", "fr"),
    ] {
        let locale = format!("&locale={locale}");
        assert_eq!(
            language(&app, &context, &locale, "fr-CA, en").await,
            expected,
            "{locale}"
        );
    }
}
