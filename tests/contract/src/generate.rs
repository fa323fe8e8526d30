//! Generates valid, distinct values to fill a store with.

use std::fmt::Debug;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use voight_domain::billing::PriceBook;
use voight_domain::check::{
    AddressFamily, Challenge, CheckConclusion, EvidenceBatch, InputDigest, Receipt, Redemption,
    RequestMetadata,
};
use voight_domain::linkage::{
    ClusterKey, ClusterKind, LinkSignals, MovementFingerprint, PathShape,
};
use voight_domain::metering::{BatchLookupRequest, IdempotencyInput, LookupRequest, MeterRules};
use voight_domain::ports::{
    EraseMode, Erasure, ErasureScope, Judgement, LabelRecord, Override, VerdictReplacement,
};
use voight_domain::registry::{
    Actor, AdminToken, AuditAction, AuditEntry, Client, ClientStatus, Context, ContextAccess,
    ContextSettings, Key, KeySecret, MinConfidence, PressCount, Role, SIGN_IN_LINK_LIFETIME,
    SignInLink, User, UserChange, UserSession,
};
use voight_domain::secrets::{
    AddressDigest, IdempotencyDigest, KeyDigest, NetworkHash, Pepper, Secrets, UserSecretDigest,
};
use voight_domain::snapshot::{
    ListedAddress, RewardRule, SliceInput, Snapshot, SnapshotChange, SnapshotProgress,
    SnapshotSource,
};
use voight_domain::verdict::{Assessment, Label, LayerKind, Nats, OverrideTo, Truth, Verdict};
use voight_domain::vocabulary::{
    AdminTokenId, CheckId, ClientId, ClientName, ContextId, ContextTitle, EndpointId, Environment,
    EoaAddress, KeyId, Origin, ReceiptId, ScopeSet, SnapshotId, Timestamp, UserId,
};
use voight_domain::webhooks::{
    AttemptOutcome, AuditedChange, ConcludedAttempt, DeliveryRecord, DueAttempt, Endpoint,
    EndpointChange, EndpointState, EventFilter, SignatureKind,
};

/// Saturday, 21 November 2026, 10:00 UTC: nine and a half days before the end of a month.
pub const START: Timestamp = Timestamp::from_millis(1_795_255_200_000);

/// Generator of values. A counter replaces randomness, so that every run generates the same values.
#[derive(Debug, Default)]
pub struct ValueGenerator(AtomicU64);

impl ValueGenerator {
    /// Creates a generator whose values depend on `first`, and differ from those with another start.
    pub const fn starting_at(first: u64) -> Self {
        Self(AtomicU64::new(first))
    }

    fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Returns `N` new bytes. They are mixed, so that ids of the same time do not sort in creation order.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mixed_bits = self
            .next()
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .to_be_bytes();
        std::array::from_fn(|place| mixed_bits[place % 8])
    }

    /// Returns an active client without an origin.
    pub fn client(&self, now: Timestamp) -> Client {
        Client {
            id: ClientId::new(now, self.bytes()),
            name: client_name(&format!("client {}", self.next())),
            status: ClientStatus::Active,
            origins: Vec::new(),
            lookup_rate: None,
            contexts: ContextAccess::default(),
            created_at: now,
        }
    }

    /// Returns an API key with all scopes and no number yet.
    pub fn key(&self, client: ClientId, environment: Environment, now: Timestamp) -> Key {
        Key {
            id: KeyId::new(now, self.bytes()),
            number: 0,
            client,
            environment,
            scopes: ScopeSet::all(),
            networks: Vec::new(),
            secrets: vec![self.secret()],
            created_at: now,
            expires_at: None,
            revoked_at: None,
            label: None,
            last_used_at: None,
            expiry_reported_at: None,
        }
    }

    /// Returns a secret of an API key.
    pub fn secret(&self) -> KeySecret {
        KeySecret {
            digest: KeyDigest(self.bytes()),
            hint: "vgt_live_abcd".to_owned(),
            valid_until: None,
        }
    }

    /// Returns an admin token with this name.
    pub fn admin_token(&self, name: &str, now: Timestamp) -> AdminToken {
        AdminToken {
            id: AdminTokenId::new(now, self.bytes()),
            name: parsed(name),
            role: Role::Operator,
            generation: 0,
            created_at: now,
            revoked_at: None,
        }
    }

    /// Returns an owner with this name and a sign-in link.
    pub fn user(&self, name: &str, now: Timestamp) -> User {
        let link = SignInLink {
            digest: UserSecretDigest(self.bytes()),
            expires_at: now.saturating_add(SIGN_IN_LINK_LIFETIME),
            used_at: None,
        };
        let id = UserId::new(now, self.bytes());
        User::new(id, parsed(name), Role::Owner, now, link)
    }

    /// Returns a sign-in of a user by the link, with a new session.
    pub fn link_redemption(&self, user: &User, now: Timestamp) -> UserChange {
        let unknown = UserSecretDigest([0; 32]);
        UserChange::RedeemLink {
            digest: user.link.map_or(unknown, |link| link.digest),
            session: UserSession::new(UserSecretDigest(self.bytes()), now, "Firefox on macOS"),
            name: None,
        }
    }

    /// Returns a context of this API key with no number yet.
    pub fn context(&self, key: &Key, now: Timestamp) -> Context {
        Context {
            id: ContextId::new(&title("quest"), now, self.bytes()),
            number: 0,
            client: key.client,
            key: key.id,
            environment: key.environment,
            settings: ContextSettings::default(),
            created_at: now,
            archived_at: None,
        }
    }

    /// Returns a lookup with the API key's current secret under the default metering rules.
    pub fn lookup(&self, key: &Key, context: &Context, address: EoaAddress) -> LookupRequest {
        LookupRequest {
            key: current(key),
            context: context.id.clone(),
            address,
            address_key: SECRETS.address_key(),
            nonce: self.bytes(),
            idempotency: None,
            rules: MeterRules::default(),
            is_detailed: false,
        }
    }

    /// Returns a batch lookup with the API key's current secret under the default metering rules.
    pub fn batch_lookup(
        &self,
        key: &Key,
        context: &Context,
        addresses: &[EoaAddress],
    ) -> BatchLookupRequest {
        BatchLookupRequest {
            key: current(key),
            context: context.id.clone(),
            addresses: addresses.iter().copied().collect(),
            address_key: SECRETS.address_key(),
            nonce_seed: self.bytes(),
            idempotency: None,
            rules: MeterRules::default(),
        }
    }

    /// Returns a new snapshot with the API key.
    pub fn snapshot(&self, key: &Key, context: &Context, now: Timestamp) -> Snapshot {
        Snapshot {
            id: SnapshotId::new(now, self.bytes()),
            client: key.client,
            environment: key.environment,
            context: context.id.clone(),
            key: key.id,
            row_digest: IdempotencyDigest(self.bytes()),
            source: SnapshotSource::Upload,
            rewards: RewardRule::default(),
            created_at: now,
            progress: SnapshotProgress::BEGINNING,
        }
    }

    /// Returns the input of the next slice of a snapshot under the default metering rules.
    pub fn slice_input(&self) -> SliceInput {
        SliceInput {
            nonce_seed: self.bytes(),
            address_key: SECRETS.address_key(),
            rules: MeterRules::default(),
        }
    }

    /// Returns an active endpoint that accepts all events of this environment.
    pub fn endpoint(&self, client: ClientId, environment: Environment, now: Timestamp) -> Endpoint {
        Endpoint {
            id: EndpointId::new(now, self.bytes()),
            client,
            environment,
            url: format!("https://platform.example/{}", self.next()),
            filter: EventFilter::default(),
            signature_kind: SignatureKind::Hmac,
            generation: 0,
            rotated_at: None,
            created_at: now,
            state: EndpointState::Active,
        }
    }

    /// Returns a new idempotency key with its request fingerprint.
    pub fn idempotency(&self) -> IdempotencyInput {
        IdempotencyInput {
            key_digest: IdempotencyDigest(self.bytes()),
            fingerprint: IdempotencyDigest(self.bytes()),
        }
    }

    /// Returns the digest of an input.
    pub fn input(&self) -> InputDigest {
        InputDigest(self.bytes())
    }

    /// Returns a completed check of this context with `assessment`, its own input and a receipt.
    pub fn conclusion(
        &self,
        context: &Context,
        address: EoaAddress,
        assessment: Assessment,
        now: Timestamp,
    ) -> CheckConclusion {
        CheckConclusion {
            check: CheckId::new(now, self.bytes()),
            context: context.id.clone(),
            address,
            layer: LayerKind::Unverified,
            judgement: Judgement::Assessed(assessment),
            inputs: vec![self.input()],
            link_signals: self.presented(context, address),
            receipt: Some(self.receipt(context, address, now)),
        }
    }

    /// Returns link signals of a check that are unrelated to all others.
    pub fn presented(&self, context: &Context, address: EoaAddress) -> LinkSignals {
        LinkSignals {
            subject: digest_of(&context.id, address),
            network: Some(NetworkHash(self.bytes())),
            device: Some(ClusterKey {
                kind: ClusterKind::Device,
                digest: self.bytes(),
            }),
            traces: vec![self.trace(), self.trace()],
        }
    }

    /// Returns a movement fingerprint that is unlike all others.
    pub fn trace(&self) -> MovementFingerprint {
        let shape = || {
            let [along, across] = [self.next(), self.next()].map(shuffled);
            PathShape {
                along: std::array::from_fn(|at| along[at]),
                across: std::array::from_fn(|at| across[at]),
            }
        };
        MovementFingerprint {
            by_time: shape(),
            by_length: shape(),
        }
    }

    /// Returns a receipt of this context.
    pub fn receipt(&self, context: &Context, address: EoaAddress, now: Timestamp) -> Receipt {
        Receipt {
            id: ReceiptId::new(now, self.bytes()),
            context: context.id.clone(),
            address,
            origin: origin(),
            origin_allowlisted: false,
            owned: false,
            environment: context.environment,
            issued_at: now,
        }
    }

    /// Returns a redemption of this receipt without an idempotency key. The API key is the one that registered the
    /// context.
    pub fn redemption(&self, context: &Context, receipt: &Receipt) -> Redemption {
        Redemption {
            receipt: receipt.clone(),
            key: context.key,
            receipt_digest: redemption_digest(receipt),
            idempotency: None,
        }
    }

    /// Returns a new idempotency key for a redemption of this receipt.
    pub fn redemption_idempotency(&self, receipt: &Receipt) -> IdempotencyInput {
        IdempotencyInput {
            fingerprint: redemption_digest(receipt),
            ..self.idempotency()
        }
    }

    /// Returns the challenge of a check that is opened now.
    pub fn challenge(&self, context: &Context, address: EoaAddress, now: Timestamp) -> Challenge {
        Challenge {
            check: CheckId::new(now, self.bytes()),
            context: context.id.clone(),
            address,
            origin: origin(),
            origin_allowlisted: false,
            environment: context.environment,
            layer: LayerKind::Unverified,
            presses: PressCount::Two,
            seed: self.bytes(),
            work_bits: 13,
            opened_at: now,
        }
    }

    /// Returns a batch of that check with a distinct body of `size` bytes.
    pub fn batch(
        &self,
        challenge: &Challenge,
        number: u8,
        size: usize,
        now: Timestamp,
    ) -> EvidenceBatch {
        let mut body = self.next().to_be_bytes().repeat(size.div_ceil(8));
        body.truncate(size);
        let headers = vec![("user-agent".to_owned(), "suite/1".to_owned())];
        let call = RequestMetadata {
            headers,
            network: NetworkHash(self.bytes()),
            family: AddressFamily::V4,
        };
        EvidenceBatch {
            challenge: challenge.clone(),
            number,
            received_at: now,
            call,
            body,
        }
    }
}

