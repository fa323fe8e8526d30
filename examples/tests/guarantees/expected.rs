//! Cases that fail without each guarantee.

use crate::broken::MissingGuarantee;

/// Expected failures for a guarantee.
#[derive(Default)]
pub(crate) struct Expected {
    /// Cases that must fail.
    pub(crate) fail: &'static [&'static str],
    /// Cases that may fail, depending on the interleaving of threads.
    ///
    /// The batching above the engine and concurrent reads of a half-written batch are not deterministic.
    pub(crate) may_fail: &'static [&'static str],
}

/// Cases that fail without the order of ranges: all that read a list.
const WITHOUT_ORDER: &[&str] = &[
    "billing::expired_sandbox_rows_are_deleted",
    "admin::audit_is_chained",
    "admin::audit_is_gapless",
    "admin::backup_is_one_moment",
    "admin::backup_settles_no_check",
    "admin::override_opens_an_epoch",
    "admin::signing_keys_count_up",
    "admin::verdicts_are_paged_in_order",
    "admin_tokens::revoked_token_stays_revoked",
    "admin_tokens::rotation_raises_the_generation",
    "admin_tokens::token_name_is_unique",
    "billing::alerts_are_raised_once",
    "billing::close_and_marker_are_one",
    "billing::deleted_openings_keep_the_ledger",
    "billing::invoice_numbers_are_gapless",
    "billing::period_is_invoiced_once",
    "billing::rows_are_paged_in_order",
    "check_counts::check_counts_are_read_by_day",
    "check_counts::check_totals_are_read_by_day",
    "check_counts::old_check_counts_are_purged",
    "endpoints::claim_is_exclusive",
    "endpoints::claims_lose_no_event",
    "endpoints::conclusion_is_atomic",
    "endpoints::due_endpoints_are_listed_by_time",
    "endpoints::endpoint_change_and_audit_are_one",
    "endpoints::endpoint_change_keeps_progress",
    "endpoints::endpoint_limit_is_exact",
    "endpoints::old_deliveries_are_purged",
    "erasure::erase_never_interrupts_answers",
    "erasure::erase_keeps_the_ledger",
    "all_ports::dropped_future_is_atomic",
    "events::events_are_gapless",
    "events::events_are_paged_in_order",
    "events::events_follow_the_rules",
    "events::old_events_are_purged",
    "events::recent_feeds_are_listed",
    "events::retried_change_has_one_event",
    "evidence::batch_number_is_kept_once",
    "evidence::eviction_removes_expired",
    "evidence::evidence_is_bounded",
    "evidence::large_and_small_batches_keep_their_order",
    "evidence::judged_check_is_not_listed",
    "histories::match_the_model",
    "histories::match_the_model_when_reopened",
    "labels::labels_are_stored_completely",
    "labels::labels_are_paged_in_order",
    "lookup::allowance_is_exact",
    "lookup::answer_is_atomic",
    "lookup::batch_equals_single_lookups",
    "lookup::batch_is_all_or_nothing",
    "lookup::batch_is_contiguous",
    "lookup::ledger_is_chained",
    "lookup::ledger_is_gapless",
    "lookup::sandbox_is_metered_apart",
    "registry::change_and_audit_are_one",
    "registry::lists_are_paged_in_order",
    "registry::moved_context_changes_hands",
    "replay::replacement_opens_an_epoch",
    "snapshots::snapshot_bills_each_address_once",
    "snapshots::snapshot_equals_lookups",
    "snapshots::snapshot_pauses",
    "snapshots::snapshot_reads_verdicts_again",
    "snapshots::snapshot_step_is_atomic",
    "snapshots::snapshots_are_paged_in_order",
    "users::one_owner_remains",
    "users::user_name_is_unique",
    "maintenance::scrub_wraps_around",
];

/// Cases that fail without atomic batches.
const WITHOUT_ATOMICITY: &[&str] = &[
    "check::conclude_is_atomic",
    "endpoints::conclusion_is_atomic",
    "lookup::answer_is_atomic",
    "registry::change_and_audit_are_seen_together",
];

/// Cases that fail without durable batches.
const WITHOUT_DURABILITY: &[&str] = &[
    "admin::backup_is_one_moment",
    "admin::backup_settles_no_check",
    "all_ports::acknowledged_write_survives_reopen",
    "histories::match_the_model_when_reopened",
    "lookup::answer_is_durable",
    "receipts::redemption_is_durable",
];

