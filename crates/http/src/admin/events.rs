//! Events of all clients or of one, as server-sent events.

use super::bulk_read::audited;
use super::error::parsed;
use crate::api::parse_event_types;
use crate::error::ApiError;
use crate::extract::{Query, number};
use crate::operator::{Caller, is_current};
use crate::shares::{Excess, Share, ShareLimits};
use crate::state::AppState;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use futures_core::Stream;
use futures_util::stream::try_unfold;
use serde::Deserialize;
use std::fmt::{self, Write as _};
use std::io;
use std::time::Duration;
use voight_api::ErrorId;
use voight_api::admin::TailedEvent;
use voight_api::route::EVENT_STREAM;
use voight_domain::services::{
    BulkRead, EventTail, TailCursor, TailError, TailPage, TailQuery, TailStart,
};
use voight_domain::vocabulary::{AdminTokenId, ClientId, Timestamp};

/// Event streams at a time, of a token and in all.
const STREAM_LIMITS: ShareLimits = ShareLimits {
    per_key: 2,
    in_all: 4,
};
/// Time between two reads of the store while there is no event.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Time after which a stream without an event sends a comment. A stream whose reader has closed its connection ends with it.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// Time between two checks that the token of a stream is neither rotated nor revoked.
const TOKEN_INTERVAL: Duration = Duration::from_secs(15);
/// Time that a stream of all clients reads if it does not follow.
const DEFAULT_SPAN: Duration = Duration::from_hours(1);
/// Number of the last events of a client with which a stream begins.
const DEFAULT_LATEST: usize = 20;
/// Maximum number of the last events of a client with which a stream begins.
const MAX_LATEST: usize = 500;
/// Header of a request that resumes a stream.
const LAST_EVENT_ID: &str = "last-event-id";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TailParameters {
    client: Option<String>,
    types: Option<String>,
    since: Option<String>,
    limit: Option<String>,
    follow: Option<String>,
}

/// `GET /admin/v1/events`: streams the events of all clients or of one.
pub(super) async fn tail(
    request: HttpRequest,
    Query(parameters): Query<TailParameters>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let is_following = match parameters.follow.as_deref() {
        None => false,
        Some(text) => parsed("follow", text)?,
    };
    let client = match parameters.client.as_deref() {
        None => None,
        Some(text) => Some(state.services.registry.find_client(text).await?.id),
    };
    let query = TailQuery {
        client,
        types: parse_event_types(parameters.types.as_deref())?,
        start: parameters.start(&request, &state, client, is_following)?,
    };
    let token = caller.token.map(|token| token.id);
    let share = state.event_streams.take(token, 1, STREAM_LIMITS);
    let share = share.map_err(too_many_streams)?;
    let tail = state.services.events.tail(query).await?;
    audited(&state, &caller, BulkRead::of_events(client)).await?;
    let begin = state.monotonic_clock.elapsed();
    let stream = TailStream {
        state,
        caller,
        tail,
        is_following,
        phase: StreamPhase::Begin,
        last_sent: begin,
        last_verified: begin,
        _share: share,
    };
    Ok(HttpResponse::Ok()
        .content_type(EVENT_STREAM)
        .streaming(stream.into_body()))
}

fn too_many_streams(excess: Excess) -> ApiError {
    let ShareLimits { per_key, in_all } = STREAM_LIMITS;
    let streams = match excess {
        Excess::Key => format!("{per_key} event streams of this admin token"),
        Excess::All => format!("{in_all} event streams"),
    };
    ApiError::unavailable_because(format!(
        "{streams} are open, which is the maximum. End one and try again; the stream of a reader that vanished without closing its \
         connection ends when the operating system gives the connection up."
    ))
}

impl TailParameters {
    /// Returns the first event of the stream. The header `Last-Event-ID` has precedence over the parameters.
    fn start(
        &self,
        request: &HttpRequest,
        state: &AppState,
        client: Option<ClientId>,
        is_following: bool,
    ) -> Result<TailStart, ApiError> {
        let latest = number(self.limit.as_deref(), DEFAULT_LATEST)
            .filter(|count| *count <= MAX_LATEST)
            .ok_or_else(|| {
                ApiError::invalid(format!(
                    "limit is a number from 0 to {MAX_LATEST}; the default is {DEFAULT_LATEST}."
                ))
            })?;
        if self.limit.is_some() && (client.is_none() || self.since.is_some()) {
            return Err(ApiError::invalid(
                "limit is the number of the last events of a client: send it with client, and without since.",
            ));
        }
        if let Some(cursor) = last_event_id(request)? {
            return Ok(TailStart::After(cursor));
        }
        if let Some(since) = &self.since {
            return Ok(TailStart::Since(parsed::<Timestamp>("since", since)?));
        }
        if client.is_some() {
            return Ok(TailStart::Latest(latest));
        }
        let now = state.clock.now();
        Ok(TailStart::Since(if is_following {
            now
        } else {
            now.saturating_sub(DEFAULT_SPAN)
        }))
    }
}

