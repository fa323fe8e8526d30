//! Generates records.

use proptest::prelude::*;
use proptest::sample::select;
use voight_domain::check::{
    AddressFamily, Challenge, Concluded, EvidenceBatch, GateRejection, Receipt, RequestMetadata,
};
use voight_domain::linkage::{ClusterKind, ClusterLimitExceeded, RawLinkSignals};
use voight_domain::metering::{
    ChainHead, IdempotencyRecord, RecordedAnswer, RecordedBatch, RecordedResponse,
};
use voight_domain::registry::{
    Actor, AdminToken, AuditAction, AuditEntry, Client, ClientStatus, Context, ContextAccess,
    ContextMode, ContextSettings, DeviceLimitPolicy, Key, KeySecret, MinConfidence,
    OwnershipPolicy, PressCount, Role, UnverifiedFlagPolicy,
};
use voight_domain::secrets::{IdempotencyDigest, KeyDigest, NetworkHash};
use voight_domain::verdict::{
    Answer, AnsweringLayer, Assessment, Confidence, DayCount, DecidedBy, Detail, Event, EventKind,
    Finding, Label, Layer, LayerKind, LayerRemnant, Nats, Observation, OverrideTo, Status,
    Tombstone, Truth, Verdict, Versions,
};
use voight_domain::vocabulary::{
    AdminTokenId, AdminTokenName, CheckId, ClientId, ContextId, Environment, EoaAddress, KeyId,
    Origin, ReceiptId, ScopeSet, Timestamp, UserName,
};

pub(super) fn time() -> impl Strategy<Value = Timestamp> {
    any::<i64>().prop_map(Timestamp::from_millis)
}

pub(super) fn nats() -> impl Strategy<Value = Nats> {
    any::<i32>().prop_map(Nats::from_milli)
}

pub(super) fn versions() -> impl Strategy<Value = Versions> {
    any::<(u32, u32)>().prop_map(|(policy, model)| Versions { policy, model })
}

pub(super) fn environment() -> impl Strategy<Value = Environment> {
    select(vec![Environment::Live, Environment::Sandbox])
}

pub(super) fn kind() -> impl Strategy<Value = LayerKind> {
    select(vec![LayerKind::Owned, LayerKind::Unverified])
}

pub(super) fn address() -> impl Strategy<Value = EoaAddress> {
    any::<[u8; 20]>().prop_map(EoaAddress::from_bytes)
}

pub(super) fn context_id() -> impl Strategy<Value = ContextId> {
    ("[A-Za-z0-9]{1,64}", any::<u32>(), any::<[u8; 10]>()).prop_map(|(title, at, entropy)| {
        ContextId::new(
            &title.parse().unwrap(),
            Timestamp::from_millis(at.into()),
            entropy,
        )
    })
}

pub(super) fn origin() -> impl Strategy<Value = Origin> {
    "https://[a-z]{1,20}\\.example".prop_map(|text| text.parse().unwrap())
}

pub(super) fn origins() -> impl Strategy<Value = Vec<Origin>> {
    prop::collection::vec(origin(), 0..3)
}

pub(super) fn client() -> impl Strategy<Value = Client> {
    let status = select(vec![
        ClientStatus::Active,
        ClientStatus::Suspended,
        ClientStatus::Closed,
    ]);
    let contexts = select(vec![ContextAccess::RegisteringKey, ContextAccess::Client]);
    (
        any::<[u8; 16]>(),
        "[a-z]{1,64}",
        status,
        origins(),
        any::<Option<u32>>(),
        time(),
        contexts,
    )
        .prop_map(
            |(id, name, status, origins, lookup_rate, created_at, contexts)| Client {
                id: ClientId::from_bytes(id),
                name: name.parse().unwrap(),
                status,
                origins,
                lookup_rate,
                contexts,
                created_at,
            },
        )
}

pub(super) fn secret() -> impl Strategy<Value = KeySecret> {
    (any::<[u8; 32]>(), ".{0,20}", prop::option::of(time())).prop_map(|(digest, hint, until)| {
        KeySecret {
            digest: KeyDigest(digest),
            hint,
            valid_until: until,
        }
    })
}

