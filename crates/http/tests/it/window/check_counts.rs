//! Counts of checks while the store fails.

use crate::common::{ADDRESS, App};
use crate::window::service::ORIGIN;
use std::sync::Arc;
use voight_contract::{FaultDuration, FaultKind, FaultyStore, InjectedFault};
use voight_domain::metering::Day;
use voight_domain::services::OpenCheck;

/// Opens two checks, of which the write of the first counts fails, and returns the number of stored ones.
async fn opened_after(failure: FaultKind) -> u64 {
    // Three changes create the account: the client, its key, and a context.
    let fault = InjectedFault {
        call: 4,
        times: FaultDuration::Once,
        failure,
    };
    let app = App::with_store(|store| Arc::new(FaultyStore::wrap(store, fault))).await;
    let request = OpenCheck {
        context: app.context().await.parse().unwrap(),
        address: ADDRESS.parse().unwrap(),
        origin: ORIGIN.parse().unwrap(),
        origin_site: ORIGIN.to_owned(),
        session: None,
        rate_excess: 0,
    };
    let services = &app.state.services;
    services.checks.open_check(request.clone()).await.unwrap();
    services.check_counts.store_counts().await.unwrap_err();
    services.checks.open_check(request).await.unwrap();
    services.check_counts.store_counts().await.unwrap();
    let today = Day(app.ports.clock.now().day());
    let totals = services.check_counts.total(today, today).await.unwrap();
    totals.values().map(|counts| counts.opened).sum()
}

#[actix_web::test]
async fn rejected_counts_are_stored_later() {
    assert_eq!(opened_after(FaultKind::Rejected).await, 2);
}

#[actix_web::test]
async fn counts_of_unknown_outcome_are_not_repeated() {
    assert_eq!(opened_after(FaultKind::Made).await, 2);
    assert_eq!(opened_after(FaultKind::Lost).await, 1);
}
