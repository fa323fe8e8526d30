//! Verdicts: of an address in all contexts, or of a context.

use crate::error::ConsoleError;
use crate::format::{Address, Score, StatusMark, Time};
use crate::page::Page;
use crate::response::show as show_page;
use crate::screens::context;
use crate::visit::Visit;
use actix_web::HttpResponse;
use actix_web::web::Query;
use askama::Template;
use serde::Deserialize;
use voight_domain::registry::Context;
use voight_domain::services::VerdictListItem;
use voight_domain::verdict::detail;
use voight_domain::vocabulary::EoaAddress;

/// Verdicts of one page.
const PAGE_SIZE: usize = 100;

/// Query of the page.
#[derive(Deserialize)]
pub(crate) struct VerdictQuery {
    #[serde(default)]
    q: String,
    #[serde(default)]
    context: String,
    #[serde(default)]
    after: String,
}

#[derive(Template)]
#[template(path = "verdicts.html")]
struct VerdictsPage {
    page: Page,
    query: VerdictQuery,
    /// Title of the context; empty for the verdicts of an address.
    context_title: String,
    problem: Option<String>,
    rows: Vec<Row>,
    next: Option<String>,
}

/// Row of the list.
struct Row {
    context_id: String,
    context: String,
    address_text: String,
    address: Address,
    status: StatusMark,
    score: Score,
    checks: u32,
    rule: String,
    at: Option<Time>,
}

/// `GET /console/verdicts?q=&context=&after=`: verdicts of an address, or of a context.
pub(crate) async fn show(
    visit: Visit,
    query: Query<VerdictQuery>,
) -> Result<HttpResponse, ConsoleError> {
    let query = query.into_inner();
    let mut page = VerdictsPage {
        page: Page::new(&visit, "Verdicts"),
        context_title: String::new(),
        problem: None,
        rows: Vec::new(),
        next: None,
        query,
    };
    if !page.query.q.trim().is_empty() {
        page.find_address(&visit).await?;
    } else if !page.query.context.is_empty() {
        page.list_context(&visit).await?;
    }
    Ok(show_page(&page))
}

impl VerdictsPage {
    async fn find_address(&mut self, visit: &Visit) -> Result<(), ConsoleError> {
        let address = match self.query.q.trim().parse::<EoaAddress>() {
            Ok(address) => address,
            Err(error) => {
                self.problem = Some(format!("This is not an address: {error}."));
                return Ok(());
            }
        };
        let found_verdicts = visit
            .services()
            .operator
            .find_verdicts(address, None, PAGE_SIZE)
            .await?;
        let rows = found_verdicts
            .iter()
            .map(|found_verdict| Row::new(visit, &found_verdict.context, &found_verdict.item));
        self.rows = rows.collect();
        if self.rows.is_empty() {
            self.problem = Some(
                "No context has a verdict on this address: no check of it was completed."
                    .to_owned(),
            );
        }
        Ok(())
    }

    async fn list_context(&mut self, visit: &Visit) -> Result<(), ConsoleError> {
        let (context, _) = context::find(visit, &self.query.context).await?;
        let after = self.query.after.parse::<EoaAddress>().ok();
        let operator = &visit.services().operator;
        let items = operator.verdicts(&context.id, after, PAGE_SIZE).await?;
        if items.len() == PAGE_SIZE {
            self.next = items.last().map(|item| item.record.address.to_string());
        }
        self.rows = items
            .iter()
            .map(|item| Row::new(visit, &context, item))
            .collect();
        if self.rows.is_empty() {
            self.problem =
                Some("This context has no verdicts yet: no check was completed.".to_owned());
        }
        context.id.title().clone_into(&mut self.context_title);
        Ok(())
    }
}

impl Row {
    fn new(visit: &Visit, context: &Context, item: &VerdictListItem) -> Self {
        let VerdictListItem {
            record,
            tombstone,
            summary,
        } = item;
        let detail = detail(Some(&record.verdict), tombstone.as_ref(), &context.settings);
        let effective_verdict =
            voight_domain::verdict::effective_verdict(Some(&record.verdict), tombstone.as_ref());
        let answer = voight_domain::verdict::answer(&effective_verdict, &context.settings);
        Self {
            context_id: context.id.to_string(),
            context: context.id.title().to_owned(),
            address_text: record.address.to_string(),
            address: record.address.into(),
            status: detail.status.into(),
            score: Score::new(answer),
            checks: detail.checks,
            rule: summary.rule.clone().unwrap_or_default(),
            at: summary.last_event_at.map(|at| Time::new(at, visit.now)),
        }
    }
}
