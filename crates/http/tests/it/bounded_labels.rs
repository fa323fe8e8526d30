//! Number of series of a service, whatever its callers send.

use crate::common::{App, LOOKUP};
use actix_web::test::{TestRequest, init_service, try_call_service};
use std::collections::BTreeSet;
use std::net::IpAddr;
use voight_domain::metering::MeterRules;
use voight_http::{TextFormat, create_app};

/// Number of callers after which every series exists.
const WARM_UP: u32 = 20;
/// Number of callers, each with three requests.
const CALLERS: u32 = 1_000;

/// Returns the metrics in classic text.
fn metrics(app: &App) -> String {
    app.state.metrics.render(TextFormat::Classic).unwrap()
}

/// Returns the series without their values.
fn series(app: &App) -> BTreeSet<String> {
    let text = metrics(app);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned()))
        .collect()
}

fn address(caller: u32) -> String {
    format!("0x{caller:08x}00000000000000000000000000000000")
}

/// Returns a lookup of a new address, a lookup with a new key in a new context, and a request for a new path, each with the status
/// of its response.
fn requests(app: &App, context: &str, caller: u32) -> [(TestRequest, u16); 3] {
    let address = address(caller);
    let query = format!("{LOOKUP}?context_id=quest.{caller:026}&eoa_address={address}");
    let stranger = TestRequest::get()
        .uri(&query)
        .insert_header(("x-api-key", format!("vk_live_{caller:040}")));
    let path = TestRequest::get().uri(&format!("/{address}/{caller}"));
    [
        (app.look_up(context, &address), 200),
        (stranger, 401),
        (path, 404),
    ]
}

#[actix_web::test]
async fn series_do_not_grow_with_callers() {
    let app = App::billing(MeterRules::default()).await;
    let context = app.context().await;
    let service = init_service(create_app(app.state.clone())).await;
    let mut before = BTreeSet::new();
    for caller in 0..CALLERS {
        if caller == WARM_UP {
            before = series(&app);
        }
        for (request, status) in requests(&app, &context, caller) {
            let peer = (IpAddr::from([192, 0, 2, 1]), 4711).into();
            let request = request.peer_addr(peer).to_request();
            let response = try_call_service(&service, request).await.unwrap();
            assert_eq!(response.status(), status, "caller {caller}");
        }
    }
    assert!(before.len() > 100, "{} series", before.len());
    assert_eq!(series(&app), before);
    let text = metrics(&app);
    let recorded = format!(r#"voight_lookups_total{{outcome="recorded"}} {CALLERS}"#);
    assert!(text.lines().any(|line| line == recorded), "{text}");
    let looked_up_address = address(7);
    for secret in [
        looked_up_address.as_str(),
        &app.secret,
        &context,
        "quest.",
        "vk_live",
    ] {
        assert!(!text.contains(secret), "{secret} is in\n{text}");
    }
}
