//! Encoding of enums as single bytes.

use voight_domain::check::AddressFamily;
use voight_domain::codec::DecodeError;
use voight_domain::invoicing::AdjustmentKind;
use voight_domain::linkage::ClusterKind;
use voight_domain::metering::AlertKind;
use voight_domain::registry::{
    ClientStatus, ContextAccess, ContextMode, DeviceLimitPolicy, OwnershipPolicy, Role,
    UnverifiedFlagPolicy,
};
use voight_domain::snapshot::{SnapshotSource, SnapshotState};
use voight_domain::verdict::{AnsweringLayer, DecidedBy, LayerKind, OverrideTo, Status, Truth};
use voight_domain::vocabulary::Environment;
use voight_domain::webhooks::{AttemptError, DeliveryLane, DisabledReason, SignatureKind};

/// Enum that is stored as one byte. The bytes are part of the record format.
pub trait ByteEnum: Sized {
    /// Returns the byte of the variant.
    fn code(&self) -> u8;

    /// Returns the variant with this byte.
    fn from_code(code: u8) -> Result<Self, DecodeError>;
}

macro_rules! byte_enum {
    ($($choice:ident, $what:literal: $($code:literal = $variant:ident),+;)+) => {$(
        impl ByteEnum for $choice {
            fn code(&self) -> u8 {
                match self { $(Self::$variant => $code),+ }
            }

            fn from_code(code: u8) -> Result<Self, DecodeError> {
                match code {
                    $($code => Ok(Self::$variant),)+
                    _ => Err(DecodeError::OutOfRange($what)),
                }
            }
        }
    )+};
}

byte_enum! {
    Role, "the role of an admin token": 0 = Owner, 1 = Operator, 2 = Analyst, 3 = Billing;
    ClientStatus, "the status of a client": 0 = Active, 1 = Suspended, 2 = Closed;
    ContextAccess, "a setting of contexts": 0 = RegisteringKey, 1 = Client;
    AdjustmentKind, "the kind of an adjustment": 0 = Credit, 1 = Correction;
    AlertKind, "the kind of an alert": 0 = Allowance80, 1 = Allowance100, 2 = Budget80, 3 = Budget100,
        4 = CapReached;
    Environment, "an environment": 0 = Live, 1 = Sandbox;
    OwnershipPolicy, "an ownership policy": 0 = Never, 1 = WhenUnsure, 2 = Always;
    UnverifiedFlagPolicy, "the policy on unverified flags": 0 = UntilOwned, 1 = Keep;
    ContextMode, "the mode of a context": 0 = Enforce, 1 = Observe;
    DeviceLimitPolicy, "a policy on devices": 0 = Report, 1 = Flag;
    ClusterKind, "the kind of a cluster": 1 = Device, 2 = Network, 3 = Operator;
    LayerKind, "a layer": 0 = Unverified, 1 = Owned;
    OverrideTo, "an override": 0 = Human, 1 = Bot;
    Truth, "who uses an address": 0 = Human, 1 = Bot;
    Status, "a status": 0 = Unknown, 1 = Human, 2 = Bot, 3 = Unsure;
    DecidedBy, "what decided": 0 = Checks, 1 = Operator, 2 = List;
    AnsweringLayer, "an answering layer": 0 = Owned, 1 = Unverified, 2 = Both;
    SnapshotSource, "the source of a snapshot": 0 = Seen, 1 = Upload;
    SnapshotState, "the state of a snapshot": 0 = Uploading, 1 = Running, 2 = Draft, 3 = Finalizing, 4 = Final;
    AddressFamily, "an address family": 4 = V4, 6 = V6;
    SignatureKind, "a kind of signatures": 0 = Hmac, 1 = Ed25519;
    DisabledReason, "a reason to disable an endpoint": 0 = Gone, 1 = Failing;
    DeliveryLane, "a lane of deliveries": 0 = Healthy, 1 = Failing;
    AttemptError, "an error of a delivery": 0 = TargetRejected, 1 = NameUnresolved, 2 = Unreachable, 3 = Tls, 4 = Timeout,
        5 = BrokenAnswer;
}
