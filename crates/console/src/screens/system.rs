//! State of the service: the store, its last backup and its last scrub.

use crate::error::ConsoleError;
use crate::format::{State, Time, count_text};
use crate::page::Page;
use crate::response::show as show_page;
use crate::visit::Visit;
use actix_web::{HttpResponse, web};
use askama::Template;
use std::sync::PoisonError;
use voight_domain::ports::Health;
use voight_domain::services::NewestBackup;

#[derive(Template)]
#[template(path = "system.html")]
struct SystemPage {
    page: Page,
    version: &'static str,
    engine: String,
    identity: String,
    format: u32,
    created_at: Time,
    health: State,
    problem: String,
    backup_at: Option<Time>,
    scrub: Option<ScrubFacts>,
    disk: Option<DiskFacts>,
}

/// Facts about the last pass of the scrubber.
struct ScrubFacts {
    at: Time,
    records: String,
}

/// Facts about the disk.
struct DiskFacts {
    main: String,
    evidence: String,
    free: String,
}

/// `GET /console/system`: the state of the service.
pub(crate) async fn show(visit: Visit) -> Result<HttpResponse, ConsoleError> {
    let maintenance = visit.services().maintenance.clone();
    let blocking_maintenance = maintenance.clone();
    let status = web::block(move || blocking_maintenance.status())
        .await
        .map_err(|_| ConsoleError::internal())??;
    let info = maintenance.info();
    let backup = newest_backup(&visit).await?;
    let health = maintenance.health();
    Ok(show_page(&SystemPage {
        page: Page::new(&visit, "System"),
        version: visit.state.settings.version,
        engine: info.engine,
        identity: info.identity,
        format: info.format,
        created_at: Time::new(info.created_at, visit.now),
        problem: problem(&health),
        health: state(&health),
        backup_at: backup.completed_at.map(|at| Time::new(at, visit.now)),
        scrub: status.last_scrub.map(|pass| ScrubFacts {
            at: Time::new(pass.finished_at, visit.now),
            records: count_text(pass.tables.iter().map(|table| table.rows).sum()),
        }),
        disk: status.disk.map(|disk| DiskFacts {
            main: megabytes(disk.main),
            evidence: megabytes(disk.evidence),
            free: megabytes(disk.free),
        }),
    }))
}

/// Returns the newest backup that the audit log names.
pub(crate) async fn newest_backup(visit: &Visit) -> Result<NewestBackup, ConsoleError> {
    let newest_backup = &visit.state.newest_backup;
    let known_backup = *newest_backup.lock().unwrap_or_else(PoisonError::into_inner);
    let operator = &visit.services().operator;
    let backup = operator.newest_backup(known_backup).await?;
    *newest_backup.lock().unwrap_or_else(PoisonError::into_inner) = backup;
    Ok(backup)
}

/// Returns the state of the store as a word.
pub(crate) fn state(health: &Health) -> State {
    match health {
        Health::Ready => State::good("Ready"),
        Health::OutOfSpace => State::bad("No space left"),
        Health::Degraded { .. } => State::uncertain("Partly reachable"),
        Health::Unreachable(_) => State::bad("Not reachable"),
        Health::Failed(_) => State::bad("Stopped"),
    }
}

/// Returns what is wrong with the store; empty if nothing is.
pub(crate) fn problem(health: &Health) -> String {
    match health {
        Health::Ready => String::new(),
        Health::OutOfSpace => {
            "The disk is full. Reads are answered, changes are rejected. Free space on the disk."
                .to_owned()
        }
        Health::Degraded { percent, why } => {
            format!("{percent} % of the clients cannot be served: {why}")
        }
        Health::Unreachable(why) => format!("The database does not answer: {why}"),
        Health::Failed(why) => format!("The store has stopped: {why}"),
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", count_text(bytes / 1_000_000))
}
