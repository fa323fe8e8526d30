//! Platform's page, on its own origin. Public detectors evaluate the same session in it.

use crate::installed;
use anyhow::Result;
use serde_json::Value;
use std::collections::HashMap;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;
use voight_tests::screen::{Colour, Screen};
use voight_tests::site;
use voight_tests::visitor::Page;

const PAGE: &str = include_str!("page/quest.html");
const SCRIPT: &str = include_str!("page/quest.js");
const END: &str = include_str!("page/end.html");
/// Public detectors, by the path from which the page loads each.
const DETECTORS: [(&str, &str); 2] = [
    ("/botd.js", "@fingerprintjs/botd/dist/botd.esm.js"),
    ("/isbot.js", "isbot/index.mjs"),
];

/// Result that the page reports.
#[derive(Debug, Clone)]
pub struct PageResult {
    /// `true` if the wrapped button's own click ran, with a receipt.
    pub claimed: bool,
    /// Error code of the component otherwise.
    pub code: String,
    /// Results of the public detectors that could be loaded: `true` for a bot.
    pub detectors: HashMap<String, bool>,
}

/// Server of the page. It runs until the process ends.
pub struct PageServer {
    port: u16,
    endings: Receiver<(String, PageResult)>,
}

/// Page for one visitor.
pub struct PageVisit<'a> {
    site: &'a PageServer,
    context: &'a str,
    address: &'a str,
}

impl PageServer {
    /// Serves pages with the component of the service at this base URL.
    pub fn open(service: &str) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let (sender, endings) = mpsc::channel();
        let service = service.to_owned();
        site::serve(listener, move |stream| {
            handle_request(stream, port, &service, &sender);
        });
        Ok(Self { port, endings })
    }

    /// Returns the page for the owner of this address.
    pub fn visit<'a>(&'a self, context: &'a str, address: &'a str) -> PageVisit<'a> {
        PageVisit {
            site: self,
            context,
            address,
        }
    }
}

impl PageVisit<'_> {
    /// Returns the result of the page, if it is reported within this time.
    pub fn ending_within(&self, time: Duration) -> Option<PageResult> {
        let (address, ending) = self.site.endings.recv_timeout(time).ok()?;
        // A page of an earlier session may report late.
        (address == self.address).then_some(ending)
    }
}

impl Page for PageVisit<'_> {
    type End = PageResult;

    fn address(&self) -> String {
        format!(
            "http://127.0.0.1:{}/?address={}&context={}",
            self.site.port, self.address, self.context
        )
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

fn handle_request(
    stream: TcpStream,
    port: u16,
    service: &str,
    endings: &Sender<(String, PageResult)>,
) {
    let Some(target) = site::request_target(&stream) else {
        return;
    };
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let parameters = site::parameters(query);
    let (status, kind, body) = match path {
        "/" => (
            "200 OK",
            "text/html",
            render_page(port, service, &parameters),
        ),
        "/quest.js" => ("200 OK", "text/javascript", SCRIPT.to_owned()),
        "/claimed" | "/failed" => {
            let address = parameters.get("address").cloned().unwrap_or_default();
            // A closing browser may send a request after the run has ended.
            let _ = endings.send((address, PageResult::from_response(path, &parameters)));
            ("200 OK", "text/html", END.to_owned())
        }
        _ => detector(path),
    };
    site::respond(stream, status, kind, "", &body);
}

impl PageResult {
    fn from_response(path: &str, parameters: &HashMap<String, String>) -> Self {
        let result = parameters
            .get("detectors")
            .and_then(|text| serde_json::from_str::<Value>(text).ok());
        let result = result
            .as_ref()
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        let detectors = result
            .filter_map(|(name, bot)| Some((name.clone(), bot.as_bool()?)))
            .collect();
        let receipt = parameters
            .get("receipt")
            .is_some_and(|receipt| !receipt.is_empty());
        let is_claimed = path == "/claimed" && receipt;
        Self {
            claimed: is_claimed,
            code: parameters.get("code").cloned().unwrap_or_default(),
            detectors,
        }
    }
}

fn render_page(port: u16, service: &str, parameters: &HashMap<String, String>) -> String {
    let of = |name: &str| parameters.get(name).map_or("", String::as_str);
    let origin = format!("http://127.0.0.1:{port}/");
    let values = [
        ("{{service}}", service),
        ("{{origin_site}}", &origin),
        ("{{eoa_address}}", of("address")),
        ("{{context_id}}", of("context")),
    ];
    values.iter().fold(PAGE.to_owned(), |page, (name, value)| {
        page.replace(name, value)
    })
}

/// Returns a public detector if it is installed; the page works without it.
fn detector(path: &str) -> (&'static str, &'static str, String) {
    let file = DETECTORS
        .iter()
        .find(|(name, _)| *name == path)
        .map(|(_, file)| PathBuf::from(file));
    match file.and_then(|file| std::fs::read_to_string(installed::node_modules().join(file)).ok()) {
        Some(text) => ("200 OK", "text/javascript", text),
        None => ("404 Not Found", "text/plain", String::new()),
    }
}
