//! Page of a client: usage, keys and contexts.

use super::clients::state;
use crate::error::ConsoleError;
use crate::form::{Form, NoFields};
use crate::format::{State, Time, count_text};
use crate::page::Page;
use crate::response::{redirect_done, show as show_page, show_again};
use crate::visit::Visit;
use actix_web::HttpResponse;
use actix_web::web::Path;
use askama::Template;
use serde::Deserialize;
use voight_domain::ports::ContextFilter;
use voight_domain::registry::{Client, ClientChange, ClientStatus, Key};
use voight_domain::services::{ClientUsage, IssueKey, IssuedKey, Revocation};
use voight_domain::vocabulary::{Environment, KeyLabel, ScopeSet};

#[derive(Template)]
#[template(path = "client.html")]
struct ClientPage {
    page: Page,
    id: String,
    name: String,
    state: State,
    status: &'static str,
    created_at: Time,
    usage: UsageFacts,
    keys: Vec<KeyRow>,
    contexts: Vec<(String, String)>,
}

/// Usage of the current period.
struct UsageFacts {
    billable: String,
    free_left: String,
    paid: String,
    spent: String,
    sandbox: String,
    cap: String,
    budget: String,
}

/// Row of a key.
struct KeyRow {
    id: String,
    label: String,
    hint: String,
    environment: &'static str,
    state: State,
    is_active: bool,
    last_used_at: Option<Time>,
    created_at: Time,
}

#[derive(Template)]
#[template(path = "key_created.html")]
struct KeyPage {
    page: Page,
    client_id: String,
    client: String,
    label: String,
    secret: String,
    hint: String,
    public_url: String,
}

/// Fields of the form of a new key.
#[derive(Deserialize)]
pub(crate) struct KeyFields {
    #[serde(default)]
    label: String,
    environment: String,
}

/// Fields of the form of the status.
#[derive(Deserialize)]
pub(crate) struct StatusFields {
    status: String,
}

/// `GET /console/clients/{client}`: a client.
pub(crate) async fn show(
    visit: Visit,
    reference: Path<String>,
) -> Result<HttpResponse, ConsoleError> {
    let client = visit.services().registry.find_client(&reference).await?;
    let page = Page::new(&visit, client.name.as_str());
    Ok(show_page(&ClientPage::new(&visit, page, client).await?))
}

/// `POST /console/clients/{client}/status`: suspends or resumes a client.
pub(crate) async fn set_status(
    reference: Path<String>,
    form: Form<StatusFields>,
) -> Result<HttpResponse, ConsoleError> {
    let Form { visit, fields } = form;
    let status = match fields.status.as_str() {
        "active" => ClientStatus::Active,
        "suspended" => ClientStatus::Suspended,
        _ => return Err(ConsoleError::unreadable_form()),
    };
    let registry = visit.services().registry.acting_as(&visit.actor());
    let client = registry.find_client(&reference).await?;
    registry
        .change_client(client.id, ClientChange::Status(status))
        .await?;
    Ok(redirect_done(&path_of(&client), "client_changed"))
}

/// `POST /console/clients/{client}/keys`: issues a key, and shows its secret once.
pub(crate) async fn issue_key(
    reference: Path<String>,
    form: Form<KeyFields>,
) -> Result<HttpResponse, ConsoleError> {
    let Form { visit, fields } = form;
    let client = visit.services().registry.find_client(&reference).await?;
    let environment = match fields.environment.as_str() {
        "live" => Environment::Live,
        "sandbox" => Environment::Sandbox,
        _ => return Err(ConsoleError::unreadable_form()),
    };
    let issued_key = match issue(&visit, &client, environment, fields.label.trim()).await {
        Ok(issued_key) => issued_key,
        Err(error) => {
            let problem = error.into_correction()?;
            let page = Page::new(&visit, client.name.as_str()).with_error(&problem);
            return Ok(show_again(&ClientPage::new(&visit, page, client).await?));
        }
    };
    Ok(show_page(&KeyPage {
        page: Page::new(&visit, "Key created"),
        client_id: client.id.to_string(),
        client: client.name.to_string(),
        label: label_of(&issued_key.key),
        hint: issued_key.secret.hint(),
        secret: issued_key.secret.expose().to_owned(),
        public_url: visit.state.settings.public_url.clone(),
    }))
}

