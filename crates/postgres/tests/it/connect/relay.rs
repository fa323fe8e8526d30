//! Relay that terminates TLS with its own certificate and forwards all data between client and server.

use rcgen::KeyPair;
use std::io;
use std::sync::Arc;
use std::thread;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};
use voight_tests::postgres::Cluster;

/// Message by which a client requests TLS.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// Running relay; it ends with the process.
pub(crate) struct Relay {
    pub(crate) port: u16,
}

impl Relay {
    /// Starts a relay with this certificate, which verifies the server by `roots`.
    pub(crate) fn start(
        cluster: &Cluster,
        certificate: &str,
        key: &KeyPair,
        roots: &str,
        name: &str,
    ) -> Self {
        let acceptor = acceptor(certificate, key);
        let connector = connector(roots);
        let server = cluster.address();
        let name = ServerName::try_from(name.to_owned()).expect("a name");
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        listener.set_nonblocking(true).expect("a socket");
        let port = listener.local_addr().expect("an address").port();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        thread::spawn(move || {
            runtime.block_on(async move {
                let listener = TcpListener::from_std(listener).expect("a socket");
                while let Ok((client, _)) = listener.accept().await {
                    let acceptor = acceptor.clone();
                    let connector = connector.clone();
                    let server = server.clone();
                    let name = name.clone();
                    // The tests expect either side to close the connection.
                    tokio::spawn(async move {
                        pass_on(client, &server, name, acceptor, connector)
                            .await
                            .ok()
                    });
                }
            });
        });
        Self { port }
    }
}

async fn pass_on(
    mut client: TcpStream,
    server: &str,
    name: ServerName<'static>,
    acceptor: TlsAcceptor,
    connector: TlsConnector,
) -> io::Result<()> {
    client.read_exact(&mut [0; 8]).await?;
    client.write_all(b"S").await?;
    let mut client = acceptor.accept(client).await?;
    let mut server = TcpStream::connect(server).await?;
    server.write_all(&SSL_REQUEST).await?;
    server.read_exact(&mut [0; 1]).await?;
    let mut server = connector.connect(name, server).await?;
    copy_bidirectional(&mut client, &mut server).await.map(drop)
}

fn acceptor(certificate: &str, key: &KeyPair) -> TlsAcceptor {
    let chain =
        vec![CertificateDer::from_pem_slice(certificate.as_bytes()).expect("a certificate")];
    let key = PrivateKeyDer::from_pem_slice(key.serialize_pem().as_bytes()).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth();
    TlsAcceptor::from(Arc::new(
        config
            .with_single_cert(chain, key)
            .expect("a certificate and its key"),
    ))
}

fn connector(roots: &str) -> TlsConnector {
    let mut store = RootCertStore::empty();
    store
        .add(CertificateDer::from_pem_slice(roots.as_bytes()).expect("a certificate"))
        .expect("an authority");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config
        .with_safe_default_protocol_versions()
        .expect("versions");
    TlsConnector::from(Arc::new(
        config.with_root_certificates(store).with_no_client_auth(),
    ))
}
