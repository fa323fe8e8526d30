/** Snapshots: the verdicts of long lists of addresses. */
export type Service = import('./call.js').Service;
export type OperationId = import('./generated.js').OperationId;
export type Snapshot = import('./generated.js').Snapshot;
export type SnapshotOptions = {
    /**
     * origin of the service, as this backend reaches it
     */
    baseUrl: string;
    /**
     * a key with the scope `lookup:read`
     */
    apiKey: string;
    /**
     * a context that this key has registered
     */
    contextId: string;
    /**
     * file with a column `address` and perhaps `amount`; without it, all addresses with a verdict in the context
     */
    addresses?: string | Uint8Array | Blob;
    /**
     * media type of the file: `text/csv` (default), `application/x-ndjson`, `application/vnd.apache.parquet`, or `application/json` for a Merkle tree dump
     */
    contentType?: string;
    /**
     * column of the addresses, by name or number from 1 on, if its name is no known one
     */
    addressColumn?: string | number;
    /**
     * column of the amounts, by name or number from 1 on, if its name is no known one
     */
    amountColumn?: string | number;
    /**
     * read no amounts from the file
     */
    noAmounts?: boolean;
    /**
     * unit of the amounts in the file, which a file with amounts needs
     */
    unit?: 'base' | 'tokens';
    /**
     * decimals of the token; without `unit`, the amounts in the file are tokens
     */
    decimals?: number;
    /**
     * read the file and return the snapshot with its `summary`; nothing is looked up or billed, and a call without it continues
     */
    dryRun?: boolean;
    /**
     * reward of each address of a list without amounts, in base units of the token
     */
    amount?: bigint | string;
    /**
     * statuses that receive rewards beside `human`
     */
    include?: ('unknown' | 'unsure')[];
    /**
     * identifies this snapshot: a repeated call continues the same one, and nothing is billed twice
     */
    idempotencyKey: string;
    /**
     * timeout in milliseconds until the draft is complete; default 600,000
     */
    timeoutMs?: number;
    /**
     * alternative implementation
     */
    fetch?: typeof globalThis.fetch;
};
export type SnapshotReference = {
    /**
     * origin of the service, as this backend reaches it
     */
    baseUrl: string;
    /**
     * a key with the scope `lookup:read`
     */
    apiKey: string;
    /**
     * id of the snapshot
     */
    id: string;
    /**
     * timeout in milliseconds for all attempts together
     */
    timeoutMs?: number;
    /**
     * alternative implementation
     */
    fetch?: typeof globalThis.fetch;
};
export type FileOptions = SnapshotReference & {
    format: string;
    decimals?: number;
};
/**
 * Creates a snapshot, uploads its addresses, and waits until the draft is complete. `downloadSnapshot` then returns its files.
 *
 * @param {SnapshotOptions} options @returns {Promise<Snapshot>} rejects with a `VerdictError`, of the code `snapshot_paused` while a
 * cap or a suspension stops the job
 */
export declare function takeSnapshot({ timeoutMs, ...options }: SnapshotOptions): Promise<Snapshot>;
/** Reads the verdicts of a draft again, and waits until the snapshot is final. @param {SnapshotReference} options @returns {Promise<Snapshot>} */
export declare function finalizeSnapshot(options: SnapshotReference): Promise<Snapshot>;
/** Returns a file of a snapshot, compared with the SHA-256 in its ETag. @param {FileOptions} options @returns {Promise<Uint8Array<ArrayBuffer>>} */
export declare function downloadSnapshot(options: FileOptions): Promise<Uint8Array<ArrayBuffer>>;
/** Returns the signed manifest of a file. @param {FileOptions} options @returns {Promise<import('./generated.js').SignedManifest>} */
export declare function snapshotManifest(options: FileOptions): Promise<import('./generated.js').SignedManifest>;
