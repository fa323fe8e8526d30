//! Scopes of API keys: every operation of the public API is open to the scope of its row, and to no other.

use crate::common::App;
use actix_web::test::TestRequest;
use voight_api::public::routes::{PUBLIC_ROUTES, PublicRoute};
use voight_domain::vocabulary::{Environment, Scope};

fn request(route: &PublicRoute) -> TestRequest {
    let path = route
        .path
        .replace("{context_id}", "nothing")
        .replace("{id}", "nothing");
    let request = TestRequest::with_uri(&path).method(route.method.as_str().parse().unwrap());
    request
        .insert_header(("content-type", "application/json"))
        .set_payload("{}")
}

#[actix_web::test]
async fn every_operation_is_open_to_its_scope_and_no_other() {
    for route in PUBLIC_ROUTES {
        let app = App::new().await;
        let anonymous = app.send(request(route)).await;
        let Some(needed) = route.scope else {
            assert_eq!(anonymous.status, 200, "{}: {}", route.path, anonymous.body);
            continue;
        };
        anonymous.is_error(401, "m_a_k_1");
        for scope in Scope::ALL {
            let key = app.issue(Environment::Live, &[scope], &[]).await;
            let answer = app
                .send(request(route).insert_header(("x-api-key", key.secret.expose())))
                .await;
            if scope == needed {
                assert!(
                    !["m_a_k_1", "m_a_s_1"]
                        .iter()
                        .any(|id| answer.body.contains(id)),
                    "{}",
                    answer.body
                );
            } else {
                answer.is_error(403, "m_a_s_1");
            }
        }
    }
}
