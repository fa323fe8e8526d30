//! Outbound connections to receivers that exist in memory only.

use async_trait::async_trait;
use std::sync::Mutex;
use tokio::sync::Semaphore;
use voight_domain::outbound::TargetUrl;
use voight_domain::ports::{Outbound, OutboundError, OutboundRequest, OutboundResponse};

/// Records every request, and answers all of them alike.
pub(crate) struct RecordingOutbound {
    requests: Mutex<Vec<OutboundRequest>>,
    result: Mutex<Result<OutboundResponse, OutboundError>>,
    /// One permit for each request that may be answered.
    answers: Semaphore,
}

impl RecordingOutbound {
    /// Creates receivers that answer 204 at once.
    pub(crate) fn new() -> Self {
        Self::with_answers(1_000)
    }

    /// Creates receivers that answer after [`answer_all`](Self::answer_all).
    pub(crate) fn blocked() -> Self {
        Self::with_answers(0)
    }

    fn with_answers(count: usize) -> Self {
        let response = OutboundResponse {
            status: 204,
            retry_after: None,
            body: vec![],
            is_truncated: false,
        };
        Self {
            requests: Mutex::default(),
            result: Mutex::new(Ok(response)),
            answers: Semaphore::new(count),
        }
    }

    /// Sets the result of all further requests.
    pub(crate) fn set_result(&self, result: Result<OutboundResponse, OutboundError>) {
        *self.result.lock().unwrap() = result;
    }

    /// Answers the requests that wait, and all further ones.
    pub(crate) fn answer_all(&self) {
        self.answers.add_permits(1_000);
    }

    /// Returns the requests so far.
    pub(crate) fn requests(&self) -> Vec<OutboundRequest> {
        self.requests.lock().unwrap().clone()
    }
}

#[async_trait]
impl Outbound for RecordingOutbound {
    fn max_calls(&self) -> usize {
        64
    }

    fn parse_target(&self, url: &str) -> Result<TargetUrl, OutboundError> {
        Ok(TargetUrl::parse(url)?)
    }

    async fn send(&self, request: &OutboundRequest) -> Result<OutboundResponse, OutboundError> {
        self.requests.lock().unwrap().push(request.clone());
        self.answers.acquire().await.unwrap().forget();
        self.result.lock().unwrap().clone()
    }
}
