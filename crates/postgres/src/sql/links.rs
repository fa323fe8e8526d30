//! Statements on movement fingerprints and clusters.

super::statements! {
    PAGES = "SELECT page, record FROM fingerprint_page WHERE client = $1 AND context = $2 ORDER BY page";
    SET_PAGE = "
        INSERT INTO fingerprint_page (client, context, page, record) VALUES ($1, $2, $3, $4)
        ON CONFLICT (client, context, page) DO UPDATE SET record = excluded.record";
    DROP_PAGE = "DELETE FROM fingerprint_page WHERE client = $1 AND context = $2 AND page = $3";
    CLUSTER = "SELECT record FROM cluster WHERE client = $1 AND context = $2 AND kind = $3 AND digest = $4";
    CLUSTERS = "
        SELECT kind, digest, record FROM cluster
        WHERE client = $1 AND context = $2 AND (kind, digest) > ($3, $4) ORDER BY kind, digest LIMIT $5";
    SET_CLUSTER = "
        INSERT INTO cluster (client, context, kind, digest, record) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (client, context, kind, digest) DO UPDATE SET record = excluded.record";
    DROP_CLUSTER = "DELETE FROM cluster WHERE client = $1 AND context = $2 AND kind = $3 AND digest = $4";
    ASSIGNED = "SELECT record FROM assigned_cluster WHERE client = $1 AND context = $2 AND member = $3";
    SET_ASSIGNED = "
        INSERT INTO assigned_cluster (client, context, member, record) VALUES ($1, $2, $3, $4)
        ON CONFLICT (client, context, member) DO UPDATE SET record = excluded.record";
    DELETE_ASSIGNED_CLUSTER = "DELETE FROM assigned_cluster WHERE client = $1 AND context = $2 AND member = $3";
}
