//! Platform's page on its own origin, with only the three properties.

use crate::browser::wallet::Wallet;
use std::collections::HashMap;
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;
use voight_tests::screen::{Colour, Screen};
use voight_tests::site;
use voight_tests::visitor::Page;

const PAGE: &str = include_str!("quest.html");
const SCRIPT: &str = include_str!("quest.js");
const WALLET: &str = include_str!("wallet.js");
/// Final state of the page. The demo's robot waits for these names.
const END: &str = "<!doctype html><title>A quest</title><main id=quest data-state=claimed><p id=result>Claimed</p></main>";
/// Timeout of a check, on a busy machine.
const PAGE_TIMEOUT: Duration = Duration::from_mins(1);

/// Properties of the component.
#[derive(Debug, Clone)]
pub(crate) struct Properties {
    /// Base URL of the service.
    pub(crate) service: String,
    pub(crate) eoa_address: String,
    pub(crate) context_id: String,
    /// Token of a vouched session, if the platform has one.
    pub(crate) session: Option<String>,
    /// Wallet of the visitor, if the browser has one.
    pub(crate) wallet: Option<Wallet>,
}

/// Result that the page reports.
#[derive(Debug, Clone)]
pub(crate) struct PageResult {
    /// Final path of the page: `/claimed` or `/failed`.
    pub(crate) path: String,
    /// Parameters of the report.
    pub(crate) told: HashMap<String, String>,
}

/// Server of the page. It runs until the test's process ends.
pub(crate) struct QuestPage {
    port: u16,
    endings: Receiver<PageResult>,
}

impl QuestPage {
    /// Serves a page with these properties.
    pub(crate) fn open(properties: &Properties) -> Self {
        Self::host(&properties.service, properties.wallet.clone(), |url| {
            properties.page(url)
        })
    }

    /// Serves a page of the service at `service`, which is generated once its own address is known.
    pub(crate) fn open_page(service: &str, page: impl FnOnce(&str) -> String) -> Self {
        Self::host(service, None, page)
    }

    fn host(service: &str, wallet: Option<Wallet>, page: impl FnOnce(&str) -> String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free loopback port");
        let port = listener
            .local_addr()
            .expect("the address of a bound listener")
            .port();
        let (sender, endings) = mpsc::channel();
        let site = PageServer::new(service, page(&url(port)), wallet);
        site::serve(listener, move |stream| site.serve(stream, &sender));
        Self { port, endings }
    }

    /// Returns the address of the page.
    pub(crate) fn url(&self) -> String {
        url(self.port)
    }

    /// Waits for the result of the page.
    pub(crate) fn ending(&self) -> PageResult {
        self.ending_within(PAGE_TIMEOUT)
            .expect("the page goes on within a minute")
    }

    /// Waits for the result of the page, for at most `time`.
    pub(crate) fn ending_within(&self, time: Duration) -> Option<PageResult> {
        self.endings.recv_timeout(time).ok()
    }
}

impl Page for QuestPage {
    type End = PageResult;

    fn address(&self) -> String {
        self.url()
    }

    fn button(&self) -> Colour {
        [0x0a, 0x7d, 0x5c]
    }

    fn tabs(&self) -> usize {
        1
    }

    fn end(&self, _: &Screen, wait: Duration) -> Option<PageResult> {
        self.ending_within(wait)
    }
}

impl PageResult {
    /// Returns the receipt with which the button's own click ran.
    pub(crate) fn receipt(&self) -> &str {
        assert_eq!(self.path, "/claimed", "the check failed: {:?}", self.told);
        let receipt = self.told.get("receipt").map_or("", String::as_str);
        assert!(
            !receipt.is_empty(),
            "the button's click ran without a receipt"
        );
        receipt
    }
}

fn url(port: u16) -> String {
    format!("http://127.0.0.1:{port}/")
}

struct PageServer {
    page: String,
    policy: String,
    wallet: Option<Wallet>,
}

impl Properties {
    fn page(&self, url: &str) -> String {
        let session = self
            .session
            .as_ref()
            .map(|token| format!(r#" session="{token}""#))
            .unwrap_or_default();
        let wallet = self.wallet.as_ref().map_or_else(String::new, |wallet| {
            let address = wallet.address();
            let Wallet { agrees, own, .. } = wallet;
            format!(
                r#"<script src="/wallet.js" data-address="{address}" data-agrees="{agrees}" data-own="{own}"></script>"#
            )
        });
        let values = [
            ("{{service}}", self.service.as_str()),
            ("{{origin_site}}", url),
            ("{{eoa_address}}", &self.eoa_address),
            ("{{context_id}}", &self.context_id),
            ("{{session}}", &session),
            ("{{wallet}}", &wallet),
        ];
        values.iter().fold(PAGE.to_owned(), |page, (name, value)| {
            page.replace(name, value)
        })
    }
}

impl PageServer {
    fn new(service: &str, page: String, wallet: Option<Wallet>) -> Self {
        // Only the wallet sends requests to the page's server.
        let connect = if wallet.is_some() {
            "connect-src 'self'; "
        } else {
            ""
        };
        let policy = format!(
            "default-src 'none'; {connect}script-src 'self' {service}; frame-src {service}; require-trusted-types-for 'script'"
        );
        Self {
            page,
            policy,
            wallet,
        }
    }

    fn serve(&self, stream: TcpStream, endings: &Sender<PageResult>) {
        let Some(target) = site::request_target(&stream) else {
            return;
        };
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let signature = self.signature(path, query);
        let (status, kind, body) = match path {
            "/sign" => ("200 OK", "text/plain", signature.as_str()),
            "/wallet.js" => ("200 OK", "text/javascript", WALLET),
            "/" => ("200 OK", "text/html", self.page.as_str()),
            "/quest.js" => ("200 OK", "text/javascript", SCRIPT),
            "/claimed" | "/failed" => {
                // The test may be over when a closing browser sends one more request.
                let _ = endings.send(PageResult {
                    path: path.to_owned(),
                    told: site::parameters(query),
                });
                ("200 OK", "text/html", END)
            }
            _ => ("404 Not Found", "text/plain", ""),
        };
        let policy = format!("content-security-policy: {}\r\n", self.policy);
        site::respond(stream, status, kind, &policy, body);
    }

    /// Returns the wallet's response to a request to sign.
    fn signature(&self, path: &str, query: &str) -> String {
        let wallet = self.wallet.as_ref().filter(|_| path == "/sign");
        wallet
            .map(|wallet| wallet.sign(&site::parameters(query)["message"]))
            .unwrap_or_default()
    }
}
