//! Request and response bodies of the public API.

mod context_settings;
mod serde_fields;

pub use context_settings::{
    ChangeContext, ContextMode, ContextView, DeviceLimitPolicy, OwnershipPolicy, UnverifiedFlagPolicy,
};
