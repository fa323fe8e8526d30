//! Receiver on the loopback address whose behaviour a test decides.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Running receiver; it stops when it is dropped.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Receiver {
    /// Starts a receiver that handles each TCP connection by `handle`.
    pub(crate) async fn start_plain<F, H>(handle: H) -> Self
    where
        F: Future<Output = io::Result<()>> + Send + 'static,
        H: Fn(TcpStream) -> F + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&connections);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(handle(stream));
            }
        });
        Self {
            address,
            connections,
            task,
        }
    }

    /// Starts a receiver that handles each TLS connection by `handle`.
    pub(crate) async fn start<F, H>(acceptor: TlsAcceptor, handle: H) -> Self
    where
        F: Future<Output = io::Result<()>> + Send + 'static,
        H: Fn(TlsStream<TcpStream>) -> F + Send + Sync + 'static,
    {
        let handle = Arc::new(handle);
        Self::start_plain(move |stream| {
            let acceptor = acceptor.clone();
            let handle = Arc::clone(&handle);
            async move { handle(acceptor.accept(stream).await?).await }
        })
        .await
    }

    /// Starts a receiver that reads each request and writes `answer`, then closes the connection.
    pub(crate) async fn start_with_answer(
        acceptor: TlsAcceptor,
        answer: impl Into<Vec<u8>>,
    ) -> Self {
        let answer: Arc<[u8]> = answer.into().into();
        Self::start(acceptor, move |mut stream| {
            let answer = Arc::clone(&answer);
            async move {
                read_request(&mut stream).await?;
                stream.write_all(&answer).await?;
                stream.shutdown().await
            }
        })
        .await
    }

    /// Returns the URL of the receiver by its address.
    pub(crate) fn url(&self) -> String {
        format!("https://{}/hook?a=1", self.address)
    }

    /// Returns the number of connections.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Reads a request: the head, and as much of a body as its `Content-Length`.
pub(crate) async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && body.len() >= content_length(head)
        {
            return Ok(text);
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

fn content_length(head: &str) -> usize {
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    length.map_or(0, |length| length.parse().unwrap())
}
