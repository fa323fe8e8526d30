//! A line between the store and the server that can be disturbed.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// What the driver sends to commit, as it stands in its message.
const COMMIT: &[u8] = b"COMMIT\0";

/// What happens to commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Nothing.
    None,
    /// The line breaks before every third of them has reached the server.
    Before,
    /// The line breaks when every third of them is at the server, so that its answer is lost.
    After,
    /// Nobody gets through.
    Away,
}

/// A line to a server's socket, at a port of its own.
pub(crate) struct Proxy {
    port: u16,
    line: Arc<Line>,
}

struct Line {
    socket: PathBuf,
    trouble: Mutex<Trouble>,
    commits: AtomicU32,
    lost: AtomicU32,
}

impl Proxy {
    /// A line to the server with its socket in `folder`.
    pub(crate) fn to(folder: &Path) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let line = Line {
            socket: folder.join(".s.PGSQL.5432"),
            trouble: Mutex::new(Trouble::None),
            commits: AtomicU32::default(),
            lost: AtomicU32::default(),
        };
        let line = Arc::new(line);
        let accepting = Arc::clone(&line);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                accepting.connect(client);
            }
        });
        Self { port, line }
    }

    /// The URL over this line of what is at `url` over the socket.
    pub(crate) fn url(&self, url: &str) -> String {
        let (_, options) = url.split_once("&options=").expect("a URL of a schema");
        format!("postgres://postgres@127.0.0.1:{}/postgres?sslmode=disable&options={options}", self.port)
    }

    /// Lets this happen from now on.
    pub(crate) fn let_happen(&self, trouble: Trouble) {
        *self.line.trouble.lock().expect("no panic") = trouble;
    }

    /// How often the line has broken.
    pub(crate) fn lost(&self) -> u32 {
        self.line.lost.load(Ordering::SeqCst)
    }
}

impl Line {
    fn connect(self: &Arc<Self>, client: TcpStream) {
        let Ok(server) = UnixStream::connect(&self.socket) else { return };
        let (mut answers, mut to_client) =
            (server.try_clone().expect("a socket"), client.try_clone().expect("a socket"));
        thread::spawn(move || {
            let _ = std::io::copy(&mut answers, &mut to_client);
            let _ = to_client.shutdown(Shutdown::Both);
        });
        let line = Arc::clone(self);
        thread::spawn(move || line.forward(client, server));
    }

    fn forward(&self, mut client: TcpStream, mut server: UnixStream) {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(read @ 1..) = client.read(&mut bytes) {
            let sent = &bytes[..read];
            let trouble = self.trouble_with(sent);
            if trouble == Trouble::After {
                // The client hears nothing more of a line that is shut; the server goes on with what it has.
                let _ = client.shutdown(Shutdown::Both);
            }
            if matches!(trouble, Trouble::Before | Trouble::Away) || server.write_all(sent).is_err() {
                break;
            }
            if trouble == Trouble::After {
                let _ = server.shutdown(Shutdown::Write);
                return;
            }
        }
        let _ = client.shutdown(Shutdown::Both);
        let _ = server.shutdown(Shutdown::Both);
    }

    fn trouble_with(&self, sent: &[u8]) -> Trouble {
        let trouble = *self.trouble.lock().expect("no panic");
        let is_commit = sent.windows(COMMIT.len()).any(|window| window == COMMIT);
        let happens = match trouble {
            Trouble::None => false,
            Trouble::Away => true,
            Trouble::Before | Trouble::After => {
                is_commit && self.commits.fetch_add(1, Ordering::SeqCst).is_multiple_of(3)
            }
        };
        if !happens {
            return Trouble::None;
        }
        self.lost.fetch_add(1, Ordering::SeqCst);
        trouble
    }
}
