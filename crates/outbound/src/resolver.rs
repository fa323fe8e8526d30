//! Resolution of names.

use async_trait::async_trait;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Resolver of names.
#[async_trait]
pub trait Resolver: Send + Sync {
    /// Returns all addresses of a name, in the order in which they are tried.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// Resolver of the operating system (`getaddrinfo`), on threads for blocking calls.
#[derive(Debug, Clone)]
pub struct SystemResolver {
    /// Permits of the threads. A thread keeps its permit when its caller has given up.
    permits: Arc<Semaphore>,
}

impl SystemResolver {
    /// Creates a resolver that uses at most `max_threads` threads.
    pub fn new(max_threads: usize) -> Self {
        let max_threads = max_threads.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            permits: Arc::new(Semaphore::new(max_threads)),
        }
    }
}

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let permit = Arc::clone(&self.permits)
            .acquire_owned()
            .await
            .map_err(io::Error::other)?;
        let name = name.to_owned();
        let lookup = spawn_blocking(move || {
            let _permit = permit;
            let addresses = (name.as_str(), 0).to_socket_addrs()?;
            Ok(addresses.map(|address| address.ip()).collect())
        });
        lookup.await.map_err(io::Error::other)?
    }
}
