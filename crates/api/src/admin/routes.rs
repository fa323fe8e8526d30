//! Table of the admin API: one row for each operation that requires a token.
//!
//! The router, the OpenAPI document, the command line's client and the test of permissions are derived from it.

use super::{
    AcknowledgeClock, AcknowledgedClock, Adjustment, AdminTokenRevocation, AdminTokenRotation,
    AuditHead, AuditRecord, Calibration, ChangeWebhook, Client, ClientAccount, ClientPatch, Clock,
    CloseRequest, ClosedClient, ClusterImport, ClusterImported, Context, ContextMove, ContextPatch,
    DeletedWebhook, DraftInvoice, Erasure, ErasureRequest, Explanation, FoundVerdict, Info,
    InvitedUser, Invoice, InvoiceSummary, IssuedAdminToken, IssuedKey, Key, KeyContexts,
    KeyRevocation, KeyRotation, Label, Labelled, Limits, LimitsPatch, ListedVerdict, NamedToken,
    NewAdjustment, NewAdminToken, NewClient, NewContext, NewKey, NewLabels, NewUser, NewWebhook,
    OverrideRequest, OwnToken, RecordingLine, ReplayLine, ReplayRequest, ReplayWebhook, RevokedKey,
    SigningKey, SigningKeyRotation, Store, TailedEvent, Usage, User, UserRemoval, UserRole,
    VoidRequest, WebhookDeliveries, WebhookDelivery, WebhookEndpoint,
};
use crate::route::{
    AdminRoute, Dump, EmptyBody, EventStream, LedgerExport, Lines, List, Method, One, OneOrPage,
    RequestBody, Response, Route, UsageExport,
};
use voight_domain::registry::Permission;

/// Declares a constant for each row, and the list of all rows.
macro_rules! admin_routes {
    ($(
        $name:ident = $method:ident $path:literal $id:literal for $permission:ident $(: $request:ty)? => $response:ty,
            $summary:literal $(, query $query:expr)?;
    )*) => {
        $(
            #[doc = concat!("`", stringify!($method), " ", $path, "`, operation `", $id, "`.")]
            pub const $name: Route<admin_routes!(@request $($request)?), $response> = Route::new(AdminRoute {
                method: Method::$method,
                path: $path,
                id: $id,
                permission: Permission::$permission,
                summary: $summary,
                query: admin_routes!(@query $($query)?),
                request: <admin_routes!(@request $($request)?)>::SCHEMA,
                response: <$response>::SCHEMA,
            });
        )*

        /// All rows, in the order in which the router tries their paths.
        pub const ADMIN_ROUTES: &[AdminRoute] = &[$(*$name.row()),*];
    };
    (@request) => { EmptyBody };
    (@request $request:ty) => { $request };
    (@query) => { &[] };
    (@query $query:expr) => { $query };
}

const PAGED: &[(&str, bool, &str)] = &[
    ("after", false, "The last entry of the page before."),
    ("limit", false, "At most this number of entries, 1 to 1000."),
];
const CLIENT: &[(&str, bool, &str)] = &[("client", false, "Only of this client.")];
const FORMAT: (&str, bool, &str) = ("format", false, "json or html.");
const FROM: (&str, bool, &str) = ("from", false, "From this date or time on.");
const TO: (&str, bool, &str) = ("to", false, "Before this date or time.");
const TAIL: &[(&str, bool, &str)] = &[
    ("client", false, "Only of this client."),
    (
        "types",
        false,
        "Only of these types, separated by commas, for example verdict.flagged,verdict.changed.",
    ),
    (
        "since",
        false,
        "From this time on (RFC 3339). Without it, a stream of one client begins with its last events, and one of all clients with now, or an hour ago if it does not follow.",
    ),
    (
        "limit",
        false,
        "Number of the last events of the client with which the stream begins, 0 to 500; the default is 20.",
    ),
    (
        "follow",
        false,
        "true waits for later events; the default, false, ends the stream after the last event.",
    ),
];

