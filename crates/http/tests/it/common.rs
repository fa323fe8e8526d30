//! App over the in-memory store with manual time and deterministic randomness.

mod answer;
mod log;
mod recording_outbound;
mod rejecting_assessor;

pub(crate) use answer::Answer;
pub(crate) use log::CapturedLog;
pub(crate) use recording_outbound::RecordingOutbound;
pub(crate) use rejecting_assessor::RejectingAssessor;

use actix_web::test::{TestRequest, init_service, try_call_service};
use actix_web::web;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use voight_detect::RuleAssessor;
use voight_domain::metering::MeterRules;
use voight_domain::ports::{Clock, DisabledOutbound, LookupStore, Outbound, Store};
use voight_domain::rate_limit::RateLimitPolicy;
use voight_domain::registry::{Client, Key};
use voight_domain::secrets::{Pepper, Secrets};
use voight_domain::services::{
    IssueKey, IssuedKey, LookupService, Policies, Ports, RegistryService, Services,
};
use voight_domain::vocabulary::{Environment, Scope, ScopeSet, Timestamp};
use voight_http::{AppState, HttpSettings, MonotonicClock, SystemPorts, create_app};
use voight_memory::MemoryStore;
use voight_support::{CountingEntropy, ManualClock};

/// 21 November 2026, 10:00 UTC.
const START: Timestamp = Timestamp::from_millis(1_795_255_200_000);

/// Address in the example of the requirement.
pub(crate) const ADDRESS: &str = "0x0000000000000000000000000000000000000000";
pub(crate) const REGISTER: &str = "/api/v1/register/context_id";
pub(crate) const LOOKUP: &str = "/api/v1/users/eoa";

/// App with its environment.
pub(crate) struct App {
    pub(crate) state: web::Data<AppState>,
    /// Ports of the use cases.
    pub(crate) ports: Ports,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) client: Client,
    pub(crate) key: Key,
    /// Secret of `key`, which has all scopes.
    pub(crate) secret: String,
}

impl App {
    pub(crate) async fn new() -> Self {
        Self::with_settings(HttpSettings::default()).await
    }

    pub(crate) async fn with_settings(settings: HttpSettings) -> Self {
        Self::with_lookup_store(settings, |store| store).await
    }

    /// Creates an app without rate limits that bills lookups by these rules.
    pub(crate) async fn billing(rules: MeterRules) -> Self {
        let limits = RateLimitPolicy {
            enabled: false,
            ..RateLimitPolicy::default()
        };
        Self::with_rules(
            HttpSettings {
                limits,
                ..HttpSettings::default()
            },
            rules,
        )
        .await
    }

    /// Creates an app with these settings that bills lookups by these rules.
    pub(crate) async fn with_rules(settings: HttpSettings, rules: MeterRules) -> Self {
        Self::set_up(
            settings,
            |store| store,
            |store| store,
            rules,
            Arc::new(DisabledOutbound),
        )
        .await
    }

    /// Creates an app with these outbound connections.
    pub(crate) async fn with_outbound(settings: HttpSettings, outbound: Arc<dyn Outbound>) -> Self {
        Self::set_up(
            settings,
            |store| store,
            |store| store,
            MeterRules::default(),
            outbound,
        )
        .await
    }

    /// Creates an app whose lookups use another port, for faults.
    pub(crate) async fn with_lookup_store(
        settings: HttpSettings,
        lookups: impl FnOnce(Arc<dyn LookupStore>) -> Arc<dyn LookupStore>,
    ) -> Self {
        Self::set_up(
            settings,
            |store| store,
            lookups,
            MeterRules::default(),
            Arc::new(DisabledOutbound),
        )
        .await
    }

    /// Creates an app on another store than the in-memory one, for faults.
    pub(crate) async fn with_store(store: impl FnOnce(Arc<dyn Store>) -> Arc<dyn Store>) -> Self {
        Self::set_up(
            HttpSettings::default(),
            store,
            |store| store,
            MeterRules::default(),
            Arc::new(DisabledOutbound),
        )
        .await
    }

    async fn set_up(
        settings: HttpSettings,
        wrap: impl FnOnce(Arc<dyn Store>) -> Arc<dyn Store>,
        lookups: impl FnOnce(Arc<dyn LookupStore>) -> Arc<dyn LookupStore>,
        rules: MeterRules,
        outbound: Arc<dyn Outbound>,
    ) -> Self {
        let manual_clock = Arc::new(ManualClock::new(START));
        let clock: Arc<dyn Clock> = manual_clock.clone();
        let ports = Ports {
            store: wrap(Arc::new(MemoryStore::new(Arc::clone(&clock), 1 << 20))),
            assessor: Arc::new(RejectingAssessor),
            candidates: Arc::new(RuleAssessor::new()),
            clock: Arc::clone(&clock),
            entropy: Arc::new(CountingEntropy::default()),
            outbound,
            secrets: Secrets::derive(&Pepper::from_bytes([7; 32]), 0),
        };
        let Ports {
            store,
            entropy,
            secrets,
            ..
        } = ports.clone();
        let lookups = LookupService::new(lookups(store), entropy, secrets, rules.clone());
        let policies = Policies {
            metering: rules,
            ..Policies::default()
        };
        let services = Services {
            lookups,
            ..Services::new(&ports, policies)
        };
        let elapsed_source = Arc::clone(&manual_clock);
        let monotonic_clock = MonotonicClock::from_fn(move || elapsed_source.elapsed());
        // Request ids and nonces are drawn apart, so that the number of request ids affects no ledger.
        let system = SystemPorts {
            clock,
            monotonic_clock,
            entropy: Arc::new(CountingEntropy::default()),
        };
        let state = web::Data::new(AppState::new(services, settings, system));
        let registry = &state.services.registry;
        let client = registry
            .create_client("acme".parse().unwrap())
            .await
            .unwrap();
        let issued_key = issue(
            registry,
            &client,
            Environment::Live,
            ScopeSet::all(),
            vec![],
        )
        .await;
        let secret = issued_key.secret.expose().to_owned();
        Self {
            state,
            ports,
            clock: manual_clock,
            client,
            key: issued_key.key,
            secret,
        }
    }

