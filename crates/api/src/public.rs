//! Request and response bodies of the public API, and its route table.

mod batch_lookup;
mod context_settings;
mod events;
mod invoices;
mod lookup;
mod lookup_detail;
mod quote;
mod receipt;
mod register_context;
pub mod routes;
mod serde_fields;
mod session;
mod snapshot;
mod upload_summary;
mod usage;
mod webhooks;

pub use batch_lookup::{BatchLookup, BatchLookupResponse, BatchLookupResult};
pub use context_settings::{
    ChangeContext, ContextMode, ContextView, DeviceLimitPolicy, OwnershipPolicy,
    UnverifiedFlagPolicy,
};
pub use events::{Event, EventData, Events};
pub use invoices::InvoicesOfClient;
pub use lookup::{ConfidenceBody, LookupResponse};
pub use lookup_detail::{AnsweringLayer, CheckCount, DecidedBy, LookupDetailResponse, Status};
pub use quote::{QUOTE_UNITS_MAX, Quote, QuoteRequest};
pub use receipt::{ReceiptStatus, VerifiedReceipt, VerifyReceipt};
pub use register_context::{RegisterContext, RegisteredContext};
pub use serde_fields::MAX_EXACT_NUMBER;
pub use session::{CreateSession, CreatedSession};
pub use snapshot::{
    DECIMALS_DEFAULT, DECIMALS_MAX, DeletedSnapshot, IncludedStatus, NewSnapshot, PauseReason,
    SignedManifest, Snapshot, SnapshotFormat, SnapshotSource, SnapshotState, Snapshots,
};
pub use upload_summary::{AmountUnit, UploadSummary};
pub use usage::{LedgerHead, SignedLedgerHead, UsageOfClient, UsageOfContext, UsageOfDay};
pub use webhooks::{
    ChangeWebhook, CreateWebhook, DeletedWebhook, ReplayWebhook, RequestedWebhookState,
    WebhookDeliveries, WebhookDelivery, WebhookDisabledReason, WebhookEndpoint, WebhookEndpoints,
    WebhookReplay, WebhookSignature, WebhookState, encode_event,
};
