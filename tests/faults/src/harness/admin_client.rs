//! Client of the admin API.

use super::ServerUnderTest;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use voight_tests::http::{self, Response};

/// Admin client with the admin token.
pub struct AdminClient<'a> {
    deployment: &'a ServerUnderTest,
    authorization: String,
}

impl<'a> AdminClient<'a> {
    /// Creates a client for a server that has been started at least once.
    pub fn for_server(deployment: &'a ServerUnderTest) -> Result<Self> {
        Ok(Self {
            deployment,
            authorization: format!("Bearer {}", deployment.token()?),
        })
    }

    /// Sends a GET request to this path of the admin listener.
    pub fn get(&self, path: &str) -> Result<Response> {
        let headers = [("authorization", self.authorization.as_str())];
        http::get(&http::agent(), &self.url(path), &headers).with_context(|| format!("GET {path}"))
    }

    /// Returns `data` of the response to a request that must succeed.
    pub fn read(&self, path: &str) -> Result<Value> {
        let response = self.get(path)?;
        ensure!(
            response.status == 200,
            "GET {path} is answered {}: {}",
            response.status,
            response.body
        );
        Ok(response.json()["data"].take())
    }

    /// Sends a command and returns `data`; `None` without a response, when its outcome is unknown.
    pub fn post(&self, path: &str, body: &Value) -> Result<Option<Value>> {
        let headers = [
            ("authorization", self.authorization.as_str()),
            ("content-type", "application/json"),
        ];
        let Ok(response) = http::post(
            &http::agent(),
            &self.url(path),
            &headers,
            body.to_string().as_bytes(),
        ) else {
            return Ok(None);
        };
        ensure!(
            response.status == 200,
            "POST {path} is answered {}: {}",
            response.status,
            response.body
        );
        Ok(Some(response.json()["data"].take()))
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.deployment.admin())
    }
}
