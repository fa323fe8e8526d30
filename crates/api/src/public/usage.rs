//! Usage of a client, and the head of its ledger.

use serde::Serialize;
use utoipa::ToSchema;
use voight_domain::metering::LookupCounts;
use voight_domain::services::UsageReport;

/// Usage of a client.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsageOfClient {
    /// Start of the date range, inclusive.
    #[schema(format = DateTime)]
    pub from: String,
    /// End of the date range, exclusive.
    #[schema(format = DateTime)]
    pub to: String,
    /// Lookups in the date range, including free ones.
    pub billable: u64,
    /// Lookups that the free allowance covers.
    pub free: u64,
    /// Lookups beyond the free allowance.
    pub charged: u64,
    /// Days (UTC) with at least one lookup, in order.
    pub days: Vec<UsageOfDay>,
    /// Contexts with at least one lookup, in the order of their registration.
    pub contexts: Vec<UsageOfContext>,
    /// Head of the ledger at the time of counting.
    pub head: LedgerHead,
}

/// Lookups of a day.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsageOfDay {
    /// Day, in UTC.
    #[schema(format = Date)]
    pub date: String,
    /// Lookups of the day, including free ones.
    pub billable: u64,
    /// Lookups that the free allowance covers.
    pub free: u64,
    /// Lookups beyond the free allowance.
    pub charged: u64,
}

/// Lookups of a context.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsageOfContext {
    /// Context id.
    pub context_id: String,
    /// Lookups of the context, including free ones.
    pub billable: u64,
    /// Lookups that the free allowance covers.
    pub free: u64,
    /// Lookups beyond the free allowance.
    pub charged: u64,
}

/// Head of a ledger.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerHead {
    /// Sequence number of the last row, independent of the date range; 0 if the ledger is empty.
    pub seq: u64,
    /// Chain head after that row.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub head: String,
}

/// Signed head of a ledger.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedLedgerHead {
    /// Sequence number of the last row; 0 if the ledger is empty.
    pub seq: u64,
    /// Chain head after that row.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub head: String,
    /// Time of signing.
    #[schema(format = DateTime)]
    pub at: String,
    /// Compact JWS of type `head+jwt` over client, environment (`live` or `test`), seq, head and at.
    #[schema(pattern = "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$")]
    pub signed: String,
}

impl From<UsageReport> for UsageOfClient {
    fn from(report: UsageReport) -> Self {
        let LookupCounts { billable, free } = report.total;
        let days = report.days.into_iter().map(|(day, counts)| {
            let LookupCounts { billable, free } = counts;
            UsageOfDay {
                date: day.to_string(),
                billable,
                free,
                charged: counts.charged(),
            }
        });
        let contexts = report.contexts.into_iter().map(|(id, counts)| {
            let LookupCounts { billable, free } = counts;
            UsageOfContext {
                context_id: id.to_string(),
                billable,
                free,
                charged: counts.charged(),
            }
        });
        Self {
            from: report.span.start.to_string(),
            to: report.span.end.to_string(),
            billable,
            free,
            charged: report.total.charged(),
            days: days.collect(),
            contexts: contexts.collect(),
            head: LedgerHead {
                seq: report.seq,
                head: report.head.to_string(),
            },
        }
    }
}
