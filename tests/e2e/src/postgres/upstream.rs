//! Server side of a fault proxy: a Unix domain socket or a port.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

/// Address that a server listens on.
#[derive(Debug, Clone)]
pub(super) enum UpstreamAddr {
    Socket(PathBuf),
    Port(u16),
}

/// Connection to a server.
#[derive(Debug)]
pub(super) enum UpstreamStream {
    Socket(UnixStream),
    Port(TcpStream),
}

impl UpstreamAddr {
    pub(super) fn connect(&self) -> io::Result<UpstreamStream> {
        match self {
            Self::Socket(path) => UnixStream::connect(path).map(UpstreamStream::Socket),
            Self::Port(port) => {
                TcpStream::connect((Ipv4Addr::LOCALHOST, *port)).map(UpstreamStream::Port)
            }
        }
    }
}

impl UpstreamStream {
    pub(super) fn another(&self) -> io::Result<Self> {
        match self {
            Self::Socket(stream) => stream.try_clone().map(Self::Socket),
            Self::Port(stream) => stream.try_clone().map(Self::Port),
        }
    }

    pub(super) fn shut(&self, how: Shutdown) {
        // A socket that is shut down already is left as it is.
        let _ = match self {
            Self::Socket(stream) => stream.shutdown(how),
            Self::Port(stream) => stream.shutdown(how),
        };
    }
}

impl Read for UpstreamStream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Socket(stream) => stream.read(bytes),
            Self::Port(stream) => stream.read(bytes),
        }
    }
}

impl Write for UpstreamStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Socket(stream) => stream.write(bytes),
            Self::Port(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Socket(stream) => stream.flush(),
            Self::Port(stream) => stream.flush(),
        }
    }
}
