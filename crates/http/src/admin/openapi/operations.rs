//! All operations of the admin API that require a token, with their types. A test compares the list with the registered routes.

use super::operation::AdminOperation;
use voight_api::admin;

const PAGED: &[(&str, bool, &str)] = &[
    ("after", false, "The last entry of the page before."),
    ("limit", false, "At most this number of entries, 1 to 1000."),
];
const CLIENT: &[(&str, bool, &str)] = &[("client", false, "Only of this client.")];
const FORMAT: (&str, bool, &str) = ("format", false, "json or html.");
const SPAN: [(&str, bool, &str); 2] =
    [("from", false, "From this date or time on."), ("to", false, "Before this date or time.")];
const NDJSON: &str = "application/x-ndjson";

/// Returns all operations.
pub(super) fn operations() -> Vec<AdminOperation> {
    [clients(), keys(), contexts(), billing(), installation()].into_iter().flatten().collect()
}

fn clients() -> Vec<AdminOperation> {
    use admin::{
        Adjustment, Client, ClientAccount, ClientPatch, ClosedClient, Limits, LimitsPatch, NewAdjustment, NewClient,
    };
    type Op = AdminOperation;
    vec![
        Op::list::<Client>("GET", "/clients", ("listClients", "List clients, in the order of their creation")),
        Op::one::<Client>("POST", "/clients", ("createClient", "Create a client")).takes::<NewClient>(),
        Op::one::<ClientAccount>(
            "GET",
            "/clients/{client}",
            ("showClient", "Show a client, its limits and its balance"),
        ),
        Op::one::<Client>("PATCH", "/clients/{client}", ("changeClient", "Change a client")).takes::<ClientPatch>(),
        Op::one::<ClosedClient>(
            "POST",
            "/clients/{client}/close",
            ("closeClient", "Close a client permanently, and issue its last invoice"),
        ),
        Op::one::<Limits>("GET", "/clients/{client}/limits", ("showLimits", "Show the limits of a client")),
        Op::one::<Limits>("PATCH", "/clients/{client}/limits", ("changeLimits", "Change the limits of a client"))
            .takes::<LimitsPatch>(),
        Op::list::<Adjustment>(
            "GET",
            "/clients/{client}/adjustments",
            ("listAdjustments", "List the credits and corrections that wait for the next invoice"),
        ),
        Op::one::<Adjustment>("POST", "/clients/{client}/adjustments", ("adjust", "Make a credit or a correction"))
            .takes::<NewAdjustment>(),
    ]
}

fn keys() -> Vec<AdminOperation> {
    use admin::{IssuedKey, Key, KeyContexts, KeyRevocation, KeyRotation, NewKey, RevokedKey};
    type Op = AdminOperation;
    vec![
        Op::list::<Key>("GET", "/keys", ("listKeys", "List keys")).query(CLIENT),
        Op::one::<IssuedKey>("POST", "/keys", ("issueKey", "Issue a key; its secret is shown once")).takes::<NewKey>(),
        Op::one::<KeyContexts>(
            "GET",
            "/keys/{key}/contexts",
            ("listContextsAtStake", "List the contexts that a revocation of the key concerns"),
        ),
        Op::one::<IssuedKey>("POST", "/keys/{key}/rotate", ("rotateKey", "Give a key a new secret"))
            .takes::<KeyRotation>(),
        Op::one::<RevokedKey>("POST", "/keys/{key}/revoke", ("revokeKey", "Revoke a key")).takes::<KeyRevocation>(),
    ]
}

fn contexts() -> Vec<AdminOperation> {
    use admin::{
        Calibration, ClusterImport, ClusterImported, Context, ContextMove, ContextPatch, Explanation, Label, Labelled,
        NewContext, NewLabels, OverrideRequest, ReplayRequest, Verdict,
    };
    type Op = AdminOperation;
    vec![
        Op::list::<Context>("GET", "/contexts", ("listContexts", "List contexts")).query(&[
            ("client", false, "Only of this client."),
            ("key", false, "Only those that are tied to this key."),
        ]),
        Op::one::<Context>("POST", "/contexts", ("createContext", "Register a context for a key"))
            .takes::<NewContext>(),
        Op::one::<Context>("GET", "/contexts/{context}", ("showContext", "Show a context")),
        Op::one::<Context>(
            "PATCH",
            "/contexts/{context}",
            ("changeContextSettings", "Change the settings of a context"),
        )
        .takes::<ContextPatch>(),
        Op::one::<Context>("POST", "/contexts/{context}/move", ("moveContext", "Tie a context to another key"))
            .takes::<ContextMove>(),
        Op::list::<Verdict>("GET", "/contexts/{context}/verdicts", ("listVerdicts", "List verdicts")).query(PAGED),
        Op::one::<Explanation>(
            "GET",
            "/contexts/{context}/verdicts/{address}",
            ("explainVerdict", "Show a verdict and what it rests on"),
        ),
        Op::one::<Explanation>(
            "POST",
            "/contexts/{context}/verdicts/{address}/override",
            ("overrideVerdict", "Override a verdict; starts a new epoch"),
        )
        .takes::<OverrideRequest>(),
        Op::list::<Label>("GET", "/contexts/{context}/labels", ("listLabels", "List labels")).query(PAGED),
        Op::one::<Labelled>("POST", "/contexts/{context}/labels", ("label", "Store labels, all or none of them"))
            .takes::<NewLabels>(),
        Op::one::<ClusterImported>(
            "POST",
            "/contexts/{context}/clusters",
            ("importClusters", "Import clusters of addresses"),
        )
        .takes::<ClusterImport>(),
        Op::stream(
            "GET",
            "/contexts/{context}/recordings",
            ("exportRecordings", "Export recordings of consenting visitors, a RecordingLine a line"),
            NDJSON,
        )
        .query(&[("label", true, "human or bot.")])
        .with_lines_of::<admin::RecordingLine>(),
        Op::stream(
            "POST",
            "/contexts/{context}/replay",
            ("replay", "Evaluate stored evidence again by another policy, a ReplayLine a line"),
            NDJSON,
        )
        .takes::<ReplayRequest>()
        .with_lines_of::<admin::ReplayLine>(),
        Op::one::<Calibration>("GET", "/calibration", ("calibration", "Compare answers with labels")).query(&[(
            "context",
            false,
            "Only in this context.",
        )]),
    ]
}

