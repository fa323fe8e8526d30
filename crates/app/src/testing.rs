//! Helpers for tests of several modules.

use std::net::{SocketAddr, TcpListener};
use voight_domain::EoaAddress;
use voight_domain::metering::LookupOutcome;
use voight_domain::registry::{Actor, Client};
use voight_domain::services::{IssueKey, LookupQuery, Registration, RegistrationRequest, Services};
use voight_domain::vocabulary::{Environment, ScopeSet};

/// Returns a listener on a free port, with its address.
pub(crate) fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = listener.local_addr().unwrap();
    (listener, addr)
}

/// Returns the status and the body of a response.
pub(crate) fn get(url: &str, secret: &str) -> (u16, String) {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .build()
        .into();
    let mut answer = agent.get(url).header("x-api-key", secret).call().unwrap();
    (
        answer.status().as_u16(),
        answer.body_mut().read_to_string().unwrap(),
    )
}

/// Address of lookups in tests.
pub(crate) const ADDRESS: EoaAddress = EoaAddress::from_bytes([7; 20]);

/// Client and context of lookups in tests.
pub(crate) struct TestAccount {
    pub(crate) client: Client,
    pub(crate) secret: String,
    pub(crate) context: String,
}

/// Creates a client whose ledger has one row, a lookup of [`ADDRESS`].
pub(crate) async fn one_row(services: &Services) -> TestAccount {
    let registry = &services.registry;
    let client = registry
        .create_client("acme".parse().unwrap())
        .await
        .unwrap();
    let environment = Environment::Live;
    let scopes = ScopeSet::all();
    let key = IssueKey {
        client: client.id,
        environment,
        scopes,
        networks: Vec::new(),
        expires_at: None,
        label: None,
    };
    let issued_key = registry.issue_key(key).await.unwrap();
    let request = RegistrationRequest {
        title: "spring".parse().unwrap(),
        idempotency_key: None,
    };
    let (holder, key) = registry
        .authenticate(issued_key.secret.expose())
        .await
        .unwrap();
    let Ok(Registration::Registered(context)) = registry
        .register_context(&holder, request, Actor::Operator)
        .await
    else {
        panic!("the context is not registered");
    };
    let request = LookupQuery {
        key,
        context: context.clone(),
        address: ADDRESS,
        idempotency_key: None,
        is_detailed: false,
    };
    assert!(matches!(
        services.lookups.look_up(request).await,
        Ok(LookupOutcome::Recorded(..))
    ));
    let client = holder.client;
    let secret = issued_key.secret.expose().to_owned();
    TestAccount {
        client,
        secret,
        context: context.to_string(),
    }
}