/// Returns the cursor with which a stream resumes.
fn last_event_id(request: &HttpRequest) -> Result<Option<TailCursor>, ApiError> {
    let Some(value) = request.headers().get(LAST_EVENT_ID) else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or_default();
    parsed("Last-Event-ID", text).map(Some)
}

impl From<TailError> for ApiError {
    fn from(error: TailError) -> Self {
        match error {
            TailError::OtherStream | TailError::LatestOfAll => Self::invalid(format!("{error}.")),
            TailError::Expired { .. } => Self::with_message(ErrorId::Conflict, format!("{error}.")),
            TailError::Store(error) => error.into(),
        }
    }
}

/// Stream of a tail, which is polled while the connection has room: a page is read after the page before it is sent.
struct TailStream {
    state: web::Data<AppState>,
    caller: Caller,
    tail: EventTail,
    is_following: bool,
    phase: StreamPhase,
    /// Time of the monotonic clock at which bytes were sent.
    last_sent: Duration,
    /// Time of the monotonic clock at which the token of the caller was valid.
    last_verified: Duration,
    _share: Share<Option<AdminTokenId>>,
}

/// Next step of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StreamPhase {
    /// Sends the cursor of its start, so that a reader can resume before the first event.
    Begin,
    /// Reads and sends the next page.
    Read,
    /// Waits, because the feeds had no later event.
    Wait,
    /// Ends the response.
    End,
}

impl TailStream {
    /// Converts the stream into the body of a response, which is cut when the service drains.
    fn into_body(self) -> impl Stream<Item = io::Result<Bytes>> {
        try_unfold(self, |mut stream| async move {
            let chunk = stream.next_chunk().await?;
            Ok(chunk.map(|chunk| (Bytes::from(chunk), stream)))
        })
    }

    /// Returns the next chunk; `None` at the end.
    async fn next_chunk(&mut self) -> io::Result<Option<String>> {
        loop {
            if self.state.is_draining() && self.phase != StreamPhase::End {
                return self.cut();
            }
            self.verify_token().await?;
            match self.phase {
                StreamPhase::Begin => {
                    self.phase = StreamPhase::Read;
                    return Ok(Some(self.comment("begin")));
                }
                StreamPhase::Read => {
                    let page = self.read_page().await?;
                    if !page.events.is_empty() {
                        self.last_sent = self.state.monotonic_clock.elapsed();
                        return page_text(&page).map(Some);
                    }
                    // A scan of many events of other types must not delay the requests of this thread.
                    tokio::task::yield_now().await;
                }
                StreamPhase::Wait => {
                    tokio::time::sleep(POLL_INTERVAL).await;
                    self.phase = StreamPhase::Read;
                    continue;
                }
                StreamPhase::End => return Ok(None),
            }
            let now = self.state.monotonic_clock.elapsed();
            if now.saturating_sub(self.last_sent) >= KEEP_ALIVE_INTERVAL {
                self.last_sent = now;
                return Ok(Some(self.comment("keep-alive")));
            }
        }
    }

    /// Ends a stream that follows; aborts any other one, whose reader cannot see otherwise that later events are missing.
    fn cut(&self) -> io::Result<Option<String>> {
        if self.is_following {
            return Ok(None);
        }
        Err(io::Error::other("the service stops"))
    }

    /// Aborts the response if the token of the caller was rotated or revoked.
    async fn verify_token(&mut self) -> io::Result<()> {
        let now = self.state.monotonic_clock.elapsed();
        if now.saturating_sub(self.last_verified) < TOKEN_INTERVAL {
            return Ok(());
        }
        let is_current = is_current(&self.state, &self.caller).await;
        if !is_current.map_err(|error| store_failed(&error))? {
            return Err(io::Error::other("the token was rotated or revoked"));
        }
        self.last_verified = now;
        Ok(())
    }

    /// Reads a page. The status of the response is sent already, so a failure aborts the response.
    async fn read_page(&mut self) -> io::Result<TailPage> {
        let page = self.tail.next_page().await;
        let page = page.map_err(|error| store_failed(&error))?;
        if page.is_last {
            self.phase = if self.is_following {
                StreamPhase::Wait
            } else {
                StreamPhase::End
            };
        }
        Ok(page)
    }

    /// Formats a comment with the cursor. Readers store the cursor, and receive no event.
    fn comment(&self, text: &str) -> String {
        format!(": {text}\nid: {}\n\n", self.tail.cursor())
    }
}

/// Logs a failure of the store, and returns the error that aborts the response.
fn store_failed(error: &impl fmt::Display) -> io::Error {
    tracing::warn!(event = "event_stream_aborted", %error, "an event stream was aborted because the store failed");
    io::Error::other("the store failed")
}

/// Formats the events of a page as server-sent events.
fn page_text(page: &TailPage) -> io::Result<String> {
    let mut text = String::new();
    for event in &page.events {
        let data = serde_json::to_string(&TailedEvent::from(event))?;
        let event_type = event.event.event.event_type;
        // Writing to a string never fails.
        let _ = write!(
            text,
            "id: {}\nevent: {event_type}\ndata: {data}\n\n",
            event.cursor
        );
    }
    Ok(text)
}
