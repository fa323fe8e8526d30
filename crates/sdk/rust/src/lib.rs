#![doc = include_str!("../README.md")]

mod call;
mod error;
/// Operations, errors and types of the API.
#[rustfmt::skip]
pub mod generated;
#[cfg(feature = "offline")]
mod keys;
#[cfg(feature = "offline")]
mod offline;
mod operations;
mod options;
mod snapshot;
mod verdict;
#[cfg(feature = "webhooks")]
mod webhook;

use std::fmt;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderValue;
use reqwest::redirect::Policy;

pub use error::Error;
pub use operations::Parameters;
pub use snapshot::{File, SnapshotOptions, UploadOptions};
pub use verdict::{Claim, Kind, Lookup, Receipt, Subject, Verdict};
#[cfg(feature = "webhooks")]
pub use webhook::{WEBHOOK_TOLERANCE, WebhookEvent, verify_webhook};

/// Default timeout of a call.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of addresses of a batch lookup.
pub const MAX_BATCH: usize = 1000;

/// Client of a Voight service. Its methods need a runtime of tokio. Clones share connections and keys.
#[derive(Clone)]
pub struct Client {
    base_url: Url,
    api_key: HeaderValue,
    timeout: Duration,
    http: reqwest::Client,
    #[cfg(feature = "offline")]
    keys: keys::KeyCache,
}

impl Client {
    /// Creates a client.
    ///
    /// `base_url` is the origin of the service, as this back end reaches it; `api_key` is a secret key with the scope `lookup:read`.
    ///
    /// # Errors
    ///
    /// `invalid_argument` if one of them is malformed, or if the TLS library does not start.
    pub fn new(base_url: &str, api_key: &str) -> Result<Self, Error> {
        let origin = "the origin of the service, such as https://voight.example";
        let mut base_url = Url::parse(base_url).map_err(|_| Error::invalid("base_url", origin))?;
        if !matches!(base_url.scheme(), "http" | "https") {
            return Err(Error::invalid("base_url", origin));
        }
        base_url.set_path("/");
        base_url.set_query(None);
        base_url.set_fragment(None);
        let invalid_key = || Error::invalid("api_key", "an API key, vgt_live_… or vgt_test_…");
        if !options::is_api_key(api_key) {
            return Err(invalid_key());
        }
        let mut api_key = HeaderValue::from_str(api_key).map_err(|_| invalid_key())?;
        api_key.set_sensitive(true);
        // A redirect would send the key to another host. Retries of the library are not needed.
        let http = reqwest::Client::builder()
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .build();
        let http = http.map_err(|_| Error::invalid("the TLS library", "available"))?;
        Ok(Self {
            base_url,
            api_key,
            timeout: TIMEOUT,
            http,
            #[cfg(feature = "offline")]
            keys: keys::KeyCache::default(),
        })
    }

    /// Returns the client with another timeout, for all attempts of a call together; 10 seconds by default.
    ///
    /// # Errors
    ///
    /// `invalid_argument` for a timeout of 0.
    pub fn with_timeout(self, timeout: Duration) -> Result<Self, Error> {
        if timeout.is_zero() {
            return Err(Error::invalid("timeout", "a duration above 0"));
        }
        Ok(Self { timeout, ..self })
    }

    /// Returns the origin of the service.
    fn origin(&self) -> String {
        self.base_url.origin().ascii_serialization()
    }
}

/// Leaves the API key out.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base_url", &self.origin())
            .finish_non_exhaustive()
    }
}
