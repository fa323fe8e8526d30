//! Accounts, contexts and verdicts of a group, and the order of its requests.

use super::GROUP;
use super::connection::{CAPACITY, Connection};
use super::exchange::Exchange;
use super::requests::{Generator, Request};
use crate::common::{App, CapturedLog};
use fastrand::Rng;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::Duration;
use tracing::Level;
use voight_domain::metering::{Limit, MeterRules};
use voight_domain::ports::EraseMode;
use voight_domain::rate_limit::RateLimitPolicy;
use voight_domain::registry::{Actor, Client, ClientChange, ClientStatus, Key, KeyWithClient};
use voight_domain::services::{IssueKey, IssuedKey, Registration, RegistrationRequest, Revocation};
use voight_domain::verdict::OverrideTo;
use voight_domain::vocabulary::{ContextId, Environment, EoaAddress, Scope, Timestamp};
use voight_http::{HttpSettings, serve_public_connection};

const HOUR: Duration = Duration::from_hours(1);

/// App of a group with the keys, contexts and addresses that its requests name.
pub(super) struct World {
    app: App,
    /// Client that is suspended and activated again.
    moody: Client,
    /// Keys that are revoked one after the other.
    keys_to_revoke: Vec<Key>,
    /// `true` while the wall clock is an hour ahead, so that the clock guard rejects it.
    is_ahead: bool,
    pub(super) addresses: Vec<EoaAddress>,
    /// Two contexts of the main key, and one of each further key.
    pub(super) contexts: Vec<String>,
    /// Secrets of the main key, of the further keys, and of the keys that are revoked.
    pub(super) secrets: Vec<String>,
}

/// Answers the requests of a group on its own app.
pub(super) async fn answer_group(group: u64) -> Vec<Exchange> {
    use actix_web::dev::{Service, ServiceFactory};
    let mut random = Rng::with_seed(group);
    let mut world = World::new(group).await;
    let app = serve_public_connection(world.app.state.clone())
        .new_service(())
        .await
        .unwrap();
    let mut generator = Generator::default();
    let mut exchanges = Vec::new();
    let log = CapturedLog::start(Level::INFO);
    while exchanges.len() < GROUP {
        world.change(&mut random, exchanges.len(), group).await;
        let count = random.usize(1..=6).min(GROUP - exchanges.len());
        let requests: Vec<_> = (0..count)
            .map(|_| generator.request(&mut random, &world))
            .collect();
        let (client, server) = tokio::io::duplex(CAPACITY);
        let peer = (!random.u8(..).is_multiple_of(32)).then(|| peer(&mut random));
        let connection = actix_web::rt::spawn(app.call((server, peer)));
        let mut ids = Vec::new();
        let first = exchanges.len();
        converse(
            Connection::new(client),
            requests,
            &mut random,
            &mut exchanges,
            &mut ids,
        )
        .await;
        let is_closed_cleanly = connection.await.unwrap().is_ok();
        let now = world.app.now().as_millis();
        let lines = ids.iter().fold(without_times(&log.take()), |lines, id| {
            lines.replace(id, "generated")
        });
        assert!(exchanges.len() > first);
        write!(
            exchanges.last_mut().unwrap().answer,
            "\nended {is_closed_cleanly} at {now}\n{lines}"
        )
        .unwrap();
    }
    exchanges.last_mut().unwrap().answer += &world.metrics();
    exchanges
}

/// Sends the requests on one connection, one after the other or all at once, and collects their answers. Answers to requests
/// that are sent at once count as answers to the first.
async fn converse(
    mut connection: Connection,
    requests: Vec<Request>,
    random: &mut Rng,
    exchanges: &mut Vec<Exchange>,
    ids: &mut Vec<String>,
) {
    if random.u8(..).is_multiple_of(4) {
        let bytes: Vec<u8> = requests
            .iter()
            .flat_map(|request| request.bytes.clone())
            .collect();
        connection.send(&bytes).await;
        connection.end().await;
        let mut answers = connection.rest().await;
        let split = |Request { bytes, .. }: Request| {
            Exchange::new(bytes, &std::mem::take(&mut answers), ids)
        };
        return exchanges.extend(requests.into_iter().map(split));
    }
    let last = requests.len() - 1;
    for (number, Request { bytes, is_head }) in requests.into_iter().enumerate() {
        let cut_at = if random.u8(..).is_multiple_of(8) {
            random.usize(..bytes.len())
        } else {
            0
        };
        connection.send(&bytes[..cut_at]).await;
        tokio::task::yield_now().await;
        connection.send(&bytes[cut_at..]).await;
        if number == last || !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
            connection.end().await;
        }
        let answer = connection.answer(is_head).await;
        exchanges.push(Exchange::new(bytes, &answer, ids));
    }
}

