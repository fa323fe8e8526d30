//! `GET /readyz`: readiness of the service, with the reasons if it does not accept traffic.

use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin::{ReadyInfo, describe_with_advice, unavailable_reason};
use voight_domain::ports::Health;

const DRAINING: &str = "the service is shutting down";
const OVERLOADED: &str = "the requests of platforms exceed server.max_concurrent_requests: some were rejected with 503 in the last \
seconds";
const OVERLOADED_BY_VISITORS: &str = "the requests of visitors exceed server.max_concurrent_requests: some were rejected with 503 in \
the last seconds";
const RESERVE_USED: &str = "less space than store.reserved_free_mib is free on the disk of the store or of the data directory: \
evidence of visitors and uploads of platforms are rejected with 503, while lookups are answered; free some space";
const LACKS_CONNECTIONS: &str = "all connections of server.max_connections are in use and none waits for its client: some new ones \
were closed in the last seconds";
const UNTRUSTED_FORWARDER: &str = "a forwarding header came from a peer that is not in trusted_proxies and is ignored; if \
that peer is your proxy, add its network, because until then all its visitors look like one network";

pub(super) async fn show(state: web::Data<AppState>) -> HttpResponse {
    let info = readiness(&state);
    let mut answer = if info.ready {
        HttpResponse::Ok()
    } else {
        HttpResponse::ServiceUnavailable()
    };
    answer.json(info)
}

/// Returns the readiness of the service with the reasons against it.
pub(crate) fn readiness(state: &AppState) -> ReadyInfo {
    let draining = state.is_draining().then(|| DRAINING.to_owned());
    let overload_reason = state.is_overloaded().then(|| OVERLOADED.to_owned());
    let visitor_overload_reason = state
        .is_overloaded_by_visitors()
        .then(|| OVERLOADED_BY_VISITORS.to_owned());
    let connection_reason = state
        .lacks_connections()
        .then(|| LACKS_CONNECTIONS.to_owned());
    let clock_reason = state
        .clock
        .error()
        .map(|doubt| describe_with_advice(&doubt));
    let reserve_used = uses_reserve(state).then(|| RESERVE_USED.to_owned());
    let health = state.services.maintenance.health();
    let share = unreachable_share(&health);
    let is_degraded = share.is_some();
    let unreachable_percent = share.unwrap_or_default();
    let is_tolerated = is_degraded && unreachable_percent <= state.settings.max_unreachable_percent;
    let (tolerated, troubled) = if is_tolerated {
        (unavailable_reason(&health), None)
    } else {
        (None, unavailable_reason(&health))
    };
    let reasons = [
        draining,
        overload_reason,
        visitor_overload_reason,
        connection_reason,
        clock_reason,
        reserve_used,
        troubled,
    ];
    let reasons: Vec<_> = reasons.into_iter().flatten().collect();
    let proxy_warning = state
        .untrusted_proxy()
        .map(|_| UNTRUSTED_FORWARDER.to_owned());
    let warnings = [proxy_warning, tolerated].into_iter().flatten().collect();
    ReadyInfo {
        ready: reasons.is_empty(),
        degraded: is_degraded,
        unreachable_percent,
        reasons,
        warnings,
    }
}

/// Returns `true` if the disk of the store or of the temporary files has less free space than the reserve.
fn uses_reserve(state: &AppState) -> bool {
    let disk = state
        .services
        .maintenance
        .status()
        .ok()
        .and_then(|status| status.disk);
    disk.is_some_and(|disk| disk.free < disk.reserve) || state.spool.uses_reserve()
}

/// Returns the percentage of clients that cannot be served while the others can. It is 0 if only a server without shards
/// cannot be used.
const fn unreachable_share(health: &Health) -> Option<u8> {
    match health {
        Health::Degraded { percent, .. } => Some(*percent),
        _ => None,
    }
}
