//! Request and response bodies of the admin API. The command line uses the same types.
//!
//! Ids and times (RFC 3339, UTC) are strings; evidence is in nats; members are in snake case. Request bodies reject unknown
//! members; responses may gain members.

mod adjustment;
mod admin_token;
mod audit;
mod change;
mod client;
mod clock;
mod cluster;
mod context;
mod erasure;
mod events;
mod handshake;
mod history;
mod info;
mod invoice;
mod invoice_summary;
mod invoice_view;
mod key;
mod key_contexts;
mod label;
mod limits;
mod money;
mod override_request;
mod price_book;
mod recording;
mod replay;
pub mod routes;
mod signing_key;
mod store;
mod usage;
mod user;
mod verdict;
mod webhook;

pub use adjustment::{Adjustment, AdjustmentKind, NewAdjustment};
pub use admin_token::{
    AdminTokenRevocation, AdminTokenRotation, IssuedAdminToken, NamedToken, NewAdminToken, OwnToken,
};
pub use audit::{AuditHead, AuditRecord};
pub use change::NullablePatch;
pub use client::{Client, ClientAccount, ClientPatch, ClientStatus, ContextAccess, NewClient};
pub use clock::{AcknowledgeClock, AcknowledgedClock, Clock, describe_with_advice};
pub use cluster::{ClusterImport, ClusterImported, ClusterMember};
pub use context::{Context, ContextMove, ContextSettings, NewContext};
pub use erasure::{ErasedCounts, Erasure, ErasureRequest};
pub use events::TailedEvent;
pub use handshake::{Handshake, HandshakeProof};
pub use history::{CauseGroup, CheckFindings, Finding, HistoryEvent, TimelineEvent};
pub use info::{
    AssetInfo, Info, ReadyInfo, StoreInfo, Uninvoiced, Unreachable, unavailable_reason,
};
pub use invoice::{
    DraftInvoice, DraftStatus, Invoice, InvoiceLine, InvoiceStatus, Period, Statement,
};
pub use invoice_summary::{CloseRequest, ClosedClient, InvoiceSummary, VoidRequest};
pub use invoice_view::{InvoiceView, InvoiceViewLine};
pub use key::{IssuedKey, Key, KeyRevocation, KeyRotation, NewKey, RevokedKey};
pub use key_contexts::{KeyContext, KeyContexts};
pub use label::{Calibration, Label, Labelled, NewLabel, NewLabels, Share, Truth};
pub use limits::{Limits, LimitsPatch};
pub use money::Money;
pub use override_request::{OverrideRequest, OverrideTo};
pub use price_book::{PriceBook, PriceMode};
pub use recording::{RecordedBatch, Recording, RecordingLine};
pub use replay::{CountedRule, ReplayFlip, ReplayLine, ReplayProgress, ReplayRequest};
pub use signing_key::{SigningKey, SigningKeyRotation};
pub use store::{Disk, Scrub, Store, TableLine};
pub use usage::{Alert, CurrentPeriod, Usage, UsageLine};
pub use user::{InvitedUser, NewUser, User, UserRemoval, UserRole};
pub use verdict::{
    Explanation, FoundVerdict, Layer, ListedVerdict, PublicAnswer, Verdict, VerdictLink,
};
pub use webhook::NewWebhook;

pub use crate::public::{
    ChangeContext as ContextPatch, ChangeWebhook, ContextMode, DeletedWebhook, DeviceLimitPolicy,
    OwnershipPolicy, ReplayWebhook, UnverifiedFlagPolicy, WebhookDeliveries, WebhookDelivery,
    WebhookEndpoint,
};

use voight_domain::Timestamp;

fn optional(time: Option<Timestamp>) -> Option<String> {
    time.map(|time| time.to_string())
}

fn texts<T: ToString>(values: impl IntoIterator<Item = T>) -> Vec<String> {
    values.into_iter().map(|value| value.to_string()).collect()
}
