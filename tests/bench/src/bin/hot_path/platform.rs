//! Service with a platform that sends lookups.

use crate::LOOKUPS;
use crate::wire::InMemoryConnection;
use actix_web::web;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::sync::Arc;
use voight_detect::RuleAssessor;
use voight_domain::ports::{Clock, DisabledOutbound};
use voight_domain::registry::{Actor, Client, KeyWithClient};
use voight_domain::secrets::{Pepper, Secrets};
use voight_domain::services::{
    IssueKey, IssuedKey, Policies, Ports, Registration, RegistrationRequest, RegistryService,
    Services,
};
use voight_domain::verdict::OverrideTo;
use voight_domain::vocabulary::{ContextId, Environment, EoaAddress, ScopeSet, Timestamp};
use voight_embedded::StoreOptions;
use voight_http::{AppState, HttpSettings, MonotonicClock, SystemPorts};
use voight_redb::WalRedb;
use voight_support::{CountingEntropy, ManualClock};

/// 1 November 2026, so that no period ends during the measurement.
const START: Timestamp = Timestamp::from_millis(1_793_491_200_000);
/// Number of addresses that are looked up cyclically; every other address is flagged as a bot.
const ADDRESSES: u8 = 64;
/// Cache of the store and its evidence budget, in bytes.
const CACHE: usize = 64 << 20;
const EVIDENCE: u64 = 1 << 20;

/// Service with one client, which has a key and a context.
pub(crate) struct BenchClient {
    pub(crate) state: web::Data<AppState>,
    clock: Arc<ManualClock>,
    secret: String,
    context: ContextId,
    /// Addresses as they are sent, so that their checksums are not counted as work of the service.
    addresses: Vec<String>,
    lookups: u32,
}

impl BenchClient {
    /// Creates the service on a new store at `path`.
    pub(crate) async fn new(path: &Path) -> Result<Self> {
        let clock = Arc::new(ManualClock::new(START));
        let state = web::Data::new(state(path, &clock)?);
        let registry = &state.services.registry;
        let client = registry.create_client("acme".parse()?).await?;
        let issued_key = issue(registry, &client).await?;
        let secret = issued_key.secret.expose().to_owned();
        let context = register(
            registry,
            KeyWithClient {
                key: issued_key.key,
                client,
            },
        )
        .await?;
        for address in (0..ADDRESSES).step_by(2).map(address) {
            let bot_override = OverrideTo::Bot;
            state
                .services
                .operator
                .override_verdict(&context, address, bot_override, "review".to_owned())
                .await?;
        }
        let addresses = (0..ADDRESSES)
            .map(|byte| address(byte).to_string())
            .collect();
        Ok(Self {
            state,
            clock,
            secret,
            context,
            addresses,
            lookups: 0,
        })
    }

    /// Opens a connection that sends `lookups` lookups. At least [`LOOKUPS`] requests are written, so that the difference of two
    /// runs with fewer of them does not contain the cost of writing them.
    pub(crate) fn connect(&mut self, lookups: u32) -> InMemoryConnection {
        let first = self.lookups;
        self.lookups += lookups.max(LOOKUPS);
        let mut requests: Vec<_> = (first..self.lookups)
            .map(|number| self.request(number))
            .collect();
        requests.truncate(lookups as usize);
        InMemoryConnection::new(requests, Arc::clone(&self.clock))
    }

    /// Returns the request of a lookup as a backend sends it, with a unique idempotency key.
    fn request(&self, number: u32) -> Vec<u8> {
        let Self {
            secret,
            context,
            addresses,
            ..
        } = self;
        let address = &addresses[number as usize % addresses.len()];
        let target = format!("/api/v1/users/eoa?eoa_address={address}&context_id={context}");
        let headers = format!(
            "host: voight.example:8080\r\nuser-agent: platform/1.0\r\naccept: application/json\r\n\
             accept-encoding: identity\r\nx-api-key: {secret}\r\nidempotency-key: claim-{number:08}"
        );
        format!("GET {target} HTTP/1.1\r\n{headers}\r\n\r\n").into_bytes()
    }
}

fn state(path: &Path, manual_clock: &Arc<ManualClock>) -> Result<AppState> {
    let clock: Arc<dyn Clock> = manual_clock.clone();
    let assessor = Arc::new(RuleAssessor::new());
    let entropy = CountingEntropy::default();
    let pepper = Pepper::from_bytes([7; 32]);
    let options = StoreOptions {
        path: path.to_owned(),
        cache_bytes: CACHE,
        evidence_max_bytes: EVIDENCE,
        reserved_free_bytes: 0,
    };
    let store = voight_embedded::open::<WalRedb>(
        &options,
        Arc::clone(&clock),
        &entropy,
        pepper.commitment(),
    )?;
    let ports = Ports {
        store,
        assessor: assessor.clone(),
        candidates: assessor,
        clock: Arc::clone(&clock),
        entropy: Arc::new(entropy),
        outbound: Arc::new(DisabledOutbound),
        secrets: Secrets::derive(&pepper, 0),
    };
    let services = Services::new(&ports, Policies::default());
    let elapsed_clock = Arc::clone(manual_clock);
    let monotonic_clock = MonotonicClock::from_fn(move || elapsed_clock.elapsed());
    Ok(AppState::new(
        services,
        HttpSettings::default(),
        SystemPorts {
            clock,
            monotonic_clock,
            entropy: ports.entropy,
        },
    ))
}

async fn issue(registry: &RegistryService, client: &Client) -> Result<IssuedKey> {
    let request = IssueKey {
        client: client.id,
        environment: Environment::Live,
        scopes: ScopeSet::all(),
        networks: Vec::new(),
        expires_at: None,
        label: None,
    };
    registry
        .issue_key(request)
        .await
        .context("no key was issued")
}

async fn register(registry: &RegistryService, holder: KeyWithClient) -> Result<ContextId> {
    let request = RegistrationRequest {
        title: "quest".parse()?,
        idempotency_key: None,
    };
    match registry
        .register_context(&holder, request, Actor::Key(holder.key.id))
        .await?
    {
        Registration::Registered(id) => Ok(id),
        Registration::Replayed(_) | Registration::KeyReused | Registration::KeyRejected => {
            bail!("no context was registered")
        }
    }
}

fn address(byte: u8) -> EoaAddress {
    EoaAddress::from_bytes([byte + 1; 20])
}
