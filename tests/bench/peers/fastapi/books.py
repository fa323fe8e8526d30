"""Storage in PostgreSQL. Each statement is prepared once per connection."""

import asyncpg

# More connections than cores: while one waits for the disk, others share its commit.
CONNECTIONS = 32

ADD_CLIENT = "INSERT INTO clients (key_digest) VALUES ($1) ON CONFLICT DO NOTHING"

REGISTER = """INSERT INTO contexts (context_id, client_id)
SELECT $2, client_id FROM clients WHERE key_digest = $1 RETURNING context_id"""

DECIDE = """INSERT INTO verdicts (context_id, eoa_address, is_bot, score)
SELECT context_id, unnest($3::text[]), $4, $5 FROM contexts JOIN clients USING (client_id)
WHERE key_digest = $1 AND context_id = $2
ON CONFLICT (context_id, eoa_address) DO UPDATE SET is_bot = excluded.is_bot, score = excluded.score RETURNING context_id"""

LOOK = """SELECT clients.client_id, contexts.context_id, verdicts.is_bot, verdicts.score FROM clients
LEFT JOIN contexts ON contexts.client_id = clients.client_id AND contexts.context_id = $2
LEFT JOIN verdicts ON verdicts.context_id = contexts.context_id AND verdicts.eoa_address = $3
WHERE clients.key_digest = $1"""

RECORD = """INSERT INTO usage (client_id, idempotency_key, context_id, eoa_address, is_bot, score)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (client_id, idempotency_key) DO NOTHING
RETURNING seq, context_id, eoa_address, is_bot, score"""

FIRST = "SELECT seq, context_id, eoa_address, is_bot, score FROM usage WHERE client_id = $1 AND idempotency_key = $2"

COUNT = """SELECT count(seq) AS rows FROM clients LEFT JOIN usage USING (client_id)
WHERE key_digest = $1 GROUP BY client_id"""


async def leave(connection: asyncpg.Connection):
    """Skips the reset of a connection, which costs a round trip: no statement changes the session state."""


class Books:
    """Database queries."""

    def __init__(self, pool: asyncpg.Pool):
        self.pool = pool

    @classmethod
    async def open(cls, url: str, schema: str) -> "Books":
        """Connects, and creates the schema if it does not exist."""
        pool = await asyncpg.create_pool(url, min_size=CONNECTIONS, max_size=CONNECTIONS, reset=leave)
        await pool.execute(schema)
        return cls(pool)

    async def close(self):
        """Closes all connections."""
        await self.pool.close()

    async def add_client(self, key: bytes):
        """Adds the client with this key, unless it exists."""
        await self.pool.execute(ADD_CLIENT, key)

    async def register(self, key: bytes, context: str):
        """Registers a context for the client with this key; returns None without such a client."""
        return await self.pool.fetchrow(REGISTER, key, context)

    async def decide(self, key: bytes, context: str, addresses: list[str], is_bot: bool, score: float):
        """Stores verdicts in a context of the client with this key; returns None without such a context."""
        return await self.pool.fetchrow(DECIDE, key, context, addresses, is_bot, score)

    async def look(self, key: bytes, context: str, address: str):
        """Returns the client with this key, its context of this name and the verdict, as far as they exist."""
        return await self.pool.fetchrow(LOOK, key, context, address)

    async def record(self, client: int, idempotency_key: str | None, context: str, address: str, is_bot: bool, score: float):
        """Adds the row of a lookup; returns None if its idempotency key has one."""
        return await self.pool.fetchrow(RECORD, client, idempotency_key, context, address, is_bot, score)

    async def first(self, client: int, idempotency_key: str):
        """Returns the row of a lookup's idempotency key."""
        return await self.pool.fetchrow(FIRST, client, idempotency_key)

    async def count(self, key: bytes):
        """Counts the rows of the client with this key; returns None without such a client."""
        return await self.pool.fetchrow(COUNT, key)