admin_routes! {
    LIST_CLIENTS = Get "/clients" "listClients" for ReadAccounts => List<Client>,
        "List clients, in the order of their creation";
    CREATE_CLIENT = Post "/clients" "createClient" for Operate: NewClient => One<Client>,
        "Create a client";
    SHOW_CLIENT = Get "/clients/{client}" "showClient" for ReadAccounts => One<ClientAccount>,
        "Show a client, its limits and its balance";
    CHANGE_CLIENT = Patch "/clients/{client}" "changeClient" for Operate: ClientPatch => One<Client>,
        "Change a client";
    CLOSE_CLIENT = Post "/clients/{client}/close" "closeClient" for Operate => One<ClosedClient>,
        "Close a client permanently, and issue its last invoice";
    SHOW_LIMITS = Get "/clients/{client}/limits" "showLimits" for ReadAccounts => One<Limits>,
        "Show the limits of a client";
    CHANGE_LIMITS = Patch "/clients/{client}/limits" "changeLimits" for Bill: LimitsPatch => One<Limits>,
        "Change the limits of a client";
    LIST_ADJUSTMENTS = Get "/clients/{client}/adjustments" "listAdjustments" for ReadAccounts => List<Adjustment>,
        "List the credits and corrections that wait for the next invoice";
    ADJUST = Post "/clients/{client}/adjustments" "adjust" for Bill: NewAdjustment => One<Adjustment>,
        "Make a credit or a correction";
    LIST_WEBHOOKS = Get "/clients/{client}/webhooks" "listWebhooks" for Read => List<WebhookEndpoint>,
        "List the webhook endpoints of a client, in the order of their creation";
    CREATE_WEBHOOK = Post "/clients/{client}/webhooks" "createWebhook" for Operate: NewWebhook => One<WebhookEndpoint>,
        "Create a webhook endpoint; its secret is shown once";
    SHOW_WEBHOOK = Get "/clients/{client}/webhooks/{webhook}" "showWebhook" for Read => One<WebhookEndpoint>,
        "Show a webhook endpoint";
    CHANGE_WEBHOOK = Patch "/clients/{client}/webhooks/{webhook}" "changeWebhook" for Operate: ChangeWebhook => One<WebhookEndpoint>,
        "Change a webhook endpoint";
    DELETE_WEBHOOK = Delete "/clients/{client}/webhooks/{webhook}" "deleteWebhook" for Operate => One<DeletedWebhook>,
        "Delete a webhook endpoint with its delivery log";
    ROTATE_WEBHOOK = Post "/clients/{client}/webhooks/{webhook}/rotate" "rotateWebhook" for Operate => One<WebhookEndpoint>,
        "Replace the key of a webhook endpoint; for 24 hours requests have signatures by both keys";
    TEST_WEBHOOK = Post "/clients/{client}/webhooks/{webhook}/test" "testWebhook" for Operate => One<WebhookDelivery>,
        "Send a test to a webhook endpoint";
    REPLAY_WEBHOOK = Post "/clients/{client}/webhooks/{webhook}/replay" "replayWebhook" for Operate: ReplayWebhook => One<WebhookEndpoint>,
        "Send events to a webhook endpoint again";
    LIST_WEBHOOK_DELIVERIES = Get "/clients/{client}/webhooks/{webhook}/deliveries" "listWebhookDeliveries" for Read => One<WebhookDeliveries>,
        "List the attempts to deliver events to a webhook endpoint, newest first",
        query &[("before", false, "Only attempts before this number."), ("limit", false, "At most this number of entries, 1 to 100.")];
    LIST_KEYS = Get "/keys" "listKeys" for Read => List<Key>,
        "List keys",
        query CLIENT;
    ISSUE_KEY = Post "/keys" "issueKey" for Operate: NewKey => One<IssuedKey>,
        "Issue a key; its secret is shown once";
    LIST_CONTEXTS_AT_STAKE = Get "/keys/{key}/contexts" "listContextsAtStake" for Read => One<KeyContexts>,
        "List the contexts that a revocation of the key concerns";
    ROTATE_KEY = Post "/keys/{key}/rotate" "rotateKey" for Operate: KeyRotation => One<IssuedKey>,
        "Give a key a new secret";
    REVOKE_KEY = Post "/keys/{key}/revoke" "revokeKey" for Operate: KeyRevocation => One<RevokedKey>,
        "Revoke a key";
    LIST_CONTEXTS = Get "/contexts" "listContexts" for Read => List<Context>,
        "List contexts",
        query &[("client", false, "Only of this client."), ("key", false, "Only those that are tied to this key.")];
    CREATE_CONTEXT = Post "/contexts" "createContext" for Operate: NewContext => One<Context>,
        "Register a context for a key";
    SHOW_CONTEXT = Get "/contexts/{context}" "showContext" for Read => One<Context>,
        "Show a context";
    CHANGE_CONTEXT_SETTINGS = Patch "/contexts/{context}" "changeContextSettings" for Operate: ContextPatch => One<Context>,
        "Change the settings of a context";
    MOVE_CONTEXT = Post "/contexts/{context}/move" "moveContext" for Operate: ContextMove => One<Context>,
        "Tie a context to another key";
    LIST_VERDICTS = Get "/contexts/{context}/verdicts" "listVerdicts" for Read => List<ListedVerdict>,
        "List verdicts",
        query PAGED;
    FIND_VERDICTS = Get "/verdicts" "findVerdicts" for Read => List<FoundVerdict>,
        "Find the verdicts on an address in all contexts, ordered by the id of the context",
        query &[("address", true, "The address."), ("after", false, "The last context of the page before."), ("limit", false, "At most this number of entries, 1 to 1000.")];
    EXPLAIN_VERDICT = Get "/contexts/{context}/verdicts/{address}" "explainVerdict" for Read => One<Explanation>,
        "Show a verdict and what it rests on";
    OVERRIDE_VERDICT = Post "/contexts/{context}/verdicts/{address}/override" "overrideVerdict" for Operate: OverrideRequest => One<Explanation>,
        "Override a verdict; starts a new epoch";
    LIST_LABELS = Get "/contexts/{context}/labels" "listLabels" for Read => List<Label>,
        "List labels",
        query PAGED;
    LABEL = Post "/contexts/{context}/labels" "label" for Operate: NewLabels => One<Labelled>,
        "Store labels, all or none of them";
    IMPORT_CLUSTERS = Post "/contexts/{context}/clusters" "importClusters" for Operate: ClusterImport => One<ClusterImported>,
        "Import clusters of addresses";
    EXPORT_RECORDINGS = Get "/contexts/{context}/recordings" "exportRecordings" for Read => Lines<RecordingLine>,
        "Export recordings of consenting visitors, as lines of JSON",
        query &[("label", true, "human or bot.")];
    REPLAY = Post "/contexts/{context}/replay" "replay" for Operate: ReplayRequest => Lines<ReplayLine>,
        "Evaluate stored evidence again by another policy, as lines of JSON";
    CALIBRATION = Get "/calibration" "calibration" for Read => One<Calibration>,
        "Compare answers with labels",
        query &[("context", false, "Only in this context.")];
    LIST_INVOICES = Get "/invoices" "listInvoices" for ReadAccounts => List<InvoiceSummary>,
        "List invoices",
        query CLIENT;
    PREVIEW_INVOICE = Get "/invoices/preview" "previewInvoice" for ReadAccounts => OneOrPage<DraftInvoice>,
        "Preview the invoice of a period",
        query &[("client", true, "The client."), ("period", false, "The month in which the period began, for example 2026-11."), FORMAT, ];
    CLOSE_PERIODS = Post "/invoices/close" "closePeriods" for Bill: CloseRequest => List<InvoiceSummary>,
        "Issue invoices for periods that are over";
    SHOW_INVOICE = Get "/invoices/{invoice}" "showInvoice" for ReadAccounts => OneOrPage<Invoice>,
        "Show an invoice",
        query &[FORMAT];
    PAY_INVOICE = Post "/invoices/{invoice}/mark-paid" "payInvoice" for Bill => One<Invoice>,
        "Mark an invoice as paid";
    VOID_INVOICE = Post "/invoices/{invoice}/void" "voidInvoice" for Bill: VoidRequest => One<Invoice>,
        "Void an invoice";
    WRITE_OFF_INVOICE = Post "/invoices/{invoice}/write-off" "writeOffInvoice" for Bill => One<Invoice>,
        "Give an invoice up";
    SHOW_USAGE = Get "/usage" "showUsage" for ReadAccounts => One<Usage>,
        "Show the lookups of each client",
        query &[("client", false, "Only of this client."), FROM, TO, ];
    EXPORT_LOOKUPS = Get "/usage/export" "exportLookups" for ReadAccounts => UsageExport,
        "Export the lookups of a client",
        query &[("client", true, "The client."), ("format", true, "The format, as of the public API."), ("environment", false, "live or test."), FROM, TO, ];
    LIST_AUDIT = Get "/audit" "listAudit" for Read => List<AuditRecord>,
        "List the audit log, oldest first",
        query PAGED;
    SHOW_AUDIT_HEAD = Get "/audit/head" "showAuditHead" for Read => One<AuditHead>,
        "Show the head of the chain of the audit log";
    EXPORT_LEDGER = Get "/audit/export" "exportLedger" for Read => LedgerExport,
        "Export a ledger for verification",
        query &[("client", true, "The client."), ("environment", false, "live or test."), ("openings", false, "yes adds the openings of the rows.")];
    TAIL_EVENTS = Get "/events" "tailEvents" for Read => EventStream<TailedEvent>,
        "Stream the events of all clients or of one as server-sent events; Last-Event-ID resumes a stream",
        query TAIL;
    ERASE = Post "/erasures" "erase" for Operate: ErasureRequest => One<Erasure>,
        "Erase an address";
    SHOW_OWN_TOKEN = Get "/token" "showOwnToken" for ReadAccounts => One<OwnToken>,
        "Show the token of the request";
    LIST_TOKENS = Get "/tokens" "listTokens" for Own => List<NamedToken>,
        "List named admin tokens";
    CREATE_TOKEN = Post "/tokens" "createToken" for Own: NewAdminToken => One<IssuedAdminToken>,
        "Create an admin token; its text is shown once";
    ROTATE_TOKEN = Post "/tokens/{token}/rotate" "rotateToken" for Own: AdminTokenRotation => One<IssuedAdminToken>,
        "Give a token a new secret";
    REVOKE_TOKEN = Post "/tokens/{token}/revoke" "revokeToken" for Own: AdminTokenRevocation => One<NamedToken>,
        "Revoke a token permanently";
    LIST_USERS = Get "/users" "listUsers" for Own => List<User>,
        "List the users of the console";
    INVITE_USER = Post "/users" "inviteUser" for Own: NewUser => One<InvitedUser>,
        "Create a sign-in link, and the user if missing; the link is shown once";
    SET_USER_ROLE = Post "/users/{user}/role" "setUserRole" for Own: UserRole => One<User>,
        "Give a user another role";
    REMOVE_USER = Post "/users/{user}/remove" "removeUser" for Own: UserRemoval => One<User>,
        "Remove a user permanently";
    LIST_SIGNING_KEYS = Get "/signing-keys" "listSigningKeys" for Read => List<SigningKey>,
        "List signing keys, the one in use first";
    ROTATE_SIGNING_KEY = Post "/signing-keys/rotate" "rotateSigningKey" for Own: SigningKeyRotation => One<SigningKey>,
        "Sign with a new key";
    SHOW_CLOCK = Get "/clock" "showClock" for ReadAccounts => One<Clock>,
        "Show the wall clock of the service";
    ACCEPT_CLOCK = Post "/clock/acknowledge" "acceptClock" for Own: AcknowledgeClock => One<AcknowledgedClock>,
        "Acknowledge a wall clock in doubt";
    SHOW_INFO = Get "/info" "showInfo" for ReadAccounts => One<Info>,
        "Show the state of the service";
    SHOW_STORE = Get "/store" "showStore" for Read => One<Store>,
        "Show the store";
    DUMP_STORE = Get "/store/backup" "dumpStore" for Own => Dump,
        "Dump the store";
}
