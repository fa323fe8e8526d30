//! `voight user`: from an invitation to a removal.

use crate::cli::rejection::assert_rejected;
use std::path::Path;
use voight_tests::command;
use voight_tests::server::Server;

fn life_of_a_user(data_dir: &Path) {
    let invitation = command::json(data_dir, &["user", "invite", "Ada", "--role", "owner"]);
    let path = invitation["path"].as_str().expect("a path");
    assert!(path.starts_with("/console/sign-in/vul_"), "{path}");
    let output = command::run(data_dir, &["user", "invite", "Bob", "--role", "analyst"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("http://127.0.0.1:"), "{text}");
    assert!(text.contains("/console/sign-in/vul_"), "{text}");
    let other_role = command::run(data_dir, &["user", "invite", "bob", "--role", "owner"]);
    assert_rejected(&other_role, 1, &["role analyst", "voight user role"]);
    let bob = command::json(data_dir, &["user", "role", "bob", "--role", "billing"]);
    assert_eq!(bob["role"], "billing");
    let unconfirmed = command::run(data_dir, &["user", "remove", "Bob"]);
    assert_rejected(&unconfirmed, 2, &["nothing was done", "--yes"]);
    let removed_bob = command::json(data_dir, &["user", "remove", "Bob", "--yes"]);
    assert!(removed_bob["removed_at"].is_string(), "{removed_bob}");
    let last_owner = command::run(data_dir, &["user", "remove", "Ada", "--yes"]);
    assert_rejected(&last_owner, 1, &["only owner"]);
    let missing_user = command::run(data_dir, &["user", "remove", "Carol", "--yes"]);
    assert_rejected(&missing_user, 4, &["\"Carol\"", "voight user list"]);
    let users = command::json(data_dir, &["user", "list"]);
    let names = users.as_array().expect("a list").iter();
    let own_names = names.filter(|user| user["name"] == "Ada" || user["name"] == "Bob");
    assert_eq!(own_names.count(), 2);
}

#[test]
fn users_are_managed_by_a_server() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let data_dir = server.data_dir();
    // The first start invites an owner.
    command::json(data_dir, &["user", "invite", "Ada", "--role", "owner"]);
    command::json(data_dir, &["user", "remove", "owner", "--yes"]);
    life_of_a_user(data_dir);
}

#[test]
fn users_are_managed_offline() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    command::init(&data_dir);
    life_of_a_user(&data_dir);
}
