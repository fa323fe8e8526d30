//! What the service says of itself.

use super::report::Report;
use crate::admin_client::Path;
use crate::exit::Failure;
use crate::session::Session;
use crate::system::SystemClock;
use std::time::Duration;
use voight_domain::Timestamp;
use voight_domain::ports::Clock;
use voight_http::admin::dto::{AssetInfo, Info, StoreInfo};

/// A clock that is behind the store's creation by more than this is wrong.
const TOLERANCE: Duration = Duration::from_hours(24);

/// Looks at what the service says; returns the files of the component.
pub(super) fn examine(session: &Session, report: &mut Report) -> Result<Vec<AssetInfo>, Failure> {
    let info: Info = session.client().get(&Path::of(["info"]))?;
    store(&info.store, report);
    forwarding(&info, report);
    unpinned(&info, report);
    Ok(info.assets)
}

fn store(store: &StoreInfo, report: &mut Report) {
    let StoreInfo { engine, identity, format, created_at, health } = store;
    if health == "ready" {
        report.ok("store", format!("{engine} store {identity}, format {format}, of {created_at}, takes writes"));
    } else {
        report.fail("store", health.clone(), "");
    }
    let now = SystemClock.now();
    if created_at.parse::<Timestamp>().is_ok_and(|created| created.since(now) > TOLERANCE) {
        let message = format!("it shows {now}, and the store was created at {created_at}");
        report.fail("clock", message, "set it right: lookups are dated by it");
    }
}

fn forwarding(info: &Info, report: &mut Report) {
    if info.forwarding_header_from_untrusted_peer {
        let message = "one came from a peer that is not in server.trusted_proxies, and was ignored";
        let advice = "if that peer is your proxy, add its network; until then all its visitors look like one network";
        report.warn("forwarding header", message, advice);
    } else {
        report.ok("forwarding header", "none came from a peer that is not trusted");
    }
}

fn unpinned(info: &Info, report: &mut Report) {
    let contexts = &info.unpinned_contexts;
    if contexts.is_empty() {
        report.ok("origins", "every open context is pinned to its origins");
    } else {
        let message = format!("any page may host the checks of {}", contexts.join(", "));
        report.warn("origins", message, "pin them with `voight client origins NAME --set https://…`");
    }
}
