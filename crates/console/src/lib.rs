//! The console: pages in which operators see and change the service.
//!
//! Pages are rendered by the server and work without scripts. Each route names the permission that it requires
//! ([`routes`](self)), and each handler calls a use case of the domain; no rule of the product is in this crate.

mod assets;
mod chart;
mod error;
mod form;
mod format;
mod guard;
mod page;
mod response;
mod routes;
mod screens;
mod visit;

use actix_web::web;
use std::fmt;
use std::sync::{Arc, Mutex};
use voight_domain::ports::Clock;
use voight_domain::services::{NewestBackup, Services};

/// Path under which all pages of the console are served.
pub const PREFIX: &str = "/console";

/// Path of the page of a sign-in link, without the link.
pub const SIGN_IN_PATH: &str = "/console/sign-in";

/// Settings of the console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleSettings {
    /// Values of `Host` to which the console answers.
    pub hosts: Vec<String>,
    /// Origin of the console, for links.
    pub origin: String,
    /// URL of the public listener, for the code that platforms copy.
    pub public_url: String,
    /// Version of the service.
    pub version: &'static str,
    /// Texts about the rules.
    pub rule_texts: Vec<RuleText>,
}

/// Text about a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleText {
    /// Name of the rule.
    pub rule: &'static str,
    /// Meaning of a match.
    pub meaning: &'static str,
    /// Way in which a person may trip the rule.
    pub benign_explanation: &'static str,
}

impl ConsoleSettings {
    fn rule_text(&self, rule: &str) -> Option<&RuleText> {
        self.rule_texts.iter().find(|text| text.rule == rule)
    }
}

/// The console over the use cases of a service.
#[derive(Clone)]
pub struct Console(web::Data<ConsoleState>);

/// State that all pages share.
struct ConsoleState {
    services: Services,
    clock: Arc<dyn Clock>,
    settings: ConsoleSettings,
    /// Newest backup that an earlier page has found, so that each audit entry is read once.
    newest_backup: Mutex<NewestBackup>,
}

impl Console {
    /// Creates the console.
    pub fn new(services: Services, clock: Arc<dyn Clock>, settings: ConsoleSettings) -> Self {
        Self(web::Data::new(ConsoleState {
            services,
            clock,
            settings,
            newest_backup: Mutex::default(),
        }))
    }

    /// Adds the pages to an app.
    pub fn configure(&self, config: &mut web::ServiceConfig) {
        routes::configure(&self.0, config);
    }
}

impl fmt::Debug for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Console").field(&self.0.settings).finish()
    }
}