pub(super) fn key() -> impl Strategy<Value = Key> {
    let ids = any::<([u8; 16], u32, [u8; 16])>();
    let networks = prop::collection::vec(
        select(vec!["10.0.0.0/8", "2001:db8::/32", "127.0.0.1/32"]),
        0..3,
    );
    let secrets = prop::collection::vec(secret(), 0..3);
    let ends = (
        prop::option::of(time()),
        prop::option::of(time()),
        prop::option::of(time()),
    );
    let label_and_last_use = (
        prop::option::of(select(vec!["backend", "Claim server (EU)"])),
        prop::option::of(time()),
    );
    (
        ids,
        environment(),
        0..8_u8,
        networks,
        secrets,
        (time(), label_and_last_use),
        ends,
    )
        .prop_map(
            |(
                (id, number, client),
                environment,
                scopes,
                networks,
                secrets,
                (created_at, label_and_last_use),
                (expires_at, revoked_at, expiry_reported_at),
            )| Key {
                id: KeyId::from_bytes(id),
                number,
                client: ClientId::from_bytes(client),
                environment,
                scopes: ScopeSet::from_bits(scopes).unwrap(),
                networks: networks
                    .into_iter()
                    .map(|network| network.parse().unwrap())
                    .collect(),
                secrets,
                created_at,
                expires_at,
                revoked_at,
                label: label_and_last_use.0.map(|label| label.parse().unwrap()),
                last_used_at: label_and_last_use.1,
                expiry_reported_at,
            },
        )
}

pub(super) fn settings() -> impl Strategy<Value = ContextSettings> {
    let policies = (
        select(vec![
            OwnershipPolicy::Never,
            OwnershipPolicy::WhenUnsure,
            OwnershipPolicy::Always,
        ]),
        select(vec![
            UnverifiedFlagPolicy::UntilOwned,
            UnverifiedFlagPolicy::Keep,
        ]),
        select(vec![PressCount::One, PressCount::Two]),
        select(vec![ContextMode::Enforce, ContextMode::Observe]),
        select(vec![DeviceLimitPolicy::Report, DeviceLimitPolicy::Flag]),
    );
    (origins(), policies, 50..=99_u8, any::<u32>(), any::<u16>()).prop_map(
        |(
            origins,
            (ownership_proof, unverified_flags, presses, mode, device_policy),
            percent,
            device_limit,
            retention_days,
        )| {
            ContextSettings {
                origins,
                ownership_proof,
                unverified_flags,
                min_confidence: MinConfidence::try_from(percent).unwrap(),
                press_count: presses,
                mode,
                device_limit,
                device_policy,
                retention_days,
            }
        },
    )
}

pub(super) fn context() -> impl Strategy<Value = Context> {
    let ids = any::<(u32, [u8; 16], [u8; 16])>();
    (
        context_id(),
        ids,
        environment(),
        settings(),
        time(),
        prop::option::of(time()),
    )
        .prop_map(
            |(id, (number, client, key), environment, settings, created_at, archived_at)| Context {
                id,
                number,
                client: ClientId::from_bytes(client),
                key: KeyId::from_bytes(key),
                environment,
                settings,
                created_at,
                archived_at,
            },
        )
}

pub(super) fn layer() -> impl Strategy<Value = Layer> {
    let times = (prop::option::of(time()), prop::option::of(time()));
    let decision = prop::option::of(select(vec![OverrideTo::Human, OverrideTo::Bot]));
    let full = (
        any::<bool>(),
        nats(),
        nats(),
        times,
        any::<(u32, i64, u32)>(),
        versions(),
        decision,
    )
        .prop_map(
            |(
                flagged,
                bot,
                human,
                (first_flagged_at, last_check_at),
                (ordinal, date, checks),
                versions,
                decision,
            )| Layer {
                flagged,
                bot,
                human,
                first_flagged_at,
                conclusive_checks: ordinal,
                today: DayCount { date, checks },
                versions,
                decision,
                last_check_at,
            },
        );
    prop_oneof![Just(Layer::default()), full]
}

pub(super) fn verdict() -> impl Strategy<Value = Verdict> {
    (any::<u32>(), layer(), layer(), any::<bool>()).prop_map(
        |(epoch, owned, unverified, looked_up)| Verdict {
            epoch,
            owned,
            unverified,
            looked_up,
        },
    )
}

pub(super) fn finding() -> impl Strategy<Value = Finding> {
    (".{0,9}", ".{0,9}", nats(), any::<(bool, bool)>(), ".{0,40}").prop_map(
        |(rule, group, weight, (hard, counted), reason)| Finding {
            rule,
            group,
            weight,
            hard,
            counted,
            reason,
        },
    )
}

pub(super) fn assessment() -> impl Strategy<Value = Assessment> {
    (
        nats(),
        nats(),
        any::<(bool, u8, bool)>(),
        prop::collection::vec(finding(), 0..4),
        versions(),
    )
        .prop_map(
            |(bot, human, (hard, groups, covered), findings, versions)| Assessment {
                bot,
                human,
                hard,
                groups,
                conclusive: covered,
                findings,
                versions,
                link_signals: RawLinkSignals::default(),
            },
        )
}

