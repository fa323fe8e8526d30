//! All readable data of a store as comparable text.

use crate::block_on::block_on_ok;
use crate::fixture::ALL;
use crate::generate::digest_of;
use std::fmt::Debug;
use voight_domain::metering::{Day, LedgerId};
use voight_domain::ports::{ContextFilter, Store};
use voight_domain::registry::{Client, Context};
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::{CheckId, ClientId, Environment, EoaAddress, Timestamp};
use voight_domain::webhooks::DeliveryLane;

/// Identifiers of data that a store does not list.
#[derive(Debug, Default)]
pub(crate) struct EntityRefs {
    pub(crate) digests: Vec<KeyDigest>,
    pub(crate) checks: Vec<CheckId>,
    pub(crate) addresses: Vec<EoaAddress>,
}

/// Returns one line for each readable item.
pub(crate) fn everything(store: &dyn Store, names: &EntityRefs) -> Vec<String> {
    let mut lines = StateDump(Vec::new());
    for client in block_on_ok(store.clients(None, ALL)) {
        lines.client(store, &client);
        lines.money(store, client.id);
        lines.snapshots(store, client.id);
        lines.events(store, client.id);
        lines.endpoints(store, client.id);
    }
    lines.due_endpoints(store);
    for context in block_on_ok(store.contexts(ContextFilter::All, None, ALL)) {
        lines.context(store, &context, &names.addresses);
    }
    for check in &names.checks {
        lines.add(
            &format!("conclusion of {check}"),
            &block_on_ok(store.concluded(*check)),
        );
        lines.add(
            &format!("batches of {check}"),
            &block_on_ok(store.batches(*check)),
        );
    }
    for digest in &names.digests {
        lines.add(
            &format!("key of {digest:?}"),
            &block_on_ok(store.key_by_digest(*digest)),
        );
    }
    lines.add(
        "unsettled",
        &block_on_ok(store.unjudged_checks(Timestamp::from_millis(i64::MAX), ALL)),
    );
    for record in block_on_ok(store.audit(0, ALL)) {
        lines.add("audit", &record);
    }
    lines.add(
        "check totals",
        &block_on_ok(store.check_totals(Day(i64::MIN), Day(i64::MAX))),
    );
    lines.add("signing key", &block_on_ok(store.signing_key()));
    lines.add("admin tokens", &block_on_ok(store.admin_tokens()));
    lines.add("users", &block_on_ok(store.users()));
    lines.add("head of the audit log", &block_on_ok(store.audit_head()));
    lines.0
}

/// Panics with the first difference.
#[track_caller]
pub(crate) fn assert_same(actual: &[String], expected: &[String], when: &str) {
    if let Some(difference) = difference(actual, expected) {
        panic!("{when} {difference}");
    }
}

/// Describes the first difference.
pub(crate) fn difference(actual: &[String], expected: &[String]) -> Option<String> {
    let index = (0..actual.len().max(expected.len()))
        .find(|&index| actual.get(index) != expected.get(index))?;
    let line = |lines: &[String]| {
        lines
            .get(index)
            .map_or("nothing more", String::as_str)
            .to_owned()
    };
    Some(format!(
        "actual:\n  {}\nexpected:\n  {}",
        line(actual),
        line(expected)
    ))
}

struct StateDump(Vec<String>);

impl StateDump {
    fn add(&mut self, what: &str, value: &impl Debug) {
        self.0.push(format!("{what}: {value:?}"));
    }

    fn client(&mut self, store: &dyn Store, client: &Client) {
        let id = client.id;
        self.add(
            &format!("client {id}"),
            &(
                block_on_ok(store.client(id)),
                block_on_ok(store.client_named(&client.name)),
            ),
        );
        for key in block_on_ok(store.keys(id)) {
            self.add(
                &format!("key {}", key.id),
                &(block_on_ok(store.key(key.id)), &key),
            );
        }
        for environment in [Environment::Live, Environment::Sandbox] {
            let ledger = LedgerId {
                client: id,
                environment,
            };
            self.add(
                &format!("{environment:?} meter of {id}"),
                &block_on_ok(store.meter(ledger)),
            );
            for entry in block_on_ok(store.rows(ledger, 0, ALL)) {
                self.add(&format!("{environment:?} row of {id}"), &entry);
            }
            self.add(
                &format!("{environment:?} periods of {id}"),
                &block_on_ok(store.ended_periods(ledger, 0, ALL)),
            );
            self.add(
                &format!("{environment:?} alerts of {id}"),
                &block_on_ok(store.alerts(ledger, 0, ALL)),
            );
        }
    }

