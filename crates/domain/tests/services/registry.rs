//! Clients, keys, contexts.

use crate::bench::{Bench, now, person};
use std::time::Duration;
use voight_domain::Scope;
use voight_domain::registry::{Actor, ClientChange, ClientStatus, ContextChange};
use voight_domain::services::{Denied, IssuedKey, RegistrarError, Registration, RegistrationRequest, Unauthorized};

#[test]
fn a_key_opens_until_it_is_revoked() {
    let bench = Bench::new(person());
    let issued = bench.key(&bench.client("acme"));
    let secret = issued.secret.expose();
    assert_eq!(now(bench.registrar.authenticate(secret)).unwrap().0.key.id, issued.key.id);
    now(bench.registrar.revoke_key(issued.key.id)).unwrap();
    assert_eq!(now(bench.registrar.authenticate(secret)).unwrap_err(), Unauthorized::BadKey);
}

#[test]
fn a_rotated_key_keeps_its_identity_and_its_old_secret_for_the_overlap() {
    let bench = Bench::new(person());
    let issued = bench.key(&bench.client("acme"));
    let renewed = now(bench.registrar.rotate_key(issued.key.id, Duration::from_mins(1))).unwrap();
    assert_eq!(renewed.key.id, issued.key.id);
    assert!(now(bench.registrar.authenticate(issued.secret.expose())).is_ok());
    bench.clock.advance(Duration::from_mins(1));
    assert!(now(bench.registrar.authenticate(issued.secret.expose())).is_err());
    assert!(now(bench.registrar.authenticate(renewed.secret.expose())).is_ok());
}

#[test]
fn a_rotation_refuses_what_makes_no_sense() {
    let bench = Bench::new(person());
    let issued = bench.key(&bench.client("acme"));
    let too_long = now(bench.registrar.rotate_key(issued.key.id, Duration::from_hours(31 * 24)));
    assert!(matches!(too_long, Err(RegistrarError::Invalid(_))));
    now(bench.registrar.revoke_key(issued.key.id)).unwrap();
    let revoked = now(bench.registrar.rotate_key(issued.key.id, Duration::ZERO));
    assert!(matches!(revoked, Err(RegistrarError::Invalid(_))), "a revoked key must not be revived");
}

#[test]
fn scope_comes_before_the_clients_status() {
    let bench = Bench::new(person());
    let (mut holder, _) = bench.context("acme");
    holder.client = holder.client.after(ClientChange::Status(ClientStatus::Suspended));
    assert_eq!(holder.permit(Scope::LookupRead), Err(Denied::Suspended));
    holder.key.scopes = [Scope::UsageRead].into_iter().collect();
    assert_eq!(holder.permit(Scope::LookupRead), Err(Denied::Scope(Scope::LookupRead)));
}

#[test]
fn a_key_with_networks_is_refused_from_elsewhere() {
    let bench = Bench::new(person());
    let (mut holder, _) = bench.context("acme");
    holder.key.networks = vec!["192.0.2.0/24".parse().unwrap()];
    assert_eq!(holder.permit_network("192.0.2.7".parse().unwrap()), Ok(()));
    assert_eq!(holder.permit_network("::ffff:192.0.2.7".parse().unwrap()), Ok(()));
    assert_eq!(holder.permit_network("198.51.100.1".parse().unwrap()), Err(Denied::Network));
}

#[test]
fn a_client_is_found_by_name_or_id() {
    let bench = Bench::new(person());
    let client = bench.client("acme");
    assert_eq!(now(bench.registrar.find_client("acme")).unwrap(), client);
    assert_eq!(now(bench.registrar.find_client(&client.id.to_string())).unwrap(), client);
    assert!(matches!(now(bench.registrar.find_client("nobody")), Err(RegistrarError::NotFound(_))));
}

#[test]
fn a_change_replaces_only_what_it_names() {
    let bench = Bench::new(person());
    let (_, id) = bench.context("acme");
    let change = ContextChange { device_limit: Some(9), ..ContextChange::default() };
    let changed = now(bench.registrar.change_context(&id, change, Actor::Operator, "a test".into())).unwrap();
    assert_eq!((changed.settings.device_limit, changed.settings.retention_days), (9, 30));
}

#[test]
fn a_registration_is_replayed_to_the_key_that_made_it_and_to_no_other() {
    let bench = Bench::new(person());
    let client = bench.client("acme");
    let register = |issued: &IssuedKey| {
        let (holder, _) = now(bench.registrar.authenticate(issued.secret.expose())).unwrap();
        let (title, idempotency_key) = ("spring".parse().unwrap(), Some("set-up".parse().unwrap()));
        let request = RegistrationRequest { title, idempotency_key };
        now(bench.registrar.register_context(&holder, request, Actor::Key(holder.key.id))).unwrap()
    };
    let (mine, other) = (bench.key(&client), bench.key(&client));
    let Registration::Registered(id) = register(&mine) else { panic!("the first registration") };
    assert_eq!(register(&mine), Registration::Replayed(id));
    assert_eq!(register(&other), Registration::KeyReused, "its lookups there would be refused");
}
