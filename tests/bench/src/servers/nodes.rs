//! Several processes of the service on one PostgreSQL.

use super::BillableServer;
use super::peer::Database;
use super::service::{Service, SharedDatabase, configure};
use crate::cleanup::{Cleanup, Process, ScratchDir};
use crate::load::TargetServer;
use crate::machine::{Cores, StorageLocation};
use anyhow::Result;
use std::ops::Range;
use std::rc::Rc;
use voight_tests::server::{Server, TestAccount};
use voight_tests::{ports, secret};

/// Processes of the service, with a client, a key and a context.
pub(crate) struct Nodes {
    // Fields are dropped in this order: the processes end before the resources that they use.
    first: Service,
    others: Vec<Node>,
    database: Rc<Database>,
}

struct Node {
    _server: Server,
    port: u16,
    process: Process,
    _dir: ScratchDir,
}

impl Nodes {
    /// Starts the processes on the server core, on a new database of the PostgreSQL server.
    pub(crate) fn start(
        number: usize,
        database: &Rc<Database>,
        location: &StorageLocation,
        cores: Cores,
        cleanup: &Cleanup,
    ) -> Result<Self> {
        let pepper = format!("{}{}", secret::new()?, secret::new()?);
        let shared_database = SharedDatabase {
            url: database.create_database(&format!("voight_{number}"))?,
            pepper,
        };
        let first = Service::start_on(Some(shared_database.clone()), location, cores, cleanup)?;
        let other_nodes = (1..number)
            .map(|_| Node::start(&shared_database, location, cores, cleanup))
            .collect::<Result<_>>()?;
        Ok(Self {
            first,
            others: other_nodes,
            database: Rc::clone(database),
        })
    }

    /// Sets verdicts of bots on the addresses of these numbers, so that lookups read verdicts.
    pub(crate) fn seed_verdicts(&self, numbers: Range<u64>) -> Result<()> {
        self.first.seed_verdicts(numbers)
    }

    /// Verifies the hash chain of the whole ledger.
    pub(crate) fn verify(&self) -> Result<()> {
        self.first.command(&["audit", "verify"]).map(drop)
    }
}

impl Node {
    fn start(
        shared: &SharedDatabase,
        location: &StorageLocation,
        cores: Cores,
        cleanup: &Cleanup,
    ) -> Result<Self> {
        let dir = location.dir(cleanup)?;
        let data_dir = dir.path().join("data");
        let ports = [ports::free(), ports::free()];
        let start = || {
            Ok(Server::start_on(
                &data_dir,
                ports[0],
                ports[1],
                configure(Some(shared)),
            ))
        };
        let server = cores.start_server(start)?;
        let process = cleanup.process(server.pid());
        Ok(Self {
            _server: server,
            port: ports[0],
            process,
            _dir: dir,
        })
    }
}

impl BillableServer for Nodes {
    fn target(&self) -> TargetServer {
        let other_nodes = self.others.iter().map(|node| (node.port, node.process.id));
        TargetServer::with_database(
            [(self.first.port(), self.first.process())]
                .into_iter()
                .chain(other_nodes)
                .collect(),
            self.database.process(),
        )
    }

    fn account(&self) -> &TestAccount {
        self.first.account()
    }

    fn billable(&self) -> Result<u64> {
        self.first.billable()
    }
}
