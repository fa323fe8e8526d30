//! Overview: what needs an operator, and the numbers of the service.

use super::system;
use crate::chart::{DAYS, DayChart};
use crate::error::ConsoleError;
use crate::format::{count_text, share_text};
use crate::page::Page;
use crate::response::show as show_page;
use crate::visit::Visit;
use actix_web::HttpResponse;
use askama::Template;
use std::time::Duration;
use voight_domain::check::CheckCounts;
use voight_domain::metering::Day;
use voight_domain::registry::Permission;

/// Age from which a missing backup needs an operator.
const BACKUP_DUE: Duration = Duration::from_hours(24);
/// Contexts without a site that are listed.
const MAX_OPEN_CONTEXTS: usize = 5;

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage {
    page: Page,
    first_name: String,
    has_clients: bool,
    has_contexts: bool,
    tasks: Vec<Task>,
    numbers: Vec<Number>,
    chart: Option<DayChart>,
}

/// Number with its name and the number of the period before.
struct Number {
    name: &'static str,
    /// Class of the dot; empty for none.
    dot: &'static str,
    value: String,
    comparison: String,
}

/// Task of an operator.
struct Task {
    icon: &'static str,
    tone: &'static str,
    title: String,
    text: String,
    path: String,
    action: &'static str,
}

/// `GET /console`: the overview.
pub(crate) async fn show(visit: Visit) -> Result<HttpResponse, ConsoleError> {
    let registry = &visit.services().registry;
    let has_contexts = registry.has_contexts().await?;
    let has_clients = has_contexts || !registry.all_clients().await?.is_empty();
    let name = visit.user.name.as_str();
    let today = Day(visit.now.day());
    let first = today.0 - DAYS + 1;
    let check_counts = &visit.services().check_counts;
    let counts = check_counts.total(Day(first - DAYS), today).await?;
    let current_counts: CheckCounts = counts.range(Day(first)..).map(|(_, counts)| *counts).sum();
    let earlier_counts: CheckCounts = counts.range(..Day(first)).map(|(_, counts)| *counts).sum();
    Ok(show_page(&OverviewPage {
        page: Page::new(&visit, "Overview"),
        first_name: name.split_whitespace().next().unwrap_or(name).to_owned(),
        has_clients,
        has_contexts,
        tasks: tasks(&visit).await?,
        numbers: numbers(current_counts, earlier_counts),
        chart: (current_counts.opened > 0).then(|| DayChart::new(&counts, today)),
    }))
}

/// Returns the numbers of the last days beside those of as many days before.
fn numbers(current: CheckCounts, earlier: CheckCounts) -> Vec<Number> {
    let count = |name, current, earlier| Number {
        name,
        dot: "",
        value: count_text(current),
        comparison: format!("was {}", count_text(earlier)),
    };
    let share = |name, dot, part: fn(&CheckCounts) -> u64| Number {
        name,
        dot,
        value: count_text(part(&current)),
        comparison: format!(
            "{} of completed, was {}",
            share_text(part(&current), current.completed),
            share_text(part(&earlier), earlier.completed)
        ),
    };
    let abandoned = |counts: CheckCounts| counts.opened.saturating_sub(counts.completed);
    vec![
        count("Checks opened", current.opened, earlier.opened),
        count("Completed", current.completed, earlier.completed),
        Number {
            name: "Not completed",
            dot: "",
            value: share_text(abandoned(current), current.opened),
            comparison: format!("was {}", share_text(abandoned(earlier), earlier.opened)),
        },
        share("People", "people", |counts| counts.human),
        share("Bots", "bots", |counts| counts.bot),
        share("Unsure", "unsure", |counts| counts.unsure),
    ]
}

/// Returns the tasks, the most urgent one first.
async fn tasks(visit: &Visit) -> Result<Vec<Task>, ConsoleError> {
    let mut tasks: Vec<_> = store_task(visit).into_iter().collect();
    if visit.allows(Permission::Read) {
        tasks.extend(open_contexts(visit).await?);
        tasks.extend(backup_task(visit).await?);
    }
    if visit.allows(Permission::Own) {
        tasks.extend(owner_task(visit).await?);
    }
    Ok(tasks)
}

fn store_task(visit: &Visit) -> Option<Task> {
    let problem = system::problem(&visit.services().maintenance.health());
    (!problem.is_empty()).then(|| Task {
        icon: "i-warn",
        tone: "bad",
        title: "The store needs you".to_owned(),
        text: problem,
        path: format!("{}/system", crate::PREFIX),
        action: "See system",
    })
}

async fn open_contexts(visit: &Visit) -> Result<Vec<Task>, ConsoleError> {
    let registry = &visit.services().registry;
    let contexts = registry.contexts_without_origins(MAX_OPEN_CONTEXTS).await?;
    let tasks = contexts
        .iter()
        .filter(|context| !context.environment.is_test())
        .map(|context| Task {
            icon: "i-flag",
            tone: "bad",
            title: format!("{} has no registered site", context.id.title()),
            text: "Any page may host its checks.".to_owned(),
            path: format!("{}/contexts/{}#settings", crate::PREFIX, context.id),
            action: "Set sites",
        });
    Ok(tasks.collect())
}

async fn backup_task(visit: &Visit) -> Result<Option<Task>, ConsoleError> {
    let newest_backup = system::newest_backup(visit).await?;
    let since = newest_backup
        .completed_at
        .unwrap_or_else(|| visit.services().maintenance.info().created_at);
    if visit.now.saturating_since(since) < BACKUP_DUE {
        return Ok(None);
    }
    let title = match newest_backup.completed_at {
        Some(_) => "The last backup is more than a day old",
        None => "The service has made no backup yet",
    };
    Ok(Some(Task {
        icon: "i-clock",
        tone: "soft",
        title: title.to_owned(),
        text: "A store that is backed up by other means is not known here.".to_owned(),
        path: format!("{}/system", crate::PREFIX),
        action: "See system",
    }))
}

async fn owner_task(visit: &Visit) -> Result<Option<Task>, ConsoleError> {
    let users = visit.services().users.list().await?;
    let owners = users
        .iter()
        .filter(|user| user.is_active() && user.role.allows(Permission::Own));
    let is_single = owners.count() < 2;
    Ok(is_single.then(|| Task {
        icon: "i-person",
        tone: "soft",
        title: "Add a second owner".to_owned(),
        text: "So that a lost device locks no one out.".to_owned(),
        path: format!("{}/people", crate::PREFIX),
        action: "Invite",
    }))
}
