//! Faults between a node and its database, or in either, and their effects on clients.

use crate::cluster::clients::{CUT_OFF, Clients, REFUSED, UNAVAILABLE};
use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;
use voight_tests::server::TestAccount;

mod database;
mod network;
mod node;
mod page;
mod standby;

const CONNECTIONS: usize = 8;
const LOOKUPS: usize = 240;
const PAUSE: Duration = Duration::from_millis(10);

/// Fault, its visible outcomes other than responses, and its consequence.
struct FaultCase {
    what: &'static str,
    seen: &'static [&'static str],
    then: &'static str,
}

const LINE_BREAKS: FaultCase = FaultCase {
    what: "A connection to the database breaks before, during or after a commit, or is reset",
    seen: &[],
    then: "The transaction is repeated over another connection, unless it was committed.",
};
const LINE_IS_LATE: FaultCase = FaultCase {
    what: "A connection is slow",
    seen: &[],
    then: "Each round trip to the database adds its delay to the answer.",
};
const LINE_IS_SILENT: FaultCase = FaultCase {
    what: "Connections transmit nothing and are not closed",
    seen: &[UNAVAILABLE],
    then: "Each is closed after 10 seconds; the database releases its locks after 30 more.",
};
const BACKEND: FaultCase = FaultCase {
    what: "A backend of the server is killed (`kill -9`)",
    seen: &[UNAVAILABLE],
    then: "The server restarts automatically within seconds.",
};
const SERVER: FaultCase = FaultCase {
    what: "The server is killed",
    seen: &[UNAVAILABLE],
    then: "The nodes are unready, and recover automatically when the server has restarted.",
};
const PAUSED: FaultCase = FaultCase {
    what: "The server hangs (`kill -STOP`)",
    seen: &[UNAVAILABLE],
    then: "A request waits for at most 30 seconds; then as for a killed server.",
};
const FULL: FaultCase = FaultCase {
    what: "The server's disk is full",
    seen: &[UNAVAILABLE],
    then: "The nodes recover automatically when there is space; a server that has exited must be started.",
};
const NO_CONNECTION: FaultCase = FaultCase {
    what: "The server grants no more connections",
    seen: &[UNAVAILABLE],
    then: "Requests use the existing connections.",
};
const PROMOTION: FaultCase = FaultCase {
    what: "The primary fails, and its standby is promoted",
    seen: &[UNAVAILABLE],
    then: "The nodes connect to the server that accepts writes.",
};
const HUNG_PRIMARY: FaultCase = FaultCase {
    what: "The primary's machine hangs, and its standby is promoted",
    seen: &[UNAVAILABLE],
    then: "As above, after about 30 seconds; late answers of the old primary have no effect.",
};
const NO_STANDBY: FaultCase = FaultCase {
    what: "The synchronous standby fails",
    seen: &[UNAVAILABLE],
    then: "No change on one disk only is acknowledged, until the standby is back or the primary is configured not to wait for it.",
};
const NODE: FaultCase = FaultCase {
    what: "A node is killed",
    seen: &[REFUSED, CUT_OFF],
    then: "The other nodes answer; retry at one of them.",
};
const CLOCK: FaultCase = FaultCase {
    what: "A node's clock is an hour off",
    seen: &[],
    then: "Rows are never dated before the one that they follow. More than a day behind, the node is unready.",
};

/// Every fault, in the order of the page.
const ALL: [&FaultCase; 13] = [
    &LINE_BREAKS,
    &LINE_IS_LATE,
    &LINE_IS_SILENT,
    &BACKEND,
    &SERVER,
    &PAUSED,
    &FULL,
    &NO_CONNECTION,
    &PROMOTION,
    &HUNG_PRIMARY,
    &NO_STANDBY,
    &NODE,
    &CLOCK,
];

impl FaultCase {
    /// Runs [`may_be_seen`](Self::may_be_seen) for a fault whose outcomes clients always or never see.
    #[track_caller]
    fn is_survived(
        &self,
        account: &TestAccount,
        nodes: &[String],
        happens: impl FnOnce(&Clients<'_>),
    ) {
        let outcomes = self.may_be_seen(account, nodes, happens);
        assert_eq!(
            outcomes.is_empty(),
            self.seen.is_empty(),
            "{:?} is listed and never seen",
            self.seen
        );
    }

    /// Sends lookups, each until it is answered, while the fault `happens`. Returns the visible outcomes.
    ///
    /// Every lookup must get its row, and only the documented outcomes of this fault may occur.
    #[track_caller]
    fn may_be_seen(
        &self,
        account: &TestAccount,
        nodes: &[String],
        happens: impl FnOnce(&Clients<'_>),
    ) -> BTreeSet<String> {
        let clients = Clients::new(account, nodes, LOOKUPS);
        thread::scope(|scope| {
            for _ in 0..CONNECTIONS {
                scope.spawn(|| clients.send_lookups());
            }
            while clients.completed() < LOOKUPS / 8 {
                thread::sleep(PAUSE);
            }
            happens(&clients);
        });
        println!("{}: {}", self.what, clients.report());
        assert!(
            clients.rows() == (1..=LOOKUPS as u64).collect::<Vec<_>>(),
            "the ledger is not exact"
        );
        let outcomes: BTreeSet<_> = clients
            .outcomes()
            .into_iter()
            .filter(|outcome| outcome != "200")
            .collect();
        let permitted_outcomes: BTreeSet<_> = self.seen.iter().map(ToString::to_string).collect();
        assert!(
            outcomes.is_subset(&permitted_outcomes),
            "{outcomes:?} is seen, and only {permitted_outcomes:?} is listed"
        );
        outcomes
    }
}
