//! A console over a store in memory, and a browser that keeps its cookie.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{Service, ServiceResponse};
use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, StatusCode, header};
use actix_web::{App, test};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use voight_console::{Console, ConsoleSettings, RuleText};
use voight_detect::RuleAssessor;
use voight_domain::ports::DisabledOutbound;
use voight_domain::registry::Role;
use voight_domain::secrets::{Pepper, Secrets};
use voight_domain::services::{Policies, Ports, Services};
use voight_memory::MemoryStore;
use voight_support::{CountingEntropy, ManualClock, NOW};

pub(crate) const HOST: &str = "127.0.0.1:8081";
const ORIGIN: &str = "http://127.0.0.1:8081";

/// Console with its use cases and its clock.
pub(crate) struct TestConsole {
    pub(crate) services: Services,
    pub(crate) clock: Arc<ManualClock>,
    console: Console,
}

/// Browser of a user.
pub(crate) struct Browser<'a> {
    console: &'a TestConsole,
    pub(crate) cookie: String,
}

/// Response of the console.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl TestConsole {
    pub(crate) fn new() -> Self {
        let clock = Arc::new(ManualClock::new(NOW));
        let assessor = Arc::new(RuleAssessor::new());
        let ports = Ports {
            store: Arc::new(MemoryStore::new(clock.clone(), 1 << 20)),
            assessor: assessor.clone(),
            candidates: assessor,
            clock: clock.clone(),
            entropy: Arc::new(CountingEntropy::default()),
            outbound: Arc::new(DisabledOutbound),
            secrets: Secrets::derive(&Pepper::from_bytes([7; 32]), 0),
        };
        let services = Services::new(&ports, Policies::default());
        let settings = ConsoleSettings {
            hosts: vec![HOST.to_owned()],
            origin: ORIGIN.to_owned(),
            public_url: "http://localhost:8080".to_owned(),
            version: "0.0.0",
            rule_texts: vec![RuleText {
                rule: "webdriver",
                meaning: "The browser says that it is automated",
                benign_explanation: "none",
            }],
        };
        Self {
            console: Console::new(services.clone(), clock.clone(), settings),
            services,
            clock,
        }
    }

    /// Signs a new user with this role in.
    pub(crate) async fn sign_in(&self, name: &str, role: Role) -> Browser<'_> {
        let users = &self.services.users;
        let invited_user = users.invite(name.parse().unwrap(), role).await.unwrap();
        let link = invited_user.link.expose();
        let signed_in = users
            .redeem_link(&link, None, "Firefox on Linux")
            .await
            .unwrap();
        Browser {
            console: self,
            cookie: format!(
                "__Host-voight-console={}",
                signed_in.session.expose().as_str()
            ),
        }
    }

    /// Returns a browser without a session.
    pub(crate) fn visitor(&self) -> Browser<'_> {
        Browser {
            console: self,
            cookie: String::new(),
        }
    }

    pub(crate) async fn send(&self, request: test::TestRequest) -> Answer {
        let console = self.console.clone();
        let app = App::new().configure(move |config| console.configure(config));
        let service = test::init_service(app).await;
        let response = service.call(request.to_request()).await;
        match response {
            Ok(response) => Answer::from_response(response.map_into_boxed_body()).await,
            Err(error) => panic!("the app has failed: {error}"),
        }
    }

    pub(crate) fn wait(&self, span: Duration) {
        self.clock.advance(span);
    }

    /// Returns the audit log as lines of author, action and detail.
    pub(crate) async fn audit_log(&self) -> Vec<String> {
        let records = self.services.operator.audit_log(0, 1000).await.unwrap();
        let line = |record: voight_domain::ports::AuditRecord| {
            let entry = record.entry;
            format!(
                "{:?} {} {}",
                entry.actor,
                entry.action.as_str(),
                entry.detail
            )
        };
        records.into_iter().map(line).collect()
    }
}

impl TestConsole {
    /// Returns the last line of the audit log.
    pub(crate) async fn last_change(&self) -> String {
        self.audit_log().await.pop().expect("an entry")
    }
}

impl Answer {
    async fn from_response(response: ServiceResponse<BoxBody>) -> Self {
        let status = response.status();
        let headers = response.headers().clone();
        let body = actix_web::body::to_bytes(response.into_body().boxed()).await;
        Self {
            status,
            headers,
            body: String::from_utf8(body.unwrap().to_vec()).unwrap(),
        }
    }

    pub(crate) fn location(&self) -> &str {
        self.header(header::LOCATION.as_str())
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }

    /// Returns the token of the forms of a page.
    pub(crate) fn token(&self) -> String {
        let (_, rest) = self
            .body
            .split_once("name=\"token\" value=\"")
            .expect("a form");
        rest.split('"').next().unwrap().to_owned()
    }
}

impl Browser<'_> {
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.console.send(self.request(Method::GET, path)).await
    }

    /// Sends a form as a page of the console does.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let token = self.get("/console").await.token();
        let fields: BTreeMap<_, _> = fields
            .iter()
            .copied()
            .chain([("token", token.as_str())])
            .collect();
        self.post_form(path, &fields).await
    }

    /// Sends a form with these fields only.
    pub(crate) async fn post_form(&self, path: &str, fields: &BTreeMap<&str, &str>) -> Answer {
        let request = self
            .request(Method::POST, path)
            .insert_header(("origin", ORIGIN))
            .insert_header(("sec-fetch-site", "same-origin"))
            .set_form(fields);
        self.console.send(request).await
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> test::TestRequest {
        let request = test::TestRequest::with_uri(path)
            .method(method)
            .insert_header((header::HOST, HOST));
        if self.cookie.is_empty() {
            request
        } else {
            request.insert_header((header::COOKIE, self.cookie.clone()))
        }
    }
}
