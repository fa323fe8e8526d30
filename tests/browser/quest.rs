//! A platform's page on an origin of its own, with nothing but the three properties.

use crate::wallet::Wallet;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

const PAGE: &str = include_str!("quest.html");
const SCRIPT: &str = include_str!("quest.js");
const WALLET: &str = include_str!("wallet.js");
/// What the page shows in the end. The demo's robot waits for these names.
const END: &str =
    "<!doctype html><title>A quest</title><main id=quest data-state=claimed><p id=result>Claimed</p></main>";
/// How long a check may take, on a machine with other things to do.
const PATIENCE: Duration = Duration::from_mins(1);

/// The properties of the component.
#[derive(Debug, Clone)]
pub(crate) struct Properties {
    /// The service's base URL.
    pub(crate) service: String,
    pub(crate) eoa_address: String,
    pub(crate) context_id: String,
    /// The token of a vouched session, if the platform has one.
    pub(crate) session: Option<String>,
    /// The visitor's wallet, if there is one in the browser.
    pub(crate) wallet: Option<Wallet>,
}

/// What the page said in the end.
#[derive(Debug, Clone)]
pub(crate) struct Ending {
    /// Where the page went: `/claimed` or `/failed`.
    pub(crate) path: String,
    /// What it told.
    pub(crate) told: HashMap<String, String>,
}

/// The page's server. It ends with the test's process.
pub(crate) struct Quest {
    port: u16,
    endings: Receiver<Ending>,
}

impl Quest {
    /// Serves a page with these properties.
    pub(crate) fn open(properties: &Properties) -> Self {
        Self::host(&properties.service, properties.wallet.clone(), |url| properties.page(url))
    }

    /// Serves a page of the service at `service`, which is written once its own address is known.
    pub(crate) fn open_page(service: &str, page: impl FnOnce(&str) -> String) -> Self {
        Self::host(service, None, page)
    }

    fn host(service: &str, wallet: Option<Wallet>, page: impl FnOnce(&str) -> String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free loopback port");
        let port = listener.local_addr().expect("the address of a bound listener").port();
        let (sender, endings) = mpsc::channel();
        let site = Arc::new(Site::new(service, page(&url(port)), wallet));
        std::thread::spawn(move || {
            // Browsers open connections that they may never use, so each has a thread.
            for stream in listener.incoming().flatten() {
                let (site, sender) = (Arc::clone(&site), sender.clone());
                std::thread::spawn(move || site.serve(stream, &sender));
            }
        });
        Self { port, endings }
    }

    /// The page's address.
    pub(crate) fn url(&self) -> String {
        url(self.port)
    }

    /// Waits until the page went on.
    pub(crate) fn ending(&self) -> Ending {
        self.ending_within(PATIENCE).expect("the page goes on within a minute")
    }

    /// Waits so long until the page went on.
    pub(crate) fn ending_within(&self, time: Duration) -> Option<Ending> {
        self.endings.recv_timeout(time).ok()
    }
}

impl Ending {
    /// The receipt with which the button's own click ran.
    pub(crate) fn receipt(&self) -> &str {
        assert_eq!(self.path, "/claimed", "the check failed: {:?}", self.told);
        let receipt = self.told.get("receipt").map_or("", String::as_str);
        assert!(!receipt.is_empty(), "the button's click ran without a receipt");
        receipt
    }
}

fn url(port: u16) -> String {
    format!("http://127.0.0.1:{port}/")
}

struct Site {
    page: String,
    policy: String,
    wallet: Option<Wallet>,
}

impl Properties {
    fn page(&self, url: &str) -> String {
        let session = self.session.as_ref().map(|token| format!(r#" session="{token}""#)).unwrap_or_default();
        let wallet = self.wallet.as_ref().map_or_else(String::new, |wallet| {
            let (address, agrees) = (wallet.address(), wallet.agrees);
            format!(r#"<script src="/wallet.js" data-address="{address}" data-agrees="{agrees}"></script>"#)
        });
        let filled = [
            ("{{service}}", self.service.as_str()),
            ("{{origin_site}}", url),
            ("{{eoa_address}}", &self.eoa_address),
            ("{{context_id}}", &self.context_id),
            ("{{session}}", &session),
            ("{{wallet}}", &wallet),
        ];
        filled.iter().fold(PAGE.to_owned(), |page, (name, value)| page.replace(name, value))
    }
}

impl Site {
    fn new(service: &str, page: String, wallet: Option<Wallet>) -> Self {
        // The wallet is the only one who talks to the page's server.
        let connect = if wallet.is_some() { "connect-src 'self'; " } else { "" };
        let policy = format!(
            "default-src 'none'; {connect}script-src 'self' {service}; frame-src {service}; require-trusted-types-for 'script'"
        );
        Self { page, policy, wallet }
    }

    fn serve(&self, stream: TcpStream, endings: &Sender<Ending>) {
        let Some(target) = request_target(&stream) else { return };
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let signature = self.signature(path, query);
        let (status, kind, body) = match path {
            "/sign" => ("200 OK", "text/plain", signature.as_str()),
            "/wallet.js" => ("200 OK", "text/javascript", WALLET),
            "/" => ("200 OK", "text/html", self.page.as_str()),
            "/quest.js" => ("200 OK", "text/javascript", SCRIPT),
            "/claimed" | "/failed" => {
                // The test may be over when a browser that is being closed comes once more.
                let _ = endings.send(Ending { path: path.to_owned(), told: parameters(query) });
                ("200 OK", "text/html", END)
            }
            _ => ("404 Not Found", "text/plain", ""),
        };
        respond(
            stream,
            &format!(
                "HTTP/1.1 {status}\r\ncontent-type: {kind}; charset=utf-8\r\ncontent-security-policy: {}\r\n\
             cache-control: no-store\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                self.policy,
                body.len(),
            ),
        );
    }

    /// What the wallet answers to a request to sign.
    fn signature(&self, path: &str, query: &str) -> String {
        let wallet = self.wallet.as_ref().filter(|_| path == "/sign");
        wallet.map(|wallet| wallet.sign(&parameters(query)["message"])).unwrap_or_default()
    }
}

/// A browser that goes away before it was answered is its own business.
fn respond(mut stream: TcpStream, response: &str) {
    let _ = stream.write_all(response.as_bytes());
}

/// Reads the head of a request, and returns what it asks for.
fn request_target(stream: &TcpStream) -> Option<String> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next()?.ok()?;
    // The rest of the head has to be read before the connection is closed, else the answer may be lost.
    lines.map_while(Result::ok).find(String::is_empty)?;
    first.split(' ').nth(1).map(ToOwned::to_owned)
}

fn parameters(query: &str) -> HashMap<String, String> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

/// Form encoding, undone.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next(), rest.next()].map(|digit| digit.map_or('0', char::from));
                u8::from_str_radix(&String::from_iter(digits), 16).unwrap_or(b'?')
            }
            plain => plain,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
