//! Value types of the domain: each type holds only valid values.

mod address;
mod address_text;
mod api_key;
mod client_name;
mod context_id;
mod environment;
mod idempotency;
mod ids;
mod log_text;
mod network;
mod origin;
mod plain_text;
mod scope;
mod time;
mod title;
mod visible_name;

pub use address::{AddressError, EoaAddress};
pub use address_text::{AddressProblem, deceptive_character_name, is_formula, looks_like_address};
pub use api_key::{ApiKey, ApiKeyError};
pub use client_name::{ClientName, ClientNameError};
pub use context_id::{ContextId, ContextIdError};
pub use environment::{Environment, EnvironmentError};
pub use idempotency::{IdempotencyKey, IdempotencyKeyError};
pub use ids::{
    AdminTokenId, CheckId, ClientId, EndpointId, IdError, KeyId, ReceiptId, SnapshotId, UserId,
};
pub use log_text::log_text;
pub use network::{Network, NetworkError};
pub use origin::{Origin, OriginError};
pub use plain_text::{HiddenCharacter, check_name, check_text};
pub use scope::{Scope, ScopeError, ScopeSet};
pub use time::{Timestamp, TimestampError};
pub use title::{ContextTitle, TitleError};
pub use visible_name::{AdminTokenName, KeyLabel, PasskeyLabel, UserName, VisibleNameError};
