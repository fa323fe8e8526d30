//! Page of a context: state, sites, settings and the code for its page.

use super::contexts::{sites, state};
use crate::chart::{DAYS, DayChart};
use crate::error::ConsoleError;
use crate::form::{Form, NoFields};
use crate::format::{State, Time, count_text, share_text};
use crate::page::Page;
use crate::response::{redirect_done, show as show_page, show_again};
use crate::visit::Visit;
use actix_web::HttpResponse;
use actix_web::web::Path;
use askama::Template;
use serde::Deserialize;
use std::collections::BTreeMap;
use voight_domain::check::{CheckCounts, CountedSite, SiteCounts};
use voight_domain::metering::Day;
use voight_domain::registry::{
    Client, Context, ContextChange, ContextMode, MinConfidence, OwnershipPolicy,
};
use voight_domain::vocabulary::{ContextId, Origin};

#[derive(Template)]
#[template(path = "context.html")]
struct ContextPage {
    page: Page,
    id: String,
    title: String,
    state: State,
    client_id: String,
    client: String,
    created_at: Time,
    is_archived: bool,
    /// Sites that may host checks; empty for any.
    sites: String,
    public_url: String,
    /// URL of the page in the code.
    origin_site: String,
    form: SettingFields,
    chart: DayChart,
    funnel: Vec<FunnelRow>,
    site_rows: Vec<SiteRow>,
}

/// Step from an opened check to a proof.
struct FunnelRow {
    name: &'static str,
    count: String,
    share: String,
    width: u64,
}

/// Row of a site that opened checks.
struct SiteRow {
    site: String,
    opened: String,
    bots: String,
}

/// Fields of the form of the settings.
#[derive(Clone, Deserialize)]
pub(crate) struct SettingFields {
    /// One origin in each line.
    sites: String,
    mode: String,
    certainty: u8,
    proof: String,
}

/// `GET /console/contexts/{context}`: a context.
pub(crate) async fn show(visit: Visit, id: Path<String>) -> Result<HttpResponse, ConsoleError> {
    let (context, client) = find(&visit, &id).await?;
    let form = SettingFields::from_context(&context);
    let page = Page::new(&visit, context.id.title());
    let counts = counts(&visit, &context).await?;
    Ok(show_page(&ContextPage::new(
        &visit, page, &context, &client, form, &counts,
    )))
}

/// `POST /console/contexts/{context}/settings`: changes the settings.
pub(crate) async fn change(
    id: Path<String>,
    form: Form<SettingFields>,
) -> Result<HttpResponse, ConsoleError> {
    let Form { visit, fields } = form;
    let (context, client) = find(&visit, &id).await?;
    let change = match fields.to_change() {
        Ok(change) => change,
        Err(problem) => {
            let page = Page::new(&visit, context.id.title()).with_error(&problem);
            let counts = counts(&visit, &context).await?;
            let page = ContextPage::new(&visit, page, &context, &client, fields, &counts);
            return Ok(show_again(&page));
        }
    };
    let detail = format!(
        "sites {:?}, mode {}, certainty {} %, proof {}",
        fields.sites.split_whitespace().collect::<Vec<_>>(),
        fields.mode,
        fields.certainty,
        fields.proof
    );
    let registry = &visit.services().registry;
    registry
        .change_context(&context.id, change, visit.actor(), detail)
        .await?;
    Ok(redirect_done(&path_of(&context.id), "context_changed"))
}

/// `POST /console/contexts/{context}/archive`: archives a context, or opens it again.
pub(crate) async fn archive(
    id: Path<String>,
    form: Form<NoFields>,
) -> Result<HttpResponse, ConsoleError> {
    let visit = form.visit;
    let (context, _) = find(&visit, &id).await?;
    let registry = &visit.services().registry;
    if context.archived_at.is_none() {
        registry.archive_context(&context.id, visit.actor()).await?;
        return Ok(redirect_done(&path_of(&context.id), "context_archived"));
    }
    let change = ContextChange {
        archived_at: Some(None),
        ..ContextChange::default()
    };
    registry
        .change_context(&context.id, change, visit.actor(), "reopened".to_owned())
        .await?;
    Ok(redirect_done(&path_of(&context.id), "context_reopened"))
}

/// Returns the URL of a page of the first site, for the code.
pub(crate) fn origin_site(sites: &str) -> String {
    let first_site = sites.split(", ").next().filter(|site| !site.is_empty());
    format!("{}/", first_site.unwrap_or("https://quest.example"))
}

/// Returns the context with this id, and its client.
pub(crate) async fn find(visit: &Visit, id: &str) -> Result<(Context, Client), ConsoleError> {
    let registry = &visit.services().registry;
    let id: ContextId = id
        .parse()
        .map_err(|_| ConsoleError::not_found("context with this id"))?;
    let context = registry.find_context(&id).await?;
    let client = registry.find_client(&context.client.to_string()).await?;
    Ok((context, client))
}

