//! First run: registers a context, and shows its key and its code.

use super::context::{origin_site, parse_mode};
use crate::error::ConsoleError;
use crate::form::Form;
use crate::page::Page;
use crate::response::{show as show_page, show_again};
use crate::visit::Visit;
use actix_web::HttpResponse;
use askama::Template;
use serde::Deserialize;
use voight_domain::registry::{Client, ClientStatus, Context, ContextChange, KeyWithClient};
use voight_domain::services::{IssueKey, IssuedKey, Registration, RegistrationRequest};
use voight_domain::vocabulary::{ContextTitle, Environment, Origin, ScopeSet};

#[derive(Template)]
#[template(path = "protect.html")]
struct ProtectPage {
    page: Page,
    clients: Vec<(String, String)>,
    form: ProtectFields,
}

#[derive(Template)]
#[template(path = "protect_code.html")]
struct CodePage {
    page: Page,
    id: String,
    title: String,
    client: String,
    secret: String,
    public_url: String,
    origin_site: String,
}

/// Fields of the form.
#[derive(Clone, Default, Deserialize)]
pub(crate) struct ProtectFields {
    client: String,
    title: String,
    #[serde(default)]
    url: String,
    mode: String,
}

/// Valid input of the form.
struct NewQuest {
    client: Client,
    title: ContextTitle,
    site: Option<Origin>,
    change: ContextChange,
}

/// `GET /console/protect`: the form.
pub(crate) async fn show(visit: Visit) -> Result<HttpResponse, ConsoleError> {
    let form = ProtectFields {
        mode: "enforce".to_owned(),
        ..ProtectFields::default()
    };
    let page = Page::new(&visit, "Protect a quest");
    Ok(show_page(&ProtectPage::new(&visit, page, form).await?))
}

/// `POST /console/protect`: issues a key and registers the context with it.
pub(crate) async fn create(form: Form<ProtectFields>) -> Result<HttpResponse, ConsoleError> {
    let Form { visit, fields } = form;
    let outcome = match NewQuest::from_fields(&visit, &fields).await {
        Ok(quest) => quest.register(&visit).await,
        Err(error) => Err(error),
    };
    match outcome {
        Ok(page) => Ok(show_page(&page)),
        Err(error) => {
            let problem = error.into_correction()?;
            let page = Page::new(&visit, "Protect a quest").with_error(&problem);
            Ok(show_again(&ProtectPage::new(&visit, page, fields).await?))
        }
    }
}

impl ProtectPage {
    async fn new(visit: &Visit, page: Page, form: ProtectFields) -> Result<Self, ConsoleError> {
        let clients = visit.services().registry.all_clients().await?;
        let active_clients = clients
            .iter()
            .filter(|client| client.status == ClientStatus::Active)
            .map(|client| (client.id.to_string(), client.name.to_string()));
        Ok(Self {
            page,
            clients: active_clients.collect(),
            form,
        })
    }
}

impl NewQuest {
    async fn from_fields(visit: &Visit, fields: &ProtectFields) -> Result<Self, ConsoleError> {
        let title = fields.title.trim();
        let title = title
            .parse()
            .map_err(|error| ConsoleError::input(format!("The title is not valid: {error}.")))?;
        let site = parse_page_url(fields.url.trim()).map_err(ConsoleError::input)?;
        let change = ContextChange {
            origins: site.clone().map(|site| vec![site]),
            mode: Some(parse_mode(&fields.mode).map_err(ConsoleError::input)?),
            ..ContextChange::default()
        };
        let registry = &visit.services().registry;
        let client = registry.find_client(&fields.client).await?;
        Ok(Self {
            client,
            title,
            site,
            change,
        })
    }

    async fn register(self, visit: &Visit) -> Result<CodePage, ConsoleError> {
        let issued_key = self.issue_key(visit).await?;
        let context = self.register_context(visit, &issued_key).await?;
        let site = self.site.as_ref().map(ToString::to_string);
        Ok(CodePage {
            page: Page::new(visit, "Add the code"),
            id: context.id.to_string(),
            title: self.title.to_string(),
            client: self.client.name.to_string(),
            secret: issued_key.secret.expose().to_owned(),
            public_url: visit.state.settings.public_url.clone(),
            origin_site: origin_site(&site.unwrap_or_default()),
        })
    }

    async fn issue_key(&self, visit: &Visit) -> Result<IssuedKey, ConsoleError> {
        let request = IssueKey {
            client: self.client.id,
            environment: Environment::Live,
            scopes: ScopeSet::all(),
            networks: Vec::new(),
            expires_at: None,
            label: format!("{} backend", self.title).parse().ok(),
        };
        let registry = visit.services().registry.acting_as(&visit.actor());
        Ok(registry.issue_key(request).await?)
    }

    async fn register_context(
        &self,
        visit: &Visit,
        issued_key: &IssuedKey,
    ) -> Result<Context, ConsoleError> {
        let registry = &visit.services().registry;
        let holder = KeyWithClient {
            key: issued_key.key.clone(),
            client: self.client.clone(),
        };
        let request = RegistrationRequest {
            title: self.title.clone(),
            idempotency_key: None,
        };
        let registration = registry
            .register_context(&holder, request, visit.actor())
            .await?;
        let (Registration::Registered(id) | Registration::Replayed(id)) = registration else {
            return Err(ConsoleError::internal());
        };
        let detail = "settings of the first registration".to_owned();
        Ok(registry
            .change_context(&id, self.change.clone(), visit.actor(), detail)
            .await?)
    }
}

/// Returns the origin of the URL of a page; `None` for an empty text.
fn parse_page_url(text: &str) -> Result<Option<Origin>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    Origin::of_url(text)
        .map(Some)
        .map_err(|error| format!("The address of the quest page is not valid: {error}. Write it as https://quest.example/page."))
}