    pub(crate) async fn issue(
        &self,
        environment: Environment,
        scopes: &[Scope],
        networks: &[&str],
    ) -> IssuedKey {
        let networks = networks
            .iter()
            .map(|network| network.parse().unwrap())
            .collect();
        let scopes = scopes.iter().copied().collect();
        issue(
            &self.state.services.registry,
            &self.client,
            environment,
            scopes,
            networks,
        )
        .await
    }

    /// Creates another client, and issues a live key of it.
    pub(crate) async fn issue_to_other_client(&self, scopes: &[Scope]) -> IssuedKey {
        let registry = &self.state.services.registry;
        let other_client = registry
            .create_client("other".parse().unwrap())
            .await
            .unwrap();
        self.issue_to(&other_client, Environment::Live, scopes)
            .await
    }

    /// Issues a key of another client.
    pub(crate) async fn issue_to(
        &self,
        client: &Client,
        environment: Environment,
        scopes: &[Scope],
    ) -> IssuedKey {
        issue(
            &self.state.services.registry,
            client,
            environment,
            scopes.iter().copied().collect(),
            vec![],
        )
        .await
    }

    /// Returns the clocks and the random generator of the app.
    pub(crate) fn system(&self) -> SystemPorts {
        let Ports { clock, entropy, .. } = self.ports.clone();
        SystemPorts {
            clock,
            monotonic_clock: self.state.monotonic_clock.clone(),
            entropy,
        }
    }

    /// Advances both clocks.
    pub(crate) fn wait(&self, span: Duration) {
        self.clock.advance(span);
    }

    /// Returns the time of the wall clock.
    pub(crate) fn now(&self) -> Timestamp {
        self.state.clock.now()
    }

    pub(crate) async fn send(&self, request: TestRequest) -> Answer {
        self.send_from("192.0.2.1".parse().unwrap(), request).await
    }

    pub(crate) async fn send_from(&self, peer: IpAddr, request: TestRequest) -> Answer {
        let app = init_service(create_app(self.state.clone())).await;
        let request = request.peer_addr((peer, 4711).into()).to_request();
        Answer::read(
            try_call_service(&app, request)
                .await
                .expect("every error is an answer"),
        )
        .await
    }

    /// Sends a request and returns the body of its response.
    pub(crate) async fn send_for_bytes(&self, request: TestRequest) -> web::Bytes {
        let app = init_service(create_app(self.state.clone())).await;
        let request = request
            .peer_addr((IpAddr::from([192, 0, 2, 1]), 4711).into())
            .to_request();
        let response = try_call_service(&app, request)
            .await
            .expect("every error is an answer");
        actix_web::body::to_bytes(response.into_body())
            .await
            .expect("a body")
    }

    /// Creates a registration request with the app's key.
    pub(crate) fn register(&self, title: &str) -> TestRequest {
        let body = format!(r#"{{"context_title":"{title}"}}"#);
        post_json(REGISTER, &self.secret, body)
    }

    /// Registers a context with the app's key.
    pub(crate) async fn context(&self) -> String {
        let answer = self.send(self.register("quest")).await;
        answer.json()["data"]["context_id"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Creates a lookup request with the app's key.
    pub(crate) fn look_up(&self, context: &str, address: &str) -> TestRequest {
        look_up(&self.secret, context, address)
    }
}

pub(crate) fn look_up(secret: &str, context: &str, address: &str) -> TestRequest {
    let uri = format!("{LOOKUP}?eoa_address={address}&context_id={context}");
    TestRequest::get()
        .uri(&uri)
        .insert_header(("x-api-key", secret))
}

pub(crate) fn post_json(path: &str, secret: &str, body: impl Into<web::Bytes>) -> TestRequest {
    TestRequest::post()
        .uri(path)
        .insert_header(("x-api-key", secret))
        .insert_header(("content-type", "application/json"))
        .set_payload(body)
}

async fn issue(
    registry: &RegistryService,
    client: &Client,
    environment: Environment,
    scopes: ScopeSet,
    networks: Vec<ipnet::IpNet>,
) -> IssuedKey {
    let request = IssueKey {
        client: client.id,
        environment,
        scopes,
        networks,
        expires_at: None,
        label: None,
    };
    registry.issue_key(request).await.unwrap()
}
