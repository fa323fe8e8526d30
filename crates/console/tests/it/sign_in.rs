//! Links, sessions and the sign-out.

use crate::common::TestConsole;
use actix_web::http::StatusCode;
use std::collections::BTreeMap;
use std::time::Duration;
use voight_domain::registry::Role;

async fn first_path(console: &TestConsole) -> String {
    let invited_user = console.services.users.first_link().await.unwrap().unwrap();
    format!("/console/sign-in/{}", invited_user.link.expose().as_str())
}

#[actix_web::test]
async fn first_link_signs_its_owner_in_once() {
    let console = TestConsole::new();
    let path = first_path(&console).await;
    let visitor = console.visitor();
    for _ in 0..2 {
        let page = visitor.get(&path).await;
        assert_eq!(
            page.status,
            StatusCode::OK,
            "a preview does not use the link"
        );
        assert!(page.body.contains("Set up your access"), "{}", page.body);
    }
    let name = BTreeMap::from([("name", "Mara Lind")]);
    let answer = visitor.post_form(&path, &name).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/console")
    );
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("__Host-voight-console=vus_"), "{cookie}");
    for attribute in ["; Path=/", "; Secure", "; HttpOnly", "; SameSite=Strict"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    let repeated_answer = visitor.post_form(&path, &name).await;
    assert_eq!(repeated_answer.status, StatusCode::GONE);
    assert_eq!(visitor.get(&path).await.status, StatusCode::GONE);
    assert_eq!(
        console
            .services
            .users
            .first_link()
            .await
            .unwrap()
            .map(|_| ()),
        None
    );
    let log = console.audit_log().await;
    assert!(log.last().unwrap().contains("Mara Lind"), "{log:?}");
}

#[actix_web::test]
async fn expired_and_guessed_links_are_rejected_alike() {
    let console = TestConsole::new();
    let path = first_path(&console).await;
    let visitor = console.visitor();
    console.wait(Duration::from_mins(15));
    let expired_answer = visitor.get(&path).await;
    assert_eq!(expired_answer.status, StatusCode::GONE);
    let last = path.len() - 1;
    let guesses = [
        format!("{}{}", &path[..last], if path.ends_with('A') { 'B' } else { 'A' }),
        path[..last].to_owned(),
        "/console/sign-in/vul_".to_owned(),
        "/console/sign-in/vul_01m8npdh361gmm95cv6vbh7sdm.fhOq8Il5k-FSjjseapOvK2I2FGJkBzjPZFtS0m0Ug3I".to_owned(),
        "/console/sign-in/%3Cscript%3E".to_owned(),
    ];
    for guess in guesses {
        let answer = visitor.get(&guess).await;
        assert_eq!(answer.status, StatusCode::GONE, "{guess}");
        assert_eq!(answer.body, expired_answer.body, "{guess}");
    }
}

#[actix_web::test]
async fn invalid_name_of_the_first_owner_keeps_the_link() {
    let console = TestConsole::new();
    let path = first_path(&console).await;
    let visitor = console.visitor();
    let answer = visitor
        .post_form(&path, &BTreeMap::from([("name", "\u{7}")]))
        .await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.body.contains("aria-invalid"), "{}", answer.body);
    let answer = visitor
        .post_form(&path, &BTreeMap::from([("name", "Mara")]))
        .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}

#[actix_web::test]
async fn session_ends_when_it_is_idle() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    console.wait(Duration::from_hours(11));
    assert_eq!(owner.get("/console").await.status, StatusCode::OK);
    console.wait(Duration::from_hours(11));
    assert_eq!(owner.get("/console").await.status, StatusCode::OK);
    console.wait(Duration::from_hours(12));
    let answer = owner.get("/console/clients").await;
    assert_eq!(answer.location(), "/console/sign-in?next=/console/clients");
}

#[actix_web::test]
async fn sign_out_ends_the_session_at_the_server() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let answer = owner.post("/console/sign-out", &[]).await;
    assert_eq!(answer.location(), "/console/sign-in");
    assert!(answer.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(owner.get("/console").await.status, StatusCode::SEE_OTHER);
}

#[actix_web::test]
async fn removed_user_is_signed_out_at_once() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let analyst = console.sign_in("Ines", Role::Analyst).await;
    assert_eq!(analyst.get("/console/audit").await.status, StatusCode::OK);
    let answer = owner.post("/console/people/Ines/remove", &[]).await;
    assert_eq!(answer.location(), "/console/people?done=user_removed");
    assert_eq!(
        analyst.get("/console/audit").await.status,
        StatusCode::SEE_OTHER
    );
}