/// Returns the counts of the last days, by day and site.
async fn counts(
    visit: &Visit,
    context: &Context,
) -> Result<BTreeMap<Day, SiteCounts>, ConsoleError> {
    let today = Day(visit.now.day());
    let first = Day(today.0 - DAYS + 1);
    let check_counts = &visit.services().check_counts;
    Ok(check_counts.of_context(&context.id, first, today).await?)
}

fn funnel(total: CheckCounts) -> Vec<FunnelRow> {
    let steps = [
        ("Opened", total.opened),
        ("First press", total.started),
        ("Completed", total.completed),
        ("Wallet proved", total.owned),
    ];
    let row = |(name, count): (&'static str, u64)| FunnelRow {
        name,
        count: count_text(count),
        share: share_text(count, total.opened),
        width: count
            .saturating_mul(100)
            .checked_div(total.opened)
            .unwrap_or_default()
            .min(100),
    };
    steps.into_iter().map(row).collect()
}

/// Returns the sites, the one with the most opened checks first.
fn site_rows(counts: &BTreeMap<Day, SiteCounts>) -> Vec<SiteRow> {
    let mut by_site: BTreeMap<&CountedSite, CheckCounts> = BTreeMap::new();
    for (site, counts) in counts.values().flat_map(SiteCounts::sites) {
        *by_site.entry(site).or_default() += *counts;
    }
    let mut sites: Vec<_> = by_site.into_iter().collect();
    sites.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.opened));
    let row = |(site, counts): (&CountedSite, CheckCounts)| SiteRow {
        site: match site {
            CountedSite::Origin(origin) => origin.to_string(),
            CountedSite::Unknown => "not known".to_owned(),
            CountedSite::Others => "other sites".to_owned(),
        },
        opened: count_text(counts.opened),
        bots: share_text(counts.bot, counts.completed),
    };
    sites.into_iter().map(row).collect()
}

fn path_of(id: &ContextId) -> String {
    format!("{}/contexts/{id}", crate::PREFIX)
}

impl ContextPage {
    fn new(
        visit: &Visit,
        page: Page,
        context: &Context,
        client: &Client,
        form: SettingFields,
        counts: &BTreeMap<Day, SiteCounts>,
    ) -> Self {
        let totals: BTreeMap<_, _> = counts
            .iter()
            .map(|(day, sites)| (*day, sites.total()))
            .collect();
        let today = Day(visit.now.day());
        Self {
            page,
            id: context.id.to_string(),
            title: context.id.title().to_owned(),
            state: state(context),
            client_id: client.id.to_string(),
            client: client.name.to_string(),
            created_at: Time::new(context.created_at, visit.now),
            is_archived: context.archived_at.is_some(),
            sites: sites(context, Some(client)),
            public_url: visit.state.settings.public_url.clone(),
            origin_site: origin_site(&sites(context, Some(client))),
            form,
            chart: DayChart::new(&totals, today),
            funnel: funnel(totals.values().copied().sum()),
            site_rows: site_rows(counts),
        }
    }
}

impl SettingFields {
    fn from_context(context: &Context) -> Self {
        let settings = &context.settings;
        let origins: Vec<_> = settings.origins.iter().map(ToString::to_string).collect();
        let mode = match settings.mode {
            ContextMode::Enforce => "enforce",
            ContextMode::Observe => "observe",
        };
        let proof = match settings.ownership_proof {
            OwnershipPolicy::Never => "never",
            OwnershipPolicy::WhenUnsure => "when_unsure",
            OwnershipPolicy::Always => "always",
        };
        Self {
            sites: origins.join("\n"),
            mode: mode.to_owned(),
            certainty: settings.min_confidence.percent(),
            proof: proof.to_owned(),
        }
    }

    /// Returns the change of the context, or a sentence about the field that is wrong.
    fn to_change(&self) -> Result<ContextChange, String> {
        Ok(ContextChange {
            origins: Some(parse_sites(&self.sites)?),
            mode: Some(parse_mode(&self.mode)?),
            min_confidence: Some(
                MinConfidence::try_from(self.certainty).map_err(|error| error.to_string())?,
            ),
            ownership_proof: Some(parse_proof(&self.proof)?),
            ..ContextChange::default()
        })
    }
}

/// Returns the origins in a text with one in each line.
pub(crate) fn parse_sites(text: &str) -> Result<Vec<Origin>, String> {
    let parse = |line: &str| {
        line.parse::<Origin>()
            .map_err(|error| format!("{line:?} is not a site: {error}. Nothing was changed."))
    };
    text.split_whitespace().map(parse).collect()
}

/// Returns the mode of this name.
pub(crate) fn parse_mode(name: &str) -> Result<ContextMode, String> {
    match name {
        "enforce" => Ok(ContextMode::Enforce),
        "observe" => Ok(ContextMode::Observe),
        _ => Err("Choose what the answers should do: enforce or observe.".to_owned()),
    }
}

fn parse_proof(name: &str) -> Result<OwnershipPolicy, String> {
    match name {
        "never" => Ok(OwnershipPolicy::Never),
        "when_unsure" => Ok(OwnershipPolicy::WhenUnsure),
        "always" => Ok(OwnershipPolicy::Always),
        _ => Err("Choose when a wallet is asked for proof.".to_owned()),
    }
}
