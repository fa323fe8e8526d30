//! An operator at the admin API.

use super::ServerUnderTest;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use voight_tests::http::{self, Response};

/// Whoever has the admin token.
pub struct AdminClient<'a> {
    house: &'a ServerUnderTest,
    authorization: String,
}

impl<'a> AdminClient<'a> {
    /// The operator of a server that has been started once.
    pub fn for_server(house: &'a ServerUnderTest) -> Result<Self> {
        Ok(Self { house, authorization: format!("Bearer {}", house.token()?) })
    }

    /// What is at this path of the admin listener.
    pub fn get(&self, path: &str) -> Result<Response> {
        let headers = [("authorization", self.authorization.as_str())];
        http::get(&http::agent(), &self.url(path), &headers).with_context(|| format!("GET {path}"))
    }

    /// `data` of the answer to a request that has to succeed.
    pub fn read(&self, path: &str) -> Result<Value> {
        let answer = self.get(path)?;
        ensure!(answer.status == 200, "GET {path} is answered {}: {}", answer.status, answer.body);
        Ok(answer.json()["data"].take())
    }

    /// `data` of the answer to a command; `None` if there was no answer, so that nobody knows what became of it.
    pub fn post(&self, path: &str, body: &Value) -> Result<Option<Value>> {
        let headers = [("authorization", self.authorization.as_str()), ("content-type", "application/json")];
        let Ok(answer) = http::post(&http::agent(), &self.url(path), &headers, body.to_string().as_bytes()) else {
            return Ok(None);
        };
        ensure!(answer.status == 200, "POST {path} is answered {}: {}", answer.status, answer.body);
        Ok(Some(answer.json()["data"].take()))
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.house.admin())
    }
}
