//! Stranger: holds open connections from an address of the loopback network.

use socket2::{Domain, Socket, Type};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::time::Duration;

/// Timeout of a response.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Returns the address of the network with this number.
pub(crate) const fn network(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 9, number, 1)
}

/// Response, as far as tests use it.
#[derive(Debug)]
pub(crate) struct RawAnswer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// Connections that are held until this is dropped.
pub(crate) struct Stranger {
    held: Vec<TcpStream>,
}

impl Stranger {
    /// Opens `connections` from `source`, sends `text` on each, and holds them.
    ///
    /// A connection that the service closes is held as well, because an attacker would open another one. Fewer are held only
    /// if the
    /// service accepts no more, which other users would notice.
    pub(crate) fn hold(source: Ipv4Addr, port: u16, connections: usize, text: &str) -> Self {
        let open = |_| {
            let mut stream = connect(source, port).ok()?;
            // The service may have closed it already.
            let _ = stream.write_all(text.as_bytes());
            Some(stream)
        };
        Self {
            held: (0..connections).map_while(open).collect(),
        }
    }

    /// Opens `connections` from `source` and sends as many of the bytes of `text` on each as the service and the sockets take.
    /// Reads no response.
    pub(crate) fn flood(source: Ipv4Addr, port: u16, connections: usize, text: &str) -> Self {
        let open = |_| {
            let mut stream = connect(source, port).ok()?;
            stream.set_nonblocking(true).ok()?;
            let mut unsent = text.as_bytes();
            while let Ok(1..) = stream
                .write(unsent)
                .inspect(|sent_bytes| unsent = unsent.get(*sent_bytes..).unwrap_or_default())
            {
            }
            Some(stream)
        };
        Self {
            held: (0..connections).map_while(open).collect(),
        }
    }

    /// Returns the number of connections that the service has not closed.
    pub(crate) fn still_open(&self) -> usize {
        self.held.iter().filter(|stream| is_open(stream)).count()
    }
}

fn is_open(mut stream: &TcpStream) -> bool {
    let mut buffer = [0; 4096];
    stream.set_nonblocking(true).expect("a socket");
    loop {
        match stream.read(&mut buffer) {
            Ok(1..) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return true,
            Ok(0) | Err(_) => return false,
        }
    }
}

/// Sends a request from `source` on its own connection, and reads the whole response.
pub(crate) fn ask(source: Ipv4Addr, port: u16, request: &str) -> io::Result<RawAnswer> {
    ask_on(&mut connect(source, port)?, request)
}

/// Sends a request on a connection that may stay open, and reads the whole response.
pub(crate) fn ask_on(stream: &mut TcpStream, request: &str) -> io::Result<RawAnswer> {
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    loop {
        if let Some((head, body)) = answer.split_once("\r\n\r\n")
            && body.len() >= length(head)?
        {
            let status = head
                .split(' ')
                .nth(1)
                .and_then(|status| status.parse().ok());
            return Ok(RawAnswer {
                status: status.ok_or(ErrorKind::InvalidData)?,
                body: body.to_owned(),
            });
        }
        let mut buffer = [0; 16 << 10];
        match stream.read(&mut buffer)? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            // The lengths of non-ASCII characters do not matter: no response that is tested contains any.
            read => answer.extend(buffer.iter().take(read).map(|byte| char::from(byte & 0x7f))),
        }
    }
}

/// Returns the length of the body that follows a head.
fn length(head: &str) -> io::Result<usize> {
    let mut fields = head.lines().filter_map(|line| line.split_once(": "));
    let length = fields.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    length.map_or(Ok(0), |(_, length)| {
        length.parse().map_err(|_| ErrorKind::InvalidData.into())
    })
}

pub(crate) fn connect(source: Ipv4Addr, port: u16) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&SocketAddrV4::new(source, 0).into())?;
    socket.connect_timeout(
        &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port).into(),
        TIMEOUT,
    )?;
    let stream = TcpStream::from(socket);
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    Ok(stream)
}