    fn money(&mut self, store: &dyn Store, id: ClientId) {
        let facts = block_on_ok(store.billing(id))
            .map(|facts| (facts.account, facts.pending_adjustments, facts.ended));
        self.add(&format!("account of {id}"), &facts);
        for invoice in block_on_ok(store.invoices(id, 0, ALL)) {
            self.add(
                &format!("invoice of {id}"),
                &(block_on_ok(store.invoice(invoice.id)), &invoice),
            );
        }
    }

    fn events(&mut self, store: &dyn Store, id: ClientId) {
        self.add(&format!("feed of {id}"), &block_on_ok(store.event_feed(id)));
        for event in block_on_ok(store.events(id, 0, ALL)) {
            self.add(&format!("event of {id}"), &event);
        }
    }

    fn endpoints(&mut self, store: &dyn Store, id: ClientId) {
        for record in block_on_ok(store.endpoints(id)) {
            let name = record.endpoint.name();
            self.add(
                &format!("endpoint of {id}"),
                &(block_on_ok(store.endpoint(name)), &record),
            );
            for delivery in block_on_ok(store.deliveries(name, None, ALL)) {
                self.add(&format!("delivery to {} of {id}", name.id), &delivery);
            }
        }
    }

    /// Adds the endpoints that are due. The order of those that are due at the same time is the store's own.
    fn due_endpoints(&mut self, store: &dyn Store) {
        for lane in DeliveryLane::ALL {
            let mut names = block_on_ok(store.due_endpoints(lane, ALL));
            names.sort_unstable();
            for name in names {
                self.add(&format!("{lane:?} endpoint of {}", name.client), &name.id);
            }
        }
    }

    fn snapshots(&mut self, store: &dyn Store, id: ClientId) {
        for snapshot in block_on_ok(store.snapshots(id, None, ALL)) {
            for index in 0..snapshot.progress.stored_slices {
                let slice = block_on_ok(store.snapshot_slice(id, snapshot.id, index));
                self.add(&format!("slice {index} of {}", snapshot.id), &slice);
            }
            self.add(
                &format!("snapshot of {id}"),
                &(block_on_ok(store.snapshot(id, snapshot.id)), &snapshot),
            );
        }
    }

    fn context(&mut self, store: &dyn Store, context: &Context, addresses: &[EoaAddress]) {
        let id = &context.id;
        self.add(
            &format!("context {id}"),
            &(block_on_ok(store.context(id)), context),
        );
        self.add(
            &format!("verdicts in {id}"),
            &block_on_ok(store.verdicts(id, None, ALL)),
        );
        self.add(
            &format!("labels in {id}"),
            &block_on_ok(store.labels(id, None, ALL)),
        );
        let contexts = std::slice::from_ref(id);
        self.add(
            &format!("check counts of {id}"),
            &block_on_ok(store.check_counts(contexts, Day(i64::MIN), Day(i64::MAX))),
        );
        for address in addresses {
            self.add(
                &format!("verdict on {address} in {id}"),
                &block_on_ok(store.verdict(id, address)),
            );
            self.add(
                &format!("timeline of {address} in {id}"),
                &block_on_ok(store.timeline(id, address, ALL)),
            );
            let tombstone = block_on_ok(store.tombstone(id, digest_of(id, *address)));
            self.add(&format!("tombstone of {address} in {id}"), &tombstone);
        }
        self.add(
            &format!("fingerprints in {id}"),
            &block_on_ok(store.traces(id)),
        );
    }
}
