//! Resolver and connector that a test controls.

use async_trait::async_trait;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Mutex;
use tokio::net::TcpStream;
use voight_outbound::{Connector, Resolver};

/// Resolver whose answers are scripted: the answer to each query of a name, the last one repeated.
#[derive(Default)]
pub(crate) struct ScriptedResolver {
    answers: Mutex<HashMap<String, VecDeque<Vec<IpAddr>>>>,
    queries: Mutex<Vec<String>>,
}

impl ScriptedResolver {
    /// Sets the answers to the next queries of a name.
    pub(crate) fn script(&self, name: &str, answers: &[&[&str]]) {
        let parse = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
        let answers = answers.iter().map(parse).collect();
        self.answers
            .lock()
            .unwrap()
            .insert(name.to_owned(), answers);
    }

    /// Returns the names of all queries.
    pub(crate) fn queries(&self) -> Vec<String> {
        self.queries.lock().unwrap().clone()
    }
}

#[async_trait]
impl Resolver for ScriptedResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        self.queries.lock().unwrap().push(name.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let script = answers
            .get_mut(name)
            .ok_or_else(|| io::Error::other("no such name"))?;
        let answer = if script.len() > 1 {
            script.pop_front()
        } else {
            script.front().cloned()
        };
        answer.ok_or_else(|| io::Error::other("no such name"))
    }
}

/// Route of a connection: the result that the connector scripts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Route {
    /// The connection is rejected.
    Reject,
    /// The connection is never established.
    Silence,
    /// The connection is established to this address instead.
    To(SocketAddr),
}

/// Connector that records the addresses of all connections.
pub(crate) struct RecordingConnector {
    default_route: Route,
    routes: Mutex<HashMap<IpAddr, Route>>,
    addresses: Mutex<Vec<SocketAddr>>,
}

impl RecordingConnector {
    pub(crate) fn new(default_route: Route) -> Self {
        Self {
            default_route,
            routes: Mutex::default(),
            addresses: Mutex::default(),
        }
    }

    /// Sets what is done with connections to one address.
    pub(crate) fn route(&self, address: &str, route: Route) {
        let address = address.parse().unwrap();
        self.routes.lock().unwrap().insert(address, route);
    }

    /// Returns the addresses of all connections.
    pub(crate) fn addresses(&self) -> Vec<String> {
        let addresses = self.addresses.lock().unwrap();
        addresses.iter().map(ToString::to_string).collect()
    }
}

#[async_trait]
impl Connector for RecordingConnector {
    async fn connect(&self, address: SocketAddr) -> io::Result<TcpStream> {
        self.addresses.lock().unwrap().push(address);
        let route = self.routes.lock().unwrap().get(&address.ip()).copied();
        match route.unwrap_or(self.default_route) {
            Route::Reject => Err(io::ErrorKind::ConnectionRefused.into()),
            Route::Silence => std::future::pending().await,
            Route::To(local) => TcpStream::connect(local).await,
        }
    }
}