pub(super) fn event() -> impl Strategy<Value = Event> {
    let observation = (any::<u32>(), kind(), layer())
        .prop_map(|(epoch, kind, layer)| Observation { epoch, kind, layer });
    let judged_event = (
        any::<([u8; 16], bool)>(),
        kind(),
        assessment(),
        prop::option::of(observation),
    )
        .prop_map(
            |((check, completed), layer, assessment, observation)| EventKind::Judged {
                check: CheckId::from_bytes(check),
                completed,
                layer,
                assessment,
                observation,
            },
        );
    let rejected_event =
        (any::<[u8; 16]>(), select(GateRejection::ALL.to_vec())).prop_map(|(check, reason)| {
            EventKind::Rejected {
                check: CheckId::from_bytes(check),
                reason,
            }
        });
    let overridden = (
        any::<u32>(),
        select(vec![OverrideTo::Human, OverrideTo::Bot]),
        ".{0,40}",
    )
        .prop_map(|(epoch, to, reason)| EventKind::Overridden { epoch, to, reason });
    let layer_change =
        any::<([u8; 16], bool, bool)>().prop_map(|(check, unverified_flagged, owned_flagged)| {
            EventKind::LayerChanged {
                check: CheckId::from_bytes(check),
                unverified_flagged,
                owned_flagged,
            }
        });
    let replay_event = any::<(u32, u32)>().prop_flat_map(|(epoch, policy)| {
        ".{0,40}".prop_map(move |reason| EventKind::Replayed {
            epoch,
            policy,
            reason,
        })
    });
    let over_limit = (
        any::<[u8; 16]>(),
        kind(),
        cluster_kind(),
        any::<(u32, u32, bool)>(),
    )
        .prop_map(|(check, layer, cluster, (rank, limit, flagged))| {
            EventKind::ClusterLimitExceeded {
                check: CheckId::from_bytes(check),
                layer,
                limit: ClusterLimitExceeded {
                    cluster,
                    rank,
                    limit,
                    flagged,
                },
            }
        });
    (
        time(),
        prop_oneof![
            judged_event,
            rejected_event,
            overridden,
            layer_change,
            replay_event,
            over_limit
        ],
    )
        .prop_map(|(at, kind)| Event { at, kind })
}

pub(super) fn concluded() -> impl Strategy<Value = Concluded> {
    let receipt = (
        any::<([u8; 16], bool, bool)>(),
        context_id(),
        address(),
        origin(),
        environment(),
        time(),
    )
        .prop_map(
            |(
                (id, origin_allowlisted, owned),
                context,
                address,
                origin,
                environment,
                issued_at,
            )| Receipt {
                id: ReceiptId::from_bytes(id),
                context,
                address,
                origin,
                origin_allowlisted,
                owned,
                environment,
                issued_at,
            },
        );
    prop::option::of(receipt).prop_map(|receipt| Concluded { receipt })
}

pub(super) fn detail() -> impl Strategy<Value = Detail> {
    let status = select(vec![
        Status::Unknown,
        Status::Human,
        Status::Bot,
        Status::Unsure,
    ]);
    let layer = select(vec![
        AnsweringLayer::Owned,
        AnsweringLayer::Unverified,
        AnsweringLayer::Both,
    ]);
    let decided_by = select(vec![
        DecidedBy::Checks,
        DecidedBy::Operator,
        DecidedBy::List,
    ]);
    let last = prop::option::of(time());
    let layer = prop::option::of(layer);
    let decided_by = prop::option::of(decided_by);
    (status, any::<u32>(), last, layer, decided_by, versions()).prop_map(
        |(status, checks, last_check_at, layer, decided_by, versions)| Detail {
            status,
            checks,
            last_check_at,
            layer,
            decided_by,
            versions,
        },
    )
}

pub(super) fn idempotency_record() -> impl Strategy<Value = IdempotencyRecord> {
    let lookup = (
        any::<bool>(),
        0..=100_u8,
        any::<(u64, [u8; 32])>(),
        prop::option::of(detail()),
    );
    let lookup = lookup.prop_map(|(is_bot, score, (seq, head), detail)| {
        let answer = Answer {
            is_bot,
            score: Confidence::from_hundredths(score),
        };
        RecordedResponse::Lookup(RecordedAnswer {
            answer,
            seq,
            head: ChainHead(head),
            detail,
        })
    });
    let answer = (any::<bool>(), 0..=100_u8).prop_map(|(is_bot, score)| Answer {
        is_bot,
        score: Confidence::from_hundredths(score),
    });
    let batch = (
        prop::collection::vec(answer, 0..40),
        any::<(u64, [u8; 32])>(),
    )
        .prop_map(|(answers, (seq, head))| {
            RecordedResponse::Batch(RecordedBatch {
                answers,
                seq,
                head: ChainHead(head),
            })
        });
    let context = context_id().prop_map(RecordedResponse::Context);
    let redemption = time().prop_map(RecordedResponse::Redeemed);
    (
        any::<[u8; 16]>(),
        prop_oneof![lookup, batch, context, redemption],
        time(),
    )
        .prop_map(|(parameters, answer, until)| IdempotencyRecord {
            parameters: IdempotencyDigest(parameters),
            answer,
            expires_at: until,
        })
}

