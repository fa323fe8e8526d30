//! Diagnostics that need no service: clock, configuration, data directory and limits.

use super::report::DoctorFindings;
use crate::config::{Config, Loaded};
use crate::data_dir::{DataDir, PepperSource};
use crate::exposed_secrets::exposed_password;
use crate::os::{ConnectionLimits, hard_limit};
use voight_domain::Timestamp;

/// 2026-01-01T00:00:00Z, which is before the first release. An earlier clock is wrong.
const RELEASED: Timestamp = Timestamp::from_millis(1_767_225_600_000);

/// Checks a wall clock that shows `now`.
pub(super) fn clock(now: Timestamp, report: &mut DoctorFindings) {
    if now < RELEASED {
        let message = format!("it shows {now}, which is before this release was made");
        report.fail("clock", message, "set it right: lookups are dated by it");
    } else {
        report.ok("clock", format!("it shows {now}"));
    }
}

/// Checks whether other users can read the password of the database where it is set.
pub(super) fn configuration(loaded_config: &Loaded, report: &mut DoctorFindings) {
    match exposed_password(loaded_config) {
        Some(warning) => report.warn("configuration", warning, ""),
        None => report.ok("configuration", "it is valid"),
    }
}

/// Checks the trusted proxies.
pub(super) fn proxies(config: &Config, report: &mut DoctorFindings) {
    let proxies = &config.server.trusted_proxies;
    if let Some(all) = proxies.iter().find(|network| network.prefix_len() == 0) {
        let advice = "name only the networks of your own proxies: every client can write a forwarding header";
        report.fail(
            "proxies",
            format!("{all} is trusted, and that is every network"),
            advice,
        );
    } else if proxies.is_empty() {
        report.ok(
            "proxies",
            "no proxy is trusted; the address of a caller is the peer address of its connection",
        );
    } else {
        let list: Vec<_> = proxies.iter().map(ToString::to_string).collect();
        report.ok(
            "proxies",
            format!("{} may send forwarding headers", list.join(", ")),
        );
    }
}

/// Checks the price book.
pub(super) fn price_book(config: &Config, report: &mut DoctorFindings) {
    let book = config.billing.price_book();
    let message = format!(
        "{:?}, version {}, in {}",
        book.name(),
        book.version(),
        book.currency()
    );
    if config.billing.is_example() {
        let advice = "set [billing.price_book] in the configuration file before a client is billed";
        report.warn(
            "price book",
            format!("it is the built-in example: {message}"),
            advice,
        );
    } else {
        report.ok("price book", format!("it is {message}"));
    }
}

/// Checks the data directory and the permissions of its files.
pub(super) fn data_dir(dir: &DataDir, report: &mut DoctorFindings) {
    let open = dir.readable_by_others();
    if open.is_empty() {
        report.ok(
            "data directory",
            format!("{} is closed to others", dir.path().display()),
        );
    }
    for path in open {
        let advice = format!("run: chmod go= {}", path.display());
        report.warn(
            "data directory",
            format!("{} is open to others", path.display()),
            &advice,
        );
    }
}

/// Checks the source of the pepper.
pub(super) fn pepper(dir: &DataDir, report: &mut DoctorFindings) {
    match dir.pepper_source() {
        PepperSource::File => report.ok(
            "pepper",
            "it is in the data directory; back it up apart from the store",
        ),
        PepperSource::Environment => report.ok("pepper", "it comes from VOIGHT_PEPPER"),
        PepperSource::Both => {
            let advice = "remove the wrong one, so that no start uses it";
            report.warn(
                "pepper",
                "VOIGHT_PEPPER overrides the different pepper in the data directory",
                advice,
            );
        }
        PepperSource::None => {
            let advice =
                "set VOIGHT_PEPPER, or put the file `pepper` back: without it no key works";
            report.fail("pepper", "there is none", advice);
        }
    }
}

/// Advice on raising the limit of open files.
pub(super) const RAISE_OPEN_FILES: &str = "server.max_connections is reduced to that; raise the limit with `ulimit -n 65536`, \
or LimitNOFILE=65536 in the unit of systemd";

/// Checks the limit of open files that a service started from this shell would have.
pub(super) fn open_files(config: &Config, report: &mut DoctorFindings) {
    match ConnectionLimits::fit(hard_limit(), &config.server) {
        Err(failure) => report.fail("open files", failure.message, ""),
        Ok(limits) => {
            let ConnectionLimits {
                open_files,
                per_worker,
                per_network,
                ..
            } = limits;
            let limits = format!("{per_worker} connections a thread, {per_network} of a network");
            let message =
                format!("a service started from here may have {open_files}, which hold {limits}");
            if per_worker < config.server.max_connections {
                report.warn("open files", message, RAISE_OPEN_FILES);
            } else {
                report.ok("open files", message);
            }
        }
    }
}

/// Checks the public URL, which a service needs that other machines reach.
pub(super) fn public_url(config: &Config, report: &mut DoctorFindings) {
    let server = &config.server;
    if !server.public_url.is_empty() {
        report.ok(
            "public URL",
            format!("the window answers only documents of {}", server.public_url),
        );
    } else if !server.listen.ip().is_loopback() {
        let message = format!(
            "none, while {} can be reached from other machines",
            server.listen
        );
        let advice = "set server.public_url; until then the window answers documents of every name that resolves here";
        report.warn("public URL", message, advice);
    }
}
