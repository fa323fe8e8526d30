//! Client of the snapshots of the public API.

use super::ConnectionArgs;
use crate::admin_client::Envelope;
use crate::cli::invocation::Invocation;
use crate::exit::{CommandError, Exit};
use serde::de::DeserializeOwned;
use std::fs::{self, File};
use std::time::Duration;
use ureq::{Agent, Body, BodyReader, SendBody, http};
use voight_api::public::NewSnapshot;
use voight_api::public::routes::CREATE_SNAPSHOT;
use voight_api::route::Method;

/// Timeout of a connection, and of the wait for a response.
const TIMEOUT: Duration = Duration::from_mins(10);

/// Client of one public listener with an API key.
pub(super) struct PublicClient {
    agent: Agent,
    base: String,
    key: String,
}

impl PublicClient {
    /// Creates a client with the API key of a file or of the environment.
    pub(super) fn open(
        invocation: &Invocation,
        connection: &ConnectionArgs,
    ) -> Result<Self, CommandError> {
        let base = match &connection.api {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!(
                "http://{}",
                invocation.load(Vec::new())?.config.server.listen
            ),
        };
        if base.starts_with("https:") {
            let message = format!(
                "{base} needs TLS, which this command does not speak; name the listener behind the proxy, for example http://127.0.0.1:8080"
            );
            return Err(CommandError::new(Exit::Usage, message));
        }
        let key = match &connection.key_file {
            Some(file) => fs::read_to_string(file).map_err(|error| {
                CommandError::new(
                    Exit::Usage,
                    format!(
                        "{} cannot be read ({error}); name a file with an API key",
                        file.display()
                    ),
                )
            })?,
            None => std::env::var("VOIGHT_API_KEY").map_err(|_| {
                CommandError::configuration(
                    "there is no API key; give one in VOIGHT_API_KEY, or its file by --key-file",
                )
            })?,
        };
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(TIMEOUT))
            .timeout_recv_response(Some(TIMEOUT))
            .proxy(None)
            .max_redirects(0)
            .build();
        Ok(Self {
            agent: Agent::new_with_config(config),
            base,
            key: key.trim().to_owned(),
        })
    }

    /// Sends a request without a body. `path` is below that of the snapshots.
    pub(super) fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
    ) -> Result<T, CommandError> {
        let request = self.request(method, path);
        self.read(self.send(request.body(()).map_err(unbuildable)?))
    }

    /// Creates a snapshot.
    pub(super) fn create<T: DeserializeOwned>(
        &self,
        request: &NewSnapshot,
    ) -> Result<T, CommandError> {
        let body = serde_json::to_vec(request).map_err(unbuildable)?;
        let request = self
            .request(Method::Post, "")
            .header("content-type", "application/json");
        self.read(self.send(request.body(body).map_err(unbuildable)?))
    }

    /// Sends a file as the body of a request.
    pub(super) fn upload<T: DeserializeOwned>(
        &self,
        path: &str,
        file: File,
        headers: &[(&str, &str)],
    ) -> Result<T, CommandError> {
        let mut request = self.request(Method::Put, path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.read(
            self.send(
                request
                    .body(SendBody::from_owned_reader(file))
                    .map_err(unbuildable)?,
            ),
        )
    }

    /// Streams the bytes of a response.
    pub(super) fn download(&self, path: &str) -> Result<BodyReader<'static>, CommandError> {
        let request = self
            .request(Method::Get, path)
            .body(())
            .map_err(unbuildable)?;
        match self.send(request) {
            Ok(answer) if answer.status().is_success() => Ok(answer.into_body().into_reader()),
            answer => match self.read::<serde::de::IgnoredAny>(answer) {
                Err(failure) => Err(failure),
                Ok(_) => Err(CommandError::unreachable(format!(
                    "{} sent an unexpected response",
                    self.base
                ))),
            },
        }
    }

    fn request(&self, method: Method, path: &str) -> http::request::Builder {
        let url = format!("{}{}{path}", self.base, CREATE_SNAPSHOT.path);
        http::Request::builder()
            .method(method.as_str())
            .uri(url)
            .header("x-api-key", &self.key)
    }

    fn send(
        &self,
        request: http::Request<impl ureq::AsSendBody>,
    ) -> Result<http::Response<Body>, ureq::Error> {
        self.agent.run(request)
    }

    fn read<T: DeserializeOwned>(
        &self,
        answer: Result<http::Response<Body>, ureq::Error>,
    ) -> Result<T, CommandError> {
        let unreachable = |error: ureq::Error| {
            CommandError::unreachable(format!(
                "no answer from the public listener at {} ({error}); check that the service runs, or name its URL by --api",
                self.base
            ))
        };
        let mut answer = answer.map_err(unreachable)?;
        let status = answer.status().as_u16();
        let text = answer.body_mut().read_to_string().map_err(unreachable)?;
        match serde_json::from_str::<Envelope<T>>(&text) {
            Ok(envelope) => envelope.data(status),
            Err(error) => Err(CommandError::unreachable(format!(
                "{} answered {status} with a body that is not a response of the public listener ({error}); check --api",
                self.base
            ))),
        }
    }
}

/// Returns the error of a request that cannot be built from the arguments.
fn unbuildable(error: impl std::fmt::Display) -> CommandError {
    CommandError::new(
        Exit::Usage,
        format!(
            "there is no such request ({error}); check the URL, the API key and the snapshot id"
        ),
    )
}
