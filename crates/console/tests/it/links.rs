//! Links of the pages.

use crate::common::TestConsole;
use actix_web::http::StatusCode;
use std::collections::BTreeSet;
use voight_domain::registry::Role;

#[actix_web::test]
async fn no_link_of_a_page_is_dead() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    owner
        .post("/console/clients/new", &[("name", "acme")])
        .await;
    let quest = [("client", "acme"), ("title", "spring"), ("mode", "enforce")];
    let answer = owner.post("/console/protect", &quest).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    let mut known_paths: BTreeSet<_> = ["/console".to_owned()].into();
    let mut open_paths: Vec<_> = known_paths.iter().cloned().collect();
    while let Some(path) = open_paths.pop() {
        let answer = owner.get(&path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        for link in answer.body.split("href=\"").skip(1) {
            let link = link.split(['"', '#']).next().unwrap().replace("&amp;", "&");
            if link.starts_with('/') && known_paths.insert(link.clone()) {
                open_paths.push(link);
            }
        }
    }
    assert!(known_paths.len() > 12, "{known_paths:?}");
}
