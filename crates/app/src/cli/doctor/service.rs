//! Diagnostics from the information that the service reports.

use super::local;
use super::report::DoctorFindings;
use crate::config::Config;
use crate::exit::CommandError;
use crate::os::SystemClock;
use crate::session::AdminSession;
use std::time::Duration;
use voight_api::admin::{Clock, Info, StoreInfo, Unreachable, routes};
use voight_domain::Timestamp;
use voight_domain::clock_guard::is_behind;
use voight_domain::ports::Clock as _;

/// Time after the end of a period from which a missing invoice is reported.
const CLOSED_WITHIN: Duration = Duration::from_hours(7 * 24);

/// Checks the information that the service reports, and returns it.
pub(super) fn examine(
    session: &AdminSession,
    config: &Config,
    report: &mut DoctorFindings,
) -> Result<Info, CommandError> {
    let info = session.client().call(&routes::SHOW_INFO.call([]))?;
    store(&info.store, report);
    clock(
        &session.client().call(&routes::SHOW_CLOCK.call([]))?,
        &info.store,
        report,
    );
    open_files(&info, config, report);
    forwarding(&info, report);
    unpinned(&info, report);
    unreachable(&info, report);
    uninvoiced(&info, report);
    Ok(info)
}

fn store(store: &StoreInfo, report: &mut DoctorFindings) {
    let StoreInfo {
        engine,
        identity,
        format,
        created_at,
        health,
    } = store;
    if health == "ready" {
        report.ok(
            "store",
            format!("{engine} store {identity}, format {format}, of {created_at}, takes writes"),
        );
    } else {
        report.fail("store", health.clone(), "");
    }
}

/// Checks whether the clock guard of the service accepts its clock.
fn clock(clock: &Clock, store: &StoreInfo, report: &mut DoctorFindings) {
    let Clock { now, error } = clock;
    let times = (
        now.parse::<Timestamp>(),
        store.created_at.parse::<Timestamp>(),
    );
    match (error, times) {
        (Some(error), _) => {
            let advice = "set the clock, and lookups resume automatically; if it is right, run `voight doctor --acknowledge-clock`";
            report.fail("clock", format!("{error}; no lookup is answered"), advice);
        }
        (None, (Ok(now), Ok(created))) if is_behind(now, created) => {
            let advice = "set it right, unless it was wrong when the store was created";
            report.warn(
                "clock",
                format!("it shows {now}, and the store was created at {created}"),
                advice,
            );
        }
        (None, (Ok(now), _)) => local::clock(now, report),
        (None, (Err(error), _)) => {
            report.fail("clock", format!("the service shows {now:?}: {error}"), "");
        }
    }
}

/// Checks the limit of open files of the running server.
fn open_files(info: &Info, config: &Config, report: &mut DoctorFindings) {
    let Some(limit) = info.max_open_files else {
        return;
    };
    let max_connections = info.max_connections;
    let network = info.max_connections_per_network;
    let message = format!(
        "the service may have {limit}, which hold {max_connections} connections a thread, {network} of a network"
    );
    if max_connections < config.server.max_connections {
        report.warn("open files", message, local::RAISE_OPEN_FILES);
    } else {
        report.ok("open files", message);
    }
}

fn forwarding(info: &Info, report: &mut DoctorFindings) {
    if info.forwarding_header_from_untrusted_peer {
        let message = "a forwarding header came from a peer that is not in server.trusted_proxies, and was ignored";
        let advice = "if that peer is your proxy, add its network; until then all its visitors look like one network";
        report.warn("forwarding header", message, advice);
    } else {
        report.ok(
            "forwarding header",
            "no forwarding header came from an untrusted peer",
        );
    }
}

fn unpinned(info: &Info, report: &mut DoctorFindings) {
    let contexts = &info.contexts_without_origins;
    if contexts.is_empty() {
        report.ok("origins", "every open context is pinned to its origins");
    } else {
        let message = format!("any page may host the checks of {}", contexts.join(", "));
        report.warn(
            "origins",
            message,
            "pin them with `voight client origins NAME --set https://…`",
        );
    }
}

/// Reports contexts that no active key can use.
fn unreachable(info: &Info, report: &mut DoctorFindings) {
    if info.unreachable_contexts.is_empty() {
        return report.ok(
            "contexts",
            "an active key can look up in every open context",
        );
    }
    let context_text = |lost: &Unreachable| {
        format!(
            "{} (key {}, client {:?})",
            lost.context_id, lost.key_id, lost.client
        )
    };
    let contexts: Vec<_> = info.unreachable_contexts.iter().map(context_text).collect();
    let message = format!("no active key can look up in {}", contexts.join(", "));
    let advice = "move a context to an active key of its client with `voight context move CONTEXT_ID --to-key KEY_ID`, or give \
        its own key a new secret, also if it is revoked, with `voight key rotate --now KEY_ID`";
    report.warn("contexts", message, advice);
}

fn uninvoiced(info: &Info, report: &mut DoctorFindings) {
    let now = SystemClock.now();
    let is_late = |since: Timestamp| now.saturating_since(since) > CLOSED_WITHIN;
    let late_clients = info
        .uninvoiced
        .iter()
        .filter(|entry| entry.period_ended_at.parse().is_ok_and(is_late));
    let names: Vec<_> = late_clients
        .map(|entry| format!("{} (since {})", entry.client, entry.period_ended_at))
        .collect();
    if names.is_empty() {
        report.ok(
            "invoices",
            "every period that ended more than a week ago has an invoice",
        );
    } else {
        let message = format!(
            "periods that ended more than a week ago have no invoice: {}",
            names.join(", ")
        );
        report.warn(
            "invoices",
            message,
            "issue them with `voight invoice close`",
        );
    }
}