fn peer(random: &mut Rng) -> SocketAddr {
    let ip = [
        "192.0.2.1",
        "192.0.2.1",
        "192.0.2.1",
        "198.51.100.7",
        "2001:db8::1",
        "::ffff:203.0.113.9",
    ];
    SocketAddr::new(ip[random.usize(..ip.len())].parse().unwrap(), 4711)
}

/// Removes the time at the start of each log line.
fn without_times(log: &str) -> String {
    log.lines()
        .map(|line| line.split_once(' ').map_or(line, |(_, line)| line))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the settings of a group.
fn settings(group: u64) -> HttpSettings {
    let limits = match group % 4 {
        0 => RateLimitPolicy {
            enabled: false,
            ..RateLimitPolicy::default()
        },
        1 => RateLimitPolicy {
            lookups_per_second: 7,
            lookup_burst: 9,
            ..RateLimitPolicy::default()
        },
        _ => RateLimitPolicy::default(),
    };
    let trusted_proxies = if group % 3 == 1 {
        vec!["192.0.2.0/24".parse().unwrap()]
    } else {
        vec![]
    };
    let (target_bytes, header_bytes) = if group % 5 == 2 {
        (200, 700)
    } else {
        (2 * 1024, 16 * 1024)
    };
    HttpSettings {
        limits,
        trusted_proxies,
        target_bytes,
        header_bytes,
        ..HttpSettings::default()
    }
}

/// Issues keys of all kinds, to the client of the app and to others.
async fn issue_keys(
    app: &App,
    [other, moody, capped, closed]: [&Client; 4],
) -> Vec<(Client, IssuedKey)> {
    let live = Environment::Live;
    let all = Scope::ALL;
    let expiring = IssueKey {
        client: app.client.id,
        environment: live,
        scopes: all.into_iter().collect(),
        networks: vec![],
        expires_at: Some(Timestamp::from_millis(app.now().as_millis() + 90_000)),
        label: None,
    };
    vec![
        (
            app.client.clone(),
            app.issue(live, &[Scope::LookupRead], &[]).await,
        ),
        (
            app.client.clone(),
            app.issue(live, &[Scope::UsageRead], &[]).await,
        ),
        (
            app.client.clone(),
            app.issue(live, &all, &["198.51.100.0/24", "2001:db8::/32"])
                .await,
        ),
        (
            app.client.clone(),
            app.issue(Environment::Sandbox, &all, &[]).await,
        ),
        (
            app.client.clone(),
            app.state
                .services
                .registry
                .issue_key(expiring)
                .await
                .unwrap(),
        ),
        (other.clone(), app.issue_to(other, live, &all).await),
        (moody.clone(), app.issue_to(moody, live, &all).await),
        (capped.clone(), app.issue_to(capped, live, &all).await),
        (closed.clone(), app.issue_to(closed, live, &all).await),
    ]
}

impl World {
    async fn new(group: u64) -> Self {
        let app = App::with_rules(
            settings(group),
            MeterRules {
                allowance: 300,
                ..MeterRules::default()
            },
        )
        .await;
        let registry = &app.state.services.registry;
        let mut clients = Vec::new();
        for name in ["other", "moody", "capped", "closed"] {
            clients.push(registry.create_client(name.parse().unwrap()).await.unwrap());
        }
        let [other, moody, capped, closed] = &clients[..] else {
            unreachable!("four clients were created")
        };
        let keys = issue_keys(&app, [other, moody, capped, closed]).await;
        let mut secrets = vec![app.secret.clone()];
        secrets.extend(
            keys.iter()
                .map(|(_, IssuedKey { secret, .. })| secret.expose().to_owned()),
        );
        let mut keys_to_revoke = Vec::new();
        for _ in 0..3 {
            let issued_key = app.issue(Environment::Live, &Scope::ALL, &[]).await;
            secrets.push(issued_key.secret.expose().to_owned());
            keys_to_revoke.push(issued_key.key);
        }
        let main = KeyWithClient {
            key: app.key.clone(),
            client: app.client.clone(),
        };
        let mut contexts = vec![register(&app, &main).await, register(&app, &main).await];
        for (client, issued) in &keys {
            contexts.push(
                register(
                    &app,
                    &KeyWithClient {
                        key: issued.key.clone(),
                        client: client.clone(),
                    },
                )
                .await,
            );
        }
        registry
            .change_client(other.id, ClientChange::LookupRate(Some(3)))
            .await
            .unwrap();
        app.state
            .services
            .billing
            .set_limit(capped, Limit::Lookups(Some(9)))
            .await
            .unwrap();
        app.state
            .services
            .billing
            .close_client(closed)
            .await
            .unwrap();
        let moody = moody.clone();
        let addresses = (1..=24)
            .map(|byte| EoaAddress::from_bytes([byte * 7; 20]))
            .collect();
        Self {
            app,
            moody,
            keys_to_revoke,
            is_ahead: false,
            addresses,
            contexts,
            secrets,
        }
    }

    /// Lets time pass, and sometimes changes the state as an operator does.
    async fn change(&mut self, random: &mut Rng, sent: usize, group: u64) {
        if std::mem::take(&mut self.is_ahead) {
            self.app.clock.set(self.app.now().saturating_sub(HOUR));
        }
        let services = &self.app.state.services;
        let context: ContextId = self.contexts[random.usize(..2)].parse().unwrap();
        let address = self.addresses[random.usize(..self.addresses.len())];
        self.app.wait(Duration::from_millis(random.u64(0..400)));
        match random.u8(..100) {
            0..10 => {
                let verdict = if random.bool() {
                    OverrideTo::Bot
                } else {
                    OverrideTo::Human
                };
                let _ = services
                    .operator
                    .override_verdict(&context, address, verdict, "review".to_owned())
                    .await;
            }
            10 => drop(
                services
                    .operator
                    .erase(address, "request", EraseMode::Execute)
                    .await,
            ),
            11 => drop(
                services
                    .registry
                    .archive_context(&context, Actor::Operator)
                    .await,
            ),
            12 if let Some(key) = self.keys_to_revoke.pop() => {
                services
                    .registry
                    .revoke_key(key.id, Revocation::default())
                    .await
                    .unwrap();
            }
            13..16 => {
                let status = if random.bool() {
                    ClientStatus::Suspended
                } else {
                    ClientStatus::Active
                };
                services
                    .registry
                    .change_client(self.moody.id, ClientChange::Status(status))
                    .await
                    .unwrap();
            }
            16 => self.app.wait(24 * HOUR),
            17 => {
                self.app.clock.set(self.app.now().saturating_add(HOUR));
                self.is_ahead = true;
            }
            _ => {}
        }
        if group % 7 == 3 && sent > 950 {
            self.app.state.drain();
        }
    }

    /// Returns the metrics that are not 0. Their order is random.
    fn metrics(&self) -> String {
        let text = self
            .app
            .state
            .metrics
            .render(voight_http::TextFormat::Classic)
            .unwrap();
        let mut lines: Vec<_> = text
            .lines()
            .filter(|line| !line.ends_with(" 0") && !line.ends_with(" 0.0"))
            .collect();
        lines.sort_unstable();
        format!("\n{}", lines.join("\n"))
    }
}

async fn register(app: &App, api_key: &KeyWithClient) -> String {
    let request = RegistrationRequest {
        title: "quest".parse().unwrap(),
        idempotency_key: None,
    };
    let actor = Actor::Key(api_key.key.id);
    let registration = app
        .state
        .services
        .registry
        .register_context(api_key, request, actor)
        .await
        .unwrap();
    let Registration::Registered(id) = registration else {
        panic!("{registration:?}")
    };
    id.to_string()
}
