//! Tests with a ledger whose last row is dated days after the machine's clock.

use crate::cli::Cli;
use crate::config::Config;
use crate::exit::{CommandError, Exit};
use crate::http_settings::{app_state, settings};
use crate::installation::Installation;
use crate::lifecycle::{AdminListeners, block_on, serve};
use crate::os::SystemClock;
use crate::testing::{ADDRESS, TestAccount, get, listener, one_row};
use actix_web::web;
use clap::Parser;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use voight_domain::Timestamp;
use voight_domain::ports::Clock;
use voight_http::HttpSettings;
use voight_support::ManualClock;

const DAYS: Duration = Duration::from_hours(24 * 10);
/// Creates an installation in `dir` with one row, dated ten days from now.
fn ahead(dir: &Path) -> (Config, TestAccount, Timestamp) {
    let mut config = Config::default();
    config.store.data_dir = dir.join("data").to_str().unwrap().to_owned();
    let date = SystemClock.now().saturating_add(DAYS);
    let services = Installation::open_by(&config, Arc::new(ManualClock::new(date)))
        .unwrap()
        .services;
    let account = block_on(one_row(&services));
    (config, account, date)
}

fn voight(config: &Config, arguments: &[&str]) -> Result<(), CommandError> {
    let line = [&["voight", "--data-dir", &config.store.data_dir], arguments].concat();
    Cli::try_parse_from(line).unwrap().run(HashMap::new())
}

/// Opens the installation after the previous command has released the store.
///
/// Its workers release the store with a delay; a process that ends releases it at its exit.
fn reopened(config: &Config) -> Installation {
    for _ in 0..100 {
        match Installation::open(config) {
            Err(failure) if failure.exit == Exit::Unreachable => {
                std::thread::sleep(Duration::from_millis(20));
            }
            outcome => return outcome.unwrap(),
        }
    }
    panic!("the store is held for two seconds");
}

#[test]
fn acknowledgement_without_a_server_applies_at_the_next_start() {
    let dir = tempfile::tempdir().unwrap();
    let (config, _, _) = ahead(dir.path());
    let doubt = || {
        let state = app_state(reopened(&config).services, HttpSettings::default());
        block_on(state.refresh_recorded_time()).unwrap();
        state.clock.error()
    };
    assert!(doubt().is_some());
    let failure = voight(&config, &["doctor"]).unwrap_err();
    assert!(failure.message.starts_with("1 check failed: "), "{failure}");
    voight(&config, &["usage"]).unwrap();
    voight(
        &config,
        &[
            "doctor",
            "--acknowledge-clock",
            "--reason",
            "the clock was wrong when the row was written",
        ],
    )
    .unwrap();
    assert_eq!(doubt(), None);
    voight(&config, &["doctor"]).unwrap();
    let second_error = voight(&config, &["doctor", "--acknowledge-clock"]).unwrap_err();
    assert!(
        second_error.exit == Exit::Failure
            && second_error.message.contains("nothing to acknowledge"),
        "{second_error}"
    );
}

#[test]
fn a_running_server_is_ready_once_its_clock_is_accepted() {
    let dir = tempfile::tempdir().unwrap();
    let (config, account, date) = ahead(dir.path());
    let (public, public_addr) = listener();
    let (admin, admin_addr) = listener();
    let lookup = format!(
        "http://{public_addr}/api/v1/users/eoa?eoa_address={ADDRESS}&context_id={}",
        account.context
    );
    let operator = config.clone();
    let asserted_responses = move || {
        let readiness = || get(&format!("http://{admin_addr}/readyz"), "");
        let (status, body) = readiness();
        assert!(
            status == 503
                && body.contains(&date.to_string())
                && body.contains("--acknowledge-clock"),
            "{body}"
        );
        let (status, body) = get(&lookup, &account.secret);
        assert!(status == 503 && body.contains("m_g_x_2"), "{body}");
        voight(&operator, &["usage"]).unwrap();
        voight(&operator, &["doctor", "--acknowledge-clock"]).unwrap();
        assert_eq!((readiness().0, get(&lookup, &account.secret).0), (200, 200));
        voight(&operator, &["doctor"]).unwrap();
    };
    let Installation {
        data_dir,
        services,
        store,
        token,
        ..
    } = reopened(&config);
    let (socket, _bound) = data_dir.bind_admin_socket().unwrap();
    let admin = AdminListeners {
        tcp: admin,
        socket: Some(socket),
        pages: None,
    };
    block_on(async {
        let state = app_state(services, settings(&config, admin_addr));
        let until = async { web::block(asserted_responses).await.unwrap() };
        serve(
            public,
            admin,
            state,
            token,
            config.store.with_url(&store),
            until,
        )
        .await
        .unwrap();
    });
}

#[test]
fn where_no_installation_is_none_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.store.data_dir = dir.path().join("data").to_str().unwrap().to_owned();
    let error = voight(&config, &["doctor", "--acknowledge-clock"]).unwrap_err();
    assert!(
        error.exit == Exit::NotFound && error.message.contains("--data-dir"),
        "{error}"
    );
    assert!(!dir.path().join("data").exists());
}