/// Cases that fail without removed records.
const WITHOUT_REMOVAL: &[&str] = &[
    "admin::backup_is_one_moment",
    "admin::backup_settles_no_check",
    "billing::expired_sandbox_rows_are_deleted",
    "billing::deleted_openings_keep_the_ledger",
    "check::old_conclusions_are_purged",
    "check_counts::old_check_counts_are_purged",
    "endpoints::appended_event_makes_endpoints_due",
    "endpoints::clock_jump_delays_no_longer",
    "endpoints::deleted_endpoint_leaves_nothing",
    "endpoints::delivery_log_is_bounded",
    "endpoints::due_endpoints_are_listed_by_time",
    "endpoints::endpoint_change_and_audit_are_one",
    "endpoints::endpoint_change_keeps_progress",
    "endpoints::endpoint_limit_is_exact",
    "endpoints::old_deliveries_are_purged",
    "erasure::archiving_removes_the_tombstones",
    "erasure::erase_can_be_repeated",
    "erasure::erase_never_interrupts_answers",
    "erasure::erase_keeps_challenges_used",
    "erasure::erase_keeps_the_ledger",
    "erasure::erase_removes_all_personal_data",
    "erasure::override_lifts_the_tombstone",
    "events::old_events_are_purged",
    "evidence::eviction_removes_expired",
    "evidence::evidence_is_bounded",
    "evidence::first_batch_sets_expiry",
    "evidence::large_and_small_batches_keep_their_order",
    "evidence::judged_check_is_not_listed",
    "histories::match_the_model",
    "histories::match_the_model_when_reopened",
    "lookup::idempotency_record_expires",
    "registry::reinstated_key_keeps_its_contexts",
    "registry::rotated_secret_finds_its_key",
    "snapshots::deleted_snapshot_leaves_nothing",
    "snapshots::snapshot_limit_is_exact",
    "maintenance::scrub_wraps_around",
    "maintenance::scrub_raises_no_false_alarm",
];

/// Cases that fail without the responses of idempotency records.
const WITHOUT_CLAIMS: &[&str] = &[
    "erasure::erase_can_be_repeated",
    "all_ports::acknowledged_write_survives_reopen",
    "all_ports::retries_are_idempotent",
    "events::retried_change_has_one_event",
    "histories::match_the_model",
    "histories::match_the_model_when_reopened",
    "lookup::answer_has_one_row",
    "lookup::answer_is_atomic",
    "lookup::answer_is_durable",
    "lookup::batch_is_replayed",
    "lookup::batch_mismatch_is_rejected",
    "lookup::idempotency_record_expires",
    "lookup::idempotent_request_is_replayed",
    "lookup::idempotency_record_lasts_its_last_hour",
    "lookup::retry_replays_the_detail",
    "lookup::idempotency_mismatch_is_rejected",
    "lookup::idempotency_is_shared_across_environments",
    "receipts::receipt_expires",
    "receipts::redemption_key_reuse_is_rejected",
    "receipts::redemption_is_durable",
    "receipts::redemption_is_no_lookup",
    "receipts::redemption_is_replayed",
    "registry::registration_retry_is_replayed",
];

/// Cases that fail without conclusions of checks.
const WITHOUT_CONCLUSIONS: &[&str] = &[
    "check::conclude_is_atomic",
    "check::conclude_is_idempotent",
    "check::old_conclusions_are_purged",
    "check::layer_change_is_recorded",
    "check::rejected_check_adds_nothing",
    "erasure::erase_can_be_repeated",
    "erasure::erase_keeps_challenges_used",
    "erasure::erase_keeps_the_ledger",
    "erasure::erase_removes_all_personal_data",
    "all_ports::retries_are_idempotent",
    "histories::match_the_model",
    "histories::match_the_model_when_reopened",
];

/// Returns the expected failures without a guarantee.
pub(crate) fn expected(missing: MissingGuarantee) -> Expected {
    let fail = match missing {
        MissingGuarantee::Atomicity => WITHOUT_ATOMICITY,
        MissingGuarantee::Durability => WITHOUT_DURABILITY,
        MissingGuarantee::Order => WITHOUT_ORDER,
        MissingGuarantee::Removal => WITHOUT_REMOVAL,
        MissingGuarantee::Claims => WITHOUT_CLAIMS,
        MissingGuarantee::Conclusions => WITHOUT_CONCLUSIONS,
    };
    Expected {
        fail,
        may_fail: may_fail(missing),
    }
}

fn may_fail(missing: MissingGuarantee) -> &'static [&'static str] {
    match missing {
        MissingGuarantee::Atomicity => &[
            "admin::backup_is_one_moment",
            "admin::backup_settles_no_check",
            "maintenance::scrub_raises_no_false_alarm",
        ],
        // The scrub and the writes beside it race.
        MissingGuarantee::Order => &["maintenance::scrub_raises_no_false_alarm"],
        MissingGuarantee::Claims => &[
            "all_ports::dropped_future_is_atomic",
            "receipts::redeem_once_under_concurrency",
        ],
        MissingGuarantee::Conclusions => &[
            "admin::backup_settles_no_check",
            "check::conclude_once_under_concurrency",
            "all_ports::dropped_future_is_atomic",
        ],
        _ => &[],
    }
}
