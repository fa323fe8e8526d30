use super::*;
use crate::admin_client::AdminClient;
use crate::config::Config;
use crate::exit::Exit;
use crate::http_settings::{app_state, settings};
use crate::os::{OsEntropy, SystemClock};
use crate::testing::{get, listener};
use crate::wiring::{EngineKind, StoreUrl, wire};
use actix_web::web;
use std::sync::Arc;
use voight_api::AdminTokenSecret;
use voight_api::admin::NewClient;
use voight_api::admin::routes::{CREATE_CLIENT, SHOW_CLIENT};
use voight_domain::metering::Day;
use voight_domain::ports::Clock;
use voight_domain::registry::Actor;
use voight_domain::secrets::Pepper;
use voight_domain::services::{IssueKey, OpenCheck, Registration, RegistrationRequest, Services};
use voight_domain::vocabulary::{ContextId, Environment, EoaAddress, ScopeSet};

fn services(store: &StoreUrl) -> Services {
    wire(
        &Config::default(),
        store,
        &Pepper::from_bytes([1; 32]),
        Arc::new(SystemClock),
    )
    .unwrap()
}

#[test]
fn server_runs_until_stopped_and_then_closes_its_store() {
    let (public, public_addr) = listener();
    let (admin, admin_addr) = listener();
    let dir = tempfile::tempdir().unwrap();
    let store = StoreUrl::Files(EngineKind::Redb, dir.path().join("voight.redb"));
    let config = Config::default();
    let token = AdminTokenSecret::from_bytes(&OsEntropy.bytes());
    block_on(async {
        let state = app_state(services(&store), settings(&config, admin_addr));
        let status = |addr, path| get(&format!("http://{addr}{path}"), "").0;
        let statuses = web::block(move || {
            (
                status(admin_addr, "/readyz"),
                status(public_addr, "/openapi.json"),
            )
        });
        let shutdown = async {
            assert_eq!(statuses.await.unwrap(), (200, 200));
        };
        serve(
            public,
            admin,
            state,
            token,
            config.store.with_url(&store),
            shutdown,
        )
        .await
        .unwrap();
    });
    services(&store);
    assert!(std::net::TcpStream::connect(public_addr).is_err());
}

async fn register_context(services: &Services) -> ContextId {
    let registry = &services.registry;
    let client = registry.create_client("acme".parse().unwrap()).await;
    let request = IssueKey {
        client: client.unwrap().id,
        environment: Environment::Live,
        scopes: ScopeSet::all(),
        networks: vec![],
        expires_at: None,
        label: None,
    };
    let issued_key = registry.issue_key(request).await.unwrap();
    let secret = issued_key.secret.expose();
    let (holder, _) = registry.authenticate(secret).await.unwrap();
    let request = RegistrationRequest {
        title: "spring".parse().unwrap(),
        idempotency_key: None,
    };
    let registration = registry.register_context(&holder, request, Actor::Operator);
    match registration.await.unwrap() {
        Registration::Registered(id) => id,
        other => panic!("{other:?}"),
    }
}

#[test]
fn stopped_server_stores_its_check_counts() {
    let (public, _) = listener();
    let (admin, admin_addr) = listener();
    let dir = tempfile::tempdir().unwrap();
    let store = StoreUrl::Files(EngineKind::Redb, dir.path().join("voight.redb"));
    let config = Config::default();
    let token = AdminTokenSecret::from_bytes(&OsEntropy.bytes());
    block_on(async {
        let state = app_state(services(&store), settings(&config, admin_addr));
        let request = OpenCheck {
            context: register_context(&state.services).await,
            address: EoaAddress::from_bytes([1; 20]),
            origin: "https://quest.example".parse().unwrap(),
            origin_site: "https://quest.example/".to_owned(),
            session: None,
            rate_excess: 0,
        };
        state.services.checks.open_check(request).await.unwrap();
        let store = config.store.with_url(&store);
        serve(public, admin, state, token, store, async {})
            .await
            .unwrap();
    });
    let today = Day(SystemClock.now().day());
    let reopened = services(&store);
    let totals = reopened.check_counts.total(Day(today.0 - 1), today);
    let totals = block_on(totals).unwrap();
    let opened: u64 = totals.values().map(|counts| counts.opened).sum();
    assert_eq!(opened, 1);
}

#[test]
fn command_without_a_server_opens_the_store_itself() {
    let token = AdminTokenSecret::from_bytes(&OsEntropy.bytes());
    let local = LocalAdmin::start(
        services(&StoreUrl::Memory),
        &Config::default(),
        token.clone(),
    )
    .unwrap();
    let base = format!("http://{}", local.addr());
    let client = AdminClient::new(&base, token);
    let new_client = client
        .send(
            &CREATE_CLIENT.call([]),
            &NewClient {
                name: "a / b".into(),
            },
        )
        .unwrap();
    let show = SHOW_CLIENT.call(["a / b"]);
    let shown_client = client.call(&show).unwrap().client;
    assert_eq!(shown_client, new_client);
    let stranger = AdminClient::new(&base, AdminTokenSecret::from_bytes(&OsEntropy.bytes()));
    assert_eq!(stranger.call(&show).unwrap_err().exit, Exit::Configuration);
    drop(local);
    assert_eq!(client.call(&show).unwrap_err().exit, Exit::Unreachable);
}