/// Returns 32 pseudorandom numbers derived from `seed` that are small enough for a shape.
fn shuffled(seed: u64) -> [i8; 32] {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::array::from_fn(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_be_bytes()[0].cast_signed() / 2
    })
}

/// Secrets that key every digest of the suite.
pub static SECRETS: LazyLock<Secrets> =
    LazyLock::new(|| Secrets::derive(&Pepper::from_bytes([7; 32]), 0));

/// Returns the digest of an address in a context.
pub fn digest_of(context: &ContextId, address: EoaAddress) -> AddressDigest {
    SECRETS.address_digest(context, &address)
}

/// Returns the digest of a lookup's parameters.
pub fn lookup_parameters(context: &ContextId, address: EoaAddress) -> IdempotencyDigest {
    SECRETS.lookup_fingerprint(context, &address)
}

/// Returns the digest under which the redemption of a receipt is stored.
fn redemption_digest(receipt: &Receipt) -> IdempotencyDigest {
    SECRETS.redemption_fingerprint(receipt.id)
}

/// Returns an erasure of an address in these contexts.
pub fn erasure<'a>(
    address: EoaAddress,
    contexts: impl IntoIterator<Item = &'a Context>,
) -> Erasure {
    let scope = |context: &Context| ErasureScope {
        context: context.id.clone(),
        digest: digest_of(&context.id, address),
        request_fingerprint: lookup_parameters(&context.id, address),
    };
    Erasure {
        address,
        scopes: contexts.into_iter().map(scope).collect(),
        mode: EraseMode::Execute,
    }
}

/// Returns the digest of the API key's current secret.
pub fn current(key: &Key) -> KeyDigest {
    match key.secrets.last() {
        Some(secret) => secret.digest,
        None => panic!("a key has a secret"),
    }
}

