//! Test cases of the storage ports: one case per promise, and one file per port.

mod admin;
mod admin_tokens;
mod all_ports;
mod billing;
mod check;
mod check_counts;
mod endpoints;
mod erasure;
mod events;
mod evidence;
mod labels;
mod links;
mod lookup;
mod maintenance;
mod receipts;
mod registry;
mod replay;
mod snapshots;
mod users;

use crate::factory::Capability;
use crate::fixture::Fixture;

/// Named test case. It fails by panicking.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) needs: Option<Capability>,
    pub(crate) run: fn(&mut Fixture),
}

/// Declares cases from functions, under their names. `needs` names a capability without which the case is skipped.
macro_rules! cases {
    (@) => { None };
    (@ $capability:ident) => { Some($crate::factory::Capability::$capability) };
    ($($name:ident $(needs $capability:ident)?),* $(,)?) => {
        pub(crate) const CASES: &[$crate::cases::Case] = &[$($crate::cases::Case {
            name: stringify!($name),
            needs: $crate::cases::cases!(@ $($capability)?),
            run: $name,
        }),*];
    };
}
use cases;

/// Iterates over all cases with the names of their ports; `all_ports` is for promises of all storage calls.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, &'static Case)> {
    let one_file = [
        ("admin_tokens", admin_tokens::CASES),
        ("check", check::CASES),
        ("check_counts", check_counts::CASES),
        ("erasure", erasure::CASES),
        ("events", events::CASES),
        ("evidence", evidence::CASES),
        ("labels", labels::CASES),
        ("links", links::CASES),
        ("receipts", receipts::CASES),
        ("replay", replay::CASES),
        ("snapshots", snapshots::CASES),
        ("users", users::CASES),
        ("maintenance", maintenance::CASES),
    ];
    let admin = admin::CASES.map(|cases| ("admin", cases));
    let billing = billing::CASES.map(|cases| ("billing", cases));
    let endpoints = endpoints::CASES.map(|cases| ("endpoints", cases));
    let lookup = lookup::CASES.map(|cases| ("lookup", cases));
    let registry = registry::CASES.map(|cases| ("registry", cases));
    let all_ports = all_ports::CASES.map(|cases| ("all_ports", cases));
    let groups = admin
        .into_iter()
        .chain(billing)
        .chain(endpoints)
        .chain(one_file)
        .chain(lookup)
        .chain(registry)
        .chain(all_ports);
    groups.flat_map(|(port, cases)| cases.iter().map(move |case| (port, case)))
}