fn billing() -> Vec<AdminOperation> {
    use admin::{CloseRequest, Invoice, InvoiceSummary, Usage, VoidRequest};
    type Op = AdminOperation;
    vec![
        Op::list::<InvoiceSummary>("GET", "/invoices", ("listInvoices", "List invoices")).query(CLIENT),
        Op::one::<Invoice>("GET", "/invoices/preview", ("previewInvoice", "Preview the invoice of a period")).query(&[
            ("client", true, "The client."),
            ("period", false, "The month in which the period began, for example 2026-11."),
            FORMAT,
        ]),
        Op::list::<InvoiceSummary>(
            "POST",
            "/invoices/close",
            ("closePeriods", "Issue invoices for periods that are over"),
        )
        .takes::<CloseRequest>(),
        Op::one::<Invoice>("GET", "/invoices/{invoice}", ("showInvoice", "Show an invoice")).query(&[FORMAT]),
        Op::one::<Invoice>("POST", "/invoices/{invoice}/mark-paid", ("payInvoice", "Mark an invoice as paid")),
        Op::one::<Invoice>("POST", "/invoices/{invoice}/void", ("voidInvoice", "Void an invoice"))
            .takes::<VoidRequest>(),
        Op::one::<Invoice>("POST", "/invoices/{invoice}/write-off", ("writeOffInvoice", "Give an invoice up")),
        Op::one::<Usage>("GET", "/usage", ("showUsage", "Show the lookups of each client")).query(&[
            ("client", false, "Only of this client."),
            SPAN[0],
            SPAN[1],
        ]),
        Op::stream("GET", "/usage/export", ("exportLookups", "Export the lookups of a client"), "*/*").query(&[
            ("client", true, "The client."),
            ("format", true, "The format, as of the public API."),
            ("environment", false, "live or test."),
            SPAN[0],
            SPAN[1],
        ]),
    ]
}

fn installation() -> Vec<AdminOperation> {
    use admin::{
        AcknowledgeClock, AcknowledgedClock, AdminTokenRevocation, AdminTokenRotation, AuditHead, AuditRecord, Clock,
        Erasure, ErasureRequest, Info, IssuedAdminToken, NamedToken, NewAdminToken, OwnToken, SigningKey,
        SigningKeyRotation, Store,
    };
    type Op = AdminOperation;
    vec![
        Op::list::<AuditRecord>("GET", "/audit", ("listAudit", "List the audit log, oldest first")).query(PAGED),
        Op::one::<AuditHead>("GET", "/audit/head", ("showAuditHead", "Show the head of the chain of the audit log")),
        Op::stream("GET", "/audit/export", ("exportLedger", "Export a ledger for verification"), NDJSON).query(&[
            ("client", true, "The client."),
            ("environment", false, "live or test."),
            ("openings", false, "yes adds the openings of the rows."),
        ]),
        Op::one::<Erasure>("POST", "/erasures", ("erase", "Erase an address")).takes::<ErasureRequest>(),
        Op::one::<OwnToken>("GET", "/token", ("showOwnToken", "Show the token of the request")),
        Op::list::<NamedToken>("GET", "/tokens", ("listTokens", "List named admin tokens")),
        Op::one::<IssuedAdminToken>(
            "POST",
            "/tokens",
            ("createToken", "Create an admin token; its text is shown once"),
        )
        .takes::<NewAdminToken>(),
        Op::one::<IssuedAdminToken>("POST", "/tokens/{token}/rotate", ("rotateToken", "Give a token a new secret"))
            .takes::<AdminTokenRotation>(),
        Op::one::<NamedToken>("POST", "/tokens/{token}/revoke", ("revokeToken", "Revoke a token permanently"))
            .takes::<AdminTokenRevocation>(),
        Op::list::<SigningKey>("GET", "/signing-keys", ("listSigningKeys", "List signing keys, the one in use first")),
        Op::one::<SigningKey>("POST", "/signing-keys/rotate", ("rotateSigningKey", "Sign with a new key"))
            .takes::<SigningKeyRotation>(),
        Op::one::<Clock>("GET", "/clock", ("showClock", "Show the wall clock of the service")),
        Op::one::<AcknowledgedClock>(
            "POST",
            "/clock/acknowledge",
            ("acceptClock", "Acknowledge a wall clock in doubt"),
        )
        .takes::<AcknowledgeClock>(),
        Op::one::<Info>("GET", "/info", ("showInfo", "Show the state of the service")),
        Op::one::<Store>("GET", "/store", ("showStore", "Show the store")),
        Op::stream("GET", "/store/backup", ("dumpStore", "Dump the store"), "application/octet-stream"),
    ]
}
