//! Statements that read the converted tables of a dump in key order. Tables of a client are read one client at a time.

super::statements! {
    CLIENT_NUMBERS = "SELECT number, client FROM client ORDER BY number";
    CLIENTS = "SELECT client, number, record FROM client ORDER BY client";
    DIGESTS = "
        SELECT d.digest, c.number, d.api_key FROM key_digest d JOIN client c ON c.client = d.client ORDER BY d.digest";
    KEY_OWNERS = "
        SELECT o.api_key, c.number FROM key_owner o JOIN client c ON c.client = o.client ORDER BY o.api_key";
    NAMES = "SELECT name, client FROM client_name ORDER BY name";
    CLIENT_TOTAL = "SELECT number FROM client_total WHERE one = 1 AND number > 0";
    COUNTS = "
        SELECT number, api_keys, contexts FROM client WHERE api_keys > 0 OR contexts > 0 ORDER BY number";
    PLACES = "
        SELECT o.context, c.number, x.number FROM context_owner o
        JOIN client c ON c.client = o.client JOIN context x ON x.client = c.client AND x.context = o.context
        ORDER BY o.context";
    INPUTS = "
        SELECT x.number, i.digest, i.check_id FROM presented_input i
        JOIN context x ON x.client = i.client AND x.context = i.context
        WHERE i.client = $1 ORDER BY x.number, i.digest";
    CONCLUDED = "SELECT check_id, record FROM concluded_check ORDER BY check_id";
    METERS = "SELECT environment, record FROM meter WHERE client = $1 AND record IS NOT NULL ORDER BY environment";
    AUDIT_HEAD = "SELECT record FROM audit_head WHERE one = 1";
    /// Price books, of which each client has its own copy.
    PRICE_BOOKS = "SELECT DISTINCT digest, record FROM price_book ORDER BY digest";
    /// Clusters. The key of an address that an operator assigned has 255 in place of a kind.
    CLUSTERS = "
        SELECT x.number, k.kind, k.digest, k.record
        FROM (
            SELECT client, context, kind, digest, record FROM cluster WHERE client = $1
            UNION ALL
            SELECT client, context, 255, member, record FROM assigned_cluster WHERE client = $1
        ) k
        JOIN context x ON x.client = k.client AND x.context = k.context
        ORDER BY x.number, k.kind, k.digest";
    EVIDENCE_CHECKS = "SELECT check_id, opened_at, keep_until, bytes, judged, share FROM evidence_check ORDER BY check_id";
    UNSETTLED = "SELECT opened_at, check_id FROM evidence_check WHERE NOT judged ORDER BY opened_at, check_id";
    EVIDENCE_TOTAL = "SELECT bytes FROM evidence_total WHERE one = 1 AND bytes IS NOT NULL";
    EVIDENCE_ENDS = "SELECT keep_until, check_id FROM evidence_check ORDER BY keep_until, check_id";
    DUE_ENDPOINTS = "
        SELECT e.lane, e.due_at, c.number, e.id FROM webhook_endpoint e JOIN client c ON c.client = e.client
        WHERE e.due_at IS NOT NULL ORDER BY e.lane, e.due_at, c.number, e.id";
    SIGNING_KEY = "SELECT number FROM signing_key WHERE one = 1 AND number > 0";
    /// Idempotency records. A record that was written to these tables belongs to the segment of the hour in which it
    /// expires.
    IDEMPOTENCY_RECORDS = "
        SELECT COALESCE(l.segment, l.expires_at - MOD(l.expires_at, 3600000)) AS begun, c.number, l.digest, l.record
        FROM idempotency_record l JOIN client c ON c.client = l.client ORDER BY begun, c.number, l.digest";
}
