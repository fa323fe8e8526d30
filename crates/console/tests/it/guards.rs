//! Guards of every request: host, source of a form, session, role and fresh proof.

use crate::common::{HOST, TestConsole};
use actix_web::http::{Method, StatusCode, header};
use std::collections::BTreeMap;
use std::time::Duration;
use voight_domain::registry::Role;

const PAGES: [&str; 10] = [
    "/console",
    "/console/protect",
    "/console/contexts",
    "/console/verdicts",
    "/console/clients",
    "/console/usage",
    "/console/system",
    "/console/audit",
    "/console/people",
    "/console/search?q=x",
];

#[actix_web::test]
async fn pages_require_a_session() {
    let console = TestConsole::new();
    let visitor = console.visitor();
    let mut strangers = vec![visitor];
    for cookie in [
        "__Host-voight-console=",
        "__Host-voight-console=vus_x.y",
        "a; b=c; =",
    ] {
        let mut stranger = console.visitor();
        cookie.clone_into(&mut stranger.cookie);
        strangers.push(stranger);
    }
    for stranger in &strangers {
        for path in PAGES {
            let answer = stranger.get(path).await;
            assert_eq!(answer.status, StatusCode::SEE_OTHER, "{path}");
            assert!(answer.location().starts_with("/console/sign-in"), "{path}");
        }
    }
}

#[actix_web::test]
async fn every_response_has_the_security_headers() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    for path in [
        "/console",
        "/console/sign-in",
        "/console/nothing",
        "/console/assets/console.css",
    ] {
        let answer = owner.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; style-src 'self'"),
            "{path}: {policy}"
        );
        assert!(
            !policy.contains("unsafe") && !policy.contains("script-src"),
            "{path}: {policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{path}");
        assert!(
            !answer.body.contains("<script>")
                && !answer.body.contains(" style=")
                && !answer.body.contains("<style"),
            "{path}"
        );
    }
    assert_eq!(
        owner.get("/console").await.header("cache-control"),
        "no-store"
    );
}

#[actix_web::test]
async fn foreign_hosts_are_rejected() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    for host in ["evil.example", "127.0.0.1:8080", "127.0.0.1"] {
        let request = owner
            .request(Method::GET, "/console")
            .insert_header((header::HOST, host));
        let answer = console.send(request).await;
        assert_eq!(answer.status, StatusCode::MISDIRECTED_REQUEST, "{host}");
        assert!(answer.body.contains(HOST), "{}", answer.body);
    }
}

#[actix_web::test]
async fn forms_of_other_sites_change_nothing() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let token = owner.get("/console").await.token();
    let entries = console.audit_log().await.len();
    for headers in [
        &[][..],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("sec-fetch-site", "cross-site")],
        &[
            ("sec-fetch-site", "same-site"),
            ("origin", "http://127.0.0.1:8080"),
        ],
    ] {
        let mut request = owner
            .request(Method::POST, "/console/clients/new")
            .set_form(BTreeMap::from([
                ("name", "acme"),
                ("token", token.as_str()),
            ]));
        for &(name, value) in headers {
            request = request.insert_header((name, value));
        }
        let answer = console.send(request).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{headers:?}");
    }
    assert_eq!(console.audit_log().await.len(), entries);
}

#[actix_web::test]
async fn forms_of_other_sessions_change_nothing() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let other_owner = console.sign_in("Lea", Role::Owner).await;
    let other_token = other_owner.get("/console").await.token();
    for token in ["", "x", other_token.as_str()] {
        let fields = BTreeMap::from([("name", "acme"), ("token", token)]);
        let answer = owner.post_form("/console/clients/new", &fields).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{token:?}");
    }
    let answer = owner
        .post_form("/console/clients/new", &BTreeMap::new())
        .await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert_eq!(console.services.registry.all_clients().await.unwrap(), []);
}

#[actix_web::test]
async fn roles_open_their_pages_only() {
    let console = TestConsole::new();
    let closed_pages = [
        (Role::Owner, &[][..]),
        (Role::Operator, &["/console/people"]),
        (Role::Analyst, &["/console/people", "/console/protect"]),
        (
            Role::Billing,
            &[
                "/console/protect",
                "/console/contexts",
                "/console/verdicts",
                "/console/audit",
                "/console/people",
            ],
        ),
    ];
    for (role, closed) in closed_pages {
        let user = console.sign_in(role.as_str(), role).await;
        let overview = user.get("/console").await;
        for path in PAGES {
            let answer = user.get(path).await;
            let expected_status = if closed.contains(&path) {
                StatusCode::FORBIDDEN
            } else {
                StatusCode::OK
            };
            assert_eq!(answer.status, expected_status, "{role} {path}");
            let link = format!("href=\"{path}\"");
            assert!(
                !closed.contains(&path) || !overview.body.contains(&link),
                "{role} {path}"
            );
        }
    }
}

#[actix_web::test]
async fn analyst_changes_nothing() {
    let console = TestConsole::new();
    let analyst = console.sign_in("Ines", Role::Analyst).await;
    for path in [
        "/console/clients/new",
        "/console/clients/acme/keys",
        "/console/clients/acme/status",
        "/console/contexts/a.01m8npe88dcw0j4j4p0pjvcz0r/settings",
        "/console/people/invite",
        "/console/protect",
    ] {
        let answer = analyst
            .post(path, &[("name", "acme"), ("status", "active")])
            .await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
    }
}

#[actix_web::test]
async fn sensitive_changes_need_a_fresh_proof() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let invitation = [("name", "Lea"), ("role", "owner")];
    console.wait(Duration::from_mins(5));
    let answer = owner.post("/console/people/invite", &invitation).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert!(
        answer.body.contains("voight user invite"),
        "{}",
        answer.body
    );
    assert_eq!(console.services.users.list().await.unwrap().len(), 1);
    let answer = owner
        .post("/console/clients/new", &[("name", "acme")])
        .await;
    assert_eq!(
        answer.status,
        StatusCode::SEE_OTHER,
        "other changes need none"
    );
}

#[actix_web::test]
async fn large_forms_are_rejected() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let name = "x".repeat(100 * 1024);
    let answer = owner.post("/console/clients/new", &[("name", &name)]).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
}
