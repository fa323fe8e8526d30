//! Statements on the events of clients.

super::statements! {
    EVENTS = "SELECT record FROM client_event WHERE client = $1 AND number > $2 ORDER BY number LIMIT $3";
    EVENTS_BY_NUMBER = "SELECT record FROM client_event WHERE client = $1 AND number = ANY($2)";
    ADD_CLIENT_EVENT = "INSERT INTO client_event (client, number, at, address, record) VALUES ($1, $2, $3, $4, $5)";
    EVENT_FEED = "SELECT record FROM event_feed WHERE client = $1";
    LOCK_EVENT_FEED = "SELECT record FROM event_feed WHERE client = $1 FOR UPDATE";
    FIRST_EVENT_FEED = "
        INSERT INTO event_feed (client, last_at, record) VALUES ($1, $2, $3) ON CONFLICT (client) DO NOTHING";
    SET_EVENT_FEED = "UPDATE event_feed SET last_at = $2, record = $3 WHERE client = $1";
    DROP_EVENT_FEED = "DELETE FROM event_feed WHERE client = $1";
    RECENT_FEEDS = "
        SELECT client, record FROM event_feed WHERE client > $1 AND last_at >= $2 ORDER BY client LIMIT $3";
    /// Clients of the oldest events, of which each is one row.
    EXPIRED_EVENTS = "SELECT client FROM client_event WHERE at < $1 ORDER BY at LIMIT $2";
    /// Events of a client in ascending order, which is also the order of their times.
    FIRST_EVENTS = "SELECT number, at FROM client_event WHERE client = $1 ORDER BY number LIMIT $2";
    PURGE_EVENTS = "DELETE FROM client_event WHERE client = $1 AND number <= $2";
    ADDRESS_EVENTS = "SELECT number, record FROM client_event WHERE client = $1 AND address = $2 ORDER BY number";
    ERASE_EVENT = "UPDATE client_event SET address = NULL, record = $3 WHERE client = $1 AND number = $2";
}