/// `POST /console/clients/{client}/keys/{key}/revoke`: revokes a key.
pub(crate) async fn revoke_key(
    references: Path<(String, String)>,
    form: Form<NoFields>,
) -> Result<HttpResponse, ConsoleError> {
    let visit = form.visit;
    let (client, key) = references.into_inner();
    let registry = visit.services().registry.acting_as(&visit.actor());
    let client = registry.find_client(&client).await?;
    let key = registry.resolve_key(&key).await?;
    if key.client != client.id {
        return Err(ConsoleError::not_found("key with this id"));
    }
    registry.revoke_key(key.id, Revocation::default()).await?;
    Ok(redirect_done(&path_of(&client), "key_revoked"))
}

/// Issues a key with all scopes; an empty label is none.
async fn issue(
    visit: &Visit,
    client: &Client,
    environment: Environment,
    label: &str,
) -> Result<IssuedKey, ConsoleError> {
    let label = Some(label).filter(|label| !label.is_empty());
    let label: Option<KeyLabel> = label
        .map(str::parse)
        .transpose()
        .map_err(ConsoleError::input)?;
    let request = IssueKey {
        client: client.id,
        environment,
        scopes: ScopeSet::all(),
        networks: Vec::new(),
        expires_at: None,
        label,
    };
    let registry = visit.services().registry.acting_as(&visit.actor());
    Ok(registry.issue_key(request).await?)
}

fn path_of(client: &Client) -> String {
    format!("{}/clients/{}", crate::PREFIX, client.id)
}

fn label_of(key: &Key) -> String {
    let label = key.label.as_ref().map(ToString::to_string);
    label.unwrap_or_else(|| format!("Key {}", key.number))
}

impl ClientPage {
    async fn new(visit: &Visit, page: Page, client: Client) -> Result<Self, ConsoleError> {
        let services = visit.services();
        let keys = services.registry.keys(client.id).await?;
        let filter = ContextFilter::Client(client.id);
        let contexts = services.registry.all_contexts(filter).await?;
        let usage = services.operator.usage(client.clone()).await?;
        let status = match client.status {
            ClientStatus::Active => "active",
            ClientStatus::Suspended => "suspended",
            ClientStatus::Closed => "closed",
        };
        Ok(Self {
            page,
            id: client.id.to_string(),
            name: client.name.to_string(),
            state: state(&client),
            status,
            created_at: Time::new(client.created_at, visit.now),
            usage: UsageFacts::from(&usage),
            keys: keys.iter().map(|key| KeyRow::new(visit, key)).collect(),
            contexts: contexts
                .iter()
                .map(|context| (context.id.to_string(), context.id.title().to_owned()))
                .collect(),
        })
    }
}

impl From<&ClientUsage> for UsageFacts {
    fn from(usage: &ClientUsage) -> Self {
        let money_cap = usage.money_cap.as_ref().map(ToString::to_string);
        let lookup_cap = usage.cap.map(|cap| format!("{} lookups", count_text(cap)));
        let caps: Vec<_> = lookup_cap.into_iter().chain(money_cap).collect();
        let budget = usage.budget.as_ref().map(ToString::to_string);
        Self {
            billable: count_text(usage.billable),
            free_left: count_text(usage.allowance_left),
            paid: count_text(usage.paid),
            spent: usage.spent.to_string(),
            sandbox: count_text(usage.sandbox),
            cap: if caps.is_empty() {
                "–".to_owned()
            } else {
                caps.join(", ")
            },
            budget: budget.unwrap_or_else(|| "–".to_owned()),
        }
    }
}

impl KeyRow {
    fn new(visit: &Visit, key: &Key) -> Self {
        let state = if key.revoked_at.is_some() {
            State::neutral("Revoked")
        } else if key.is_expired(visit.now) {
            State::neutral("Expired")
        } else {
            State::good("Active")
        };
        Self {
            id: key.id.to_string(),
            label: label_of(key),
            hint: key.hint().to_owned(),
            environment: match key.environment {
                Environment::Live => "live",
                Environment::Sandbox => "test",
            },
            state,
            is_active: key.revoked_at.is_none(),
            last_used_at: key.last_used_at.map(|at| Time::new(at, visit.now)),
            created_at: Time::new(key.created_at, visit.now),
        }
    }
}