/// Returns the `number`-th address.
pub fn address(number: u32) -> EoaAddress {
    let mut bytes = [0xad; 20];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    EoaAddress::from_bytes(bytes)
}

/// Returns an audit entry of an operator.
pub fn audit(action: AuditAction, subject: &(impl ToString + ?Sized), at: Timestamp) -> AuditEntry {
    AuditEntry {
        at,
        actor: Actor::Operator,
        action,
        subject: subject.to_string(),
        detail: "by the suite".to_owned(),
    }
}

/// Returns a change of an endpoint with its audit entry.
pub fn audited(change: EndpointChange, id: EndpointId, at: Timestamp) -> AuditedChange {
    AuditedChange {
        change,
        audit: audit(AuditAction::WebhookChanged, &id, at),
    }
}

/// Returns the default price book.
pub fn book() -> Arc<PriceBook> {
    MeterRules::default().price_book
}

/// Returns an override at the default minimum confidence.
pub fn overrule(context: &Context, address: EoaAddress, to: OverrideTo) -> Override {
    let context = context.id.clone();
    let tau = MinConfidence::default().flag_threshold();
    let digest = digest_of(&context, address);
    Override {
        context,
        address,
        digest,
        verdict: to,
        tau,
        reason: format!("{to:?} after a review"),
    }
}

/// Returns the changes of the upload `attempt` of a snapshot after its beginning. The last one completes it.
pub(crate) fn upload_changes(attempt: u32, slices: Vec<Vec<ListedAddress>>) -> Vec<SnapshotChange> {
    let addresses = slices.iter().map(|slice| slice.len() as u64).sum();
    let append = |(index, addresses)| SnapshotChange::Append {
        attempt,
        index,
        addresses,
    };
    let mut changes: Vec<_> = (0..).zip(slices).map(append).collect();
    let slices = u32::try_from(changes.len()).unwrap_or(u32::MAX);
    changes.push(SnapshotChange::CompleteUpload {
        attempt,
        slices,
        addresses,
    });
    changes
}

/// Returns an attempt at `now` with its outcome and the response of the receiver.
pub fn concluded_attempt(
    attempt: DueAttempt,
    outcome: AttemptOutcome,
    response: &str,
    now: Timestamp,
) -> ConcludedAttempt {
    let duration = Duration::from_millis(12);
    ConcludedAttempt {
        record: DeliveryRecord::new(attempt, now, duration, outcome, response.as_bytes()),
        random: 0,
    }
}

/// Returns the outcome of an attempt that was answered with this HTTP status.
pub const fn answered(status: u16) -> AttemptOutcome {
    AttemptOutcome::Answered {
        status,
        retry_after: None,
    }
}

/// Returns a label of an operator.
pub fn labelled(address: EoaAddress, truth: Truth, at: Timestamp) -> LabelRecord {
    LabelRecord {
        address,
        label: Label {
            truth,
            consent: truth == Truth::Human,
            reason: "met".to_owned(),
            at,
        },
    }
}

/// Returns a replacement of a verdict by other layers.
pub fn replacement(
    context: &Context,
    address: EoaAddress,
    before: Verdict,
    layers: Verdict,
) -> VerdictReplacement {
    let Verdict {
        owned, unverified, ..
    } = layers;
    let context = context.id.clone();
    let reason = "judged again".to_owned();
    VerdictReplacement {
        context,
        address,
        before,
        owned,
        unverified,
        policy: 1000,
        reason,
    }
}

/// Returns the assessment of a human: conclusive, evidence for a human, none for a bot.
pub fn human() -> Assessment {
    Assessment {
        human: Nats::from_milli(1500),
        conclusive: true,
        ..Assessment::default()
    }
}

/// Returns the assessment of declared automation: enough for a flag at once, in every context.
pub fn bot() -> Assessment {
    Assessment {
        bot: Nats::from_milli(9000),
        hard: true,
        groups: 2,
        conclusive: true,
        ..Assessment::default()
    }
}

/// Parses the name of a client, and panics if it is invalid.
pub fn client_name(text: &str) -> ClientName {
    parsed(text)
}

fn title(text: &str) -> ContextTitle {
    parsed(text)
}

fn origin() -> Origin {
    parsed("https://quest.example")
}

pub(crate) fn parsed<T: FromStr<Err: Debug>>(text: &str) -> T {
    match text.parse() {
        Ok(value) => value,
        Err(error) => panic!("{text:?}: {error:?}"),
    }
}