pub(super) fn audit() -> impl Strategy<Value = AuditEntry> {
    let key = any::<[u8; 16]>().prop_map(|id| Actor::Key(KeyId::from_bytes(id)));
    let token = admin_token_name().prop_map(Actor::AdminToken);
    let user = user_name().prop_map(Actor::User);
    let actor = prop_oneof![
        Just(Actor::Operator),
        Just(Actor::Service),
        key,
        token,
        user
    ];
    (
        time(),
        actor,
        select(AuditAction::ALL.to_vec()),
        ".{0,40}",
        ".{0,40}",
    )
        .prop_map(|(at, actor, action, subject, detail)| AuditEntry {
            at,
            actor,
            action,
            subject,
            detail,
        })
}

pub(super) fn challenge() -> impl Strategy<Value = Challenge> {
    let random = any::<([u8; 16], bool, [u8; 8], u8)>();
    let presses = select(vec![PressCount::One, PressCount::Two]);
    (
        random,
        context_id(),
        address(),
        origin(),
        environment(),
        kind(),
        presses,
        time(),
    )
        .prop_map(
            |(
                (check, origin_allowlisted, seed, work_bits),
                context,
                address,
                origin,
                environment,
                layer,
                presses,
                opened_at,
            )| {
                Challenge {
                    check: CheckId::from_bytes(check),
                    context,
                    address,
                    origin,
                    origin_allowlisted,
                    environment,
                    layer,
                    presses,
                    seed,
                    work_bits,
                    opened_at,
                }
            },
        )
}

pub(super) fn evidence() -> impl Strategy<Value = EvidenceBatch> {
    let family = select(vec![AddressFamily::V4, AddressFamily::V6]);
    let headers = prop::collection::vec(("[a-z-]{1,12}", ".{0,20}"), 0..3);
    let call = (headers, any::<[u8; 16]>(), family).prop_map(|(headers, network, family)| {
        RequestMetadata {
            headers,
            network: NetworkHash(network),
            family,
        }
    });
    (
        challenge(),
        any::<u8>(),
        time(),
        call,
        prop::collection::vec(any::<u8>(), 0..300),
    )
        .prop_map(
            |(challenge, number, received_at, call, body)| EvidenceBatch {
                challenge,
                number,
                received_at,
                call,
                body,
            },
        )
}

pub(super) fn cluster_kind() -> impl Strategy<Value = ClusterKind> {
    select(vec![
        ClusterKind::Device,
        ClusterKind::Network,
        ClusterKind::Operator,
    ])
}

fn trace() -> impl Strategy<Value = LayerRemnant> {
    (any::<bool>(), nats(), any::<(bool, bool)>()).prop_map(
        |(flagged, bot, (covered, is_decided))| LayerRemnant {
            flagged,
            bot,
            covered,
            is_decided,
        },
    )
}

pub(super) fn label() -> impl Strategy<Value = Label> {
    (
        select(vec![Truth::Human, Truth::Bot]),
        any::<bool>(),
        ".{0,40}",
        time(),
    )
        .prop_map(|(truth, consent, reason, at)| Label {
            truth,
            consent,
            reason,
            at,
        })
}

fn admin_token_name() -> impl Strategy<Value = AdminTokenName> {
    "[a-zA-Z0-9][a-z é]{0,40}[a-z]".prop_map(|text| text.parse().unwrap())
}

pub(super) fn user_name() -> impl Strategy<Value = UserName> {
    "[a-zA-Z0-9][a-z é]{0,40}[a-z]".prop_map(|text| text.parse().unwrap())
}

pub(super) fn admin_token() -> impl Strategy<Value = AdminToken> {
    let role = select(Role::ALL.to_vec());
    (
        any::<[u8; 16]>(),
        admin_token_name(),
        role,
        any::<u32>(),
        time(),
        prop::option::of(time()),
    )
        .prop_map(
            |(id, name, role, generation, created_at, revoked_at)| AdminToken {
                id: AdminTokenId::from_bytes(id),
                name,
                role,
                generation,
                created_at,
                revoked_at,
            },
        )
}

pub(super) fn tombstone() -> impl Strategy<Value = Tombstone> {
    (trace(), trace()).prop_map(|(owned, unverified)| Tombstone { owned, unverified })
}
