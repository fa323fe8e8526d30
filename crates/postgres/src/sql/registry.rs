//! Statements on clients, keys and contexts.

super::statements! {
    TAKE_NAME = "INSERT INTO client_name (name, client) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
    FIRST_CLIENT_TOTAL = "INSERT INTO client_total (one, number) VALUES (1, 0) ON CONFLICT (one) DO NOTHING";
    LOCK_CLIENT_TOTAL = "SELECT number FROM client_total WHERE one = 1 FOR UPDATE";
    SET_CLIENT_TOTAL = "UPDATE client_total SET number = $1 WHERE one = 1";
    ADD_CLIENT = "
        INSERT INTO client (client, number, api_keys, contexts, record) VALUES ($1, $2, 0, 0, $3)
        ON CONFLICT (client) DO NOTHING";
    ADD_METER = "INSERT INTO meter (client, environment, record) VALUES ($1, $2, NULL)";
    CLIENT = "SELECT record FROM client WHERE client = $1";
    CLIENT_NAMED = "SELECT c.record FROM client_name n JOIN client c ON c.client = n.client WHERE n.name = $1";
    CLIENTS = "SELECT record FROM client WHERE client > $1 ORDER BY client LIMIT $2";
    CLIENT_IDS = "SELECT client FROM client ORDER BY client";
    LOCK_CLIENT = "SELECT record, api_keys, contexts FROM client WHERE client = $1 FOR UPDATE";
    SET_CLIENT = "UPDATE client SET record = $2 WHERE client = $1";
    SET_KEYS = "UPDATE client SET api_keys = $2 WHERE client = $1";
    SET_CONTEXTS = "UPDATE client SET contexts = $2 WHERE client = $1";

    TAKE_KEY = "INSERT INTO key_owner (api_key, client) VALUES ($1, $2) ON CONFLICT (api_key) DO NOTHING";
    TAKE_DIGEST = "INSERT INTO key_digest (digest, client, api_key, environment) VALUES ($1, $2, $3, $4) ON CONFLICT (digest) DO NOTHING";
    DROP_DIGEST = "DELETE FROM key_digest WHERE digest = $1";
    ADD_KEY = "INSERT INTO api_key (client, api_key, record) VALUES ($1, $2, $3)";
    SET_KEY = "UPDATE api_key SET record = $3 WHERE client = $1 AND api_key = $2";
    KEY_OWNER = "SELECT client FROM key_owner WHERE api_key = $1";
    KEY = "SELECT record FROM api_key WHERE client = $1 AND api_key = $2";
    KEYS = "SELECT record FROM api_key WHERE client = $1 ORDER BY api_key";
    KEY_WITH_CLIENT = "SELECT k.record, c.record FROM api_key k JOIN client c ON c.client = k.client WHERE k.client = $1 AND k.api_key = $2";

    TAKE_CONTEXT = "INSERT INTO context_owner (context, client) VALUES ($1, $2) ON CONFLICT (context) DO NOTHING";
    ADD_CONTEXT = "INSERT INTO context (client, context, number, api_key, record) VALUES ($1, $2, $3, $4, $5)";
    SET_CONTEXT = "UPDATE context SET record = $3 WHERE client = $1 AND context = $2";
    MOVE_CONTEXT = "UPDATE context SET api_key = $3, record = $4 WHERE client = $1 AND context = $2";
    CONTEXT_OWNER = "SELECT client FROM context_owner WHERE context = $1";
    CONTEXT = "SELECT record FROM context WHERE client = $1 AND context = $2";
    LOCK_CONTEXT = "SELECT record FROM context WHERE client = $1 AND context = $2 FOR UPDATE";
    LOCK_CONTEXTS_OF_KEY = "SELECT record FROM context WHERE client = $1 AND api_key = $2 ORDER BY context FOR UPDATE";
    CONTEXTS = "SELECT c.record FROM context_owner o JOIN context c ON c.client = o.client AND c.context = o.context WHERE o.context > $1 ORDER BY o.context LIMIT $2";
    CONTEXTS_OF_CLIENT = "SELECT record FROM context WHERE client = $1 AND context > $2 ORDER BY context LIMIT $3";
    CONTEXTS_OF_KEY = "SELECT record FROM context WHERE client = $1 AND api_key = $4 AND context > $2 ORDER BY context LIMIT $3";

    IDEMPOTENCY_RECORD = "SELECT record FROM idempotency_record WHERE client = $1 AND digest = $2";
    SET_IDEMPOTENCY_RECORD = "INSERT INTO idempotency_record (client, digest, parameters, expires_at, record) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (client, digest) DO UPDATE SET parameters = excluded.parameters, expires_at = excluded.expires_at, record = excluded.record, segment = NULL";
}
