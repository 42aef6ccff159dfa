/**
 * The rows as they are stored, on every engine alike.
 *
 * Dates are text `YYYY-MM-DD`, instants ISO 8601 in UTC with milliseconds, JSON is text: what is
 * compared, ordered and hashed is the same on SQLite and PostgreSQL.
 */
export interface Tables {
  rate_snapshots: {
    version: string;
    /** `job`: part of the chain that the change log describes. `backfill`: a dated answer only. */
    origin: 'job' | 'backfill';
    /** The very answer of `/rates/<version>`, made once; the numbers in it are the stored rates. */
    body: string;
    /** When the newest record began that the answer was made of; null where that is not known. */
    situation_date: string | null;
    input_digest: string;
    stored_at: string;
  };
  rate_changes: {
    id: string;
    snapshot_date: string;
    country: string;
    field: string;
    /** Canonical decimal; null where there was no such rate. */
    old: string | null;
    new: string | null;
    detected_at: string;
  };
  fx_snapshots: {
    date: string;
    body: string;
    stored_at: string;
  };
  /** The publications of a year by column, made from `fx_snapshots` in the transaction that changes them. */
  fx_columns: {
    year: string;
    /** A currency code, or `date` for the dates of the year's publications. */
    name: string;
    /** A cell for each publication, oldest first, as JSON, joined by commas; `null` for no value. */
    cells: string;
  };
  /** The outbox: events, written in the transaction that makes them true (contract C31). */
  events: {
    id: string;
    type: string;
    /** Null for an event that is about no snapshot. */
    snapshot_date: string | null;
    /** The key that it belongs to; null for a public event. */
    key_id: string | null;
    created_at: string;
  };
  webhook_subscriptions: {
    id: string;
    key_id: string;
    url: string;
    /** JSON: a list of event types. */
    events: string;
    description: string | null;
    status: 'enabled' | 'disabled';
    disabled_reason: string | null;
    created_at: string;
    /** Since when it has been enabled, this time. */
    enabled_at: string;
    last_success_at: string | null;
    /** Events that were given up since the last success. */
    exhausted_events: number;
    /** 1 when the last attempt failed. */
    failing: 0 | 1;
  };
  webhook_secrets: {
    id: string;
    subscription_id: string;
    /** Encrypted with SECRET_KEY. */
    sealed: string;
    created_at: string;
    /** When it stops signing because another took its place; null while nothing has. */
    ends_at: string | null;
  };
  webhook_deliveries: {
    id: string;
    subscription_id: string;
    event_id: string;
    status: 'pending' | 'succeeded' | 'failed';
    created_at: string;
    /** When the next attempt is due; null when there is none to come. */
    due_at: string | null;
    /** Failed ones of this round: since the event, or since the last replay. */
    attempts_made: number;
    /** Who may attempt it, and until when; null for nobody. */
    claim: string | null;
    claimed_until: string | null;
    /** When a caller asked for it again, the last time; null for never. */
    replayed_at: string | null;
  };
  webhook_attempts: {
    id: string;
    delivery_id: string;
    at: string;
    status_code: number | null;
    duration_ms: number;
    error: string | null;
  };
  /** Deliveries that keys asked for, replays and tests, for as long as they count against a limit. */
  webhook_replays: {
    id: string;
    key_id: string;
    at: string;
    deliveries: number;
  };
  runs: {
    id: string;
    job: string;
    /** The date that the run was for; null until an upstream has told. */
    version: string | null;
    started_at: string;
    ended_at: string | null;
    /** Null while the run is under way. */
    outcome: string | null;
    /** Rows written to the change log, or values that moved against the last publication. */
    changes: number;
    /** Snapshots stored. */
    published: number;
    input_digest: string | null;
    /** Why it was held or failed; null when there is nothing to say. */
    detail: string | null;
  };
  held_snapshots: {
    id: string;
    kind: string;
    version: string;
    /** JSON, a list of sentences. */
    reasons: string;
    /** JSON of the kind's own making, enough to publish it. */
    candidate: string;
    input_digest: string;
    held_at: string;
    state: 'held' | 'approved' | 'rejected' | 'replaced';
    decided_at: string | null;
  };
  corrections: {
    id: string;
    kind: string;
    version: string;
    field: string;
    /** What we published; null where it was not there. */
    stored: string | null;
    /** What the upstream says now. */
    upstream: string | null;
    seen_at: string;
    state: 'open' | 'applied' | 'withdrawn';
    decided_at: string | null;
  };
  leases: {
    name: string;
    holder: string;
    /** Grows by one with each new holder; checked inside the publishing transaction. */
    epoch: number;
    expires_at: string;
  };
  /** Grows with each write to a topic, so that every process sees that something is new. */
  revisions: {
    topic: string;
    revision: number;
    /**
     * JSON: the latest changes as [revision, id of what changed], the oldest first; null where changes concern
     * the whole topic.
     */
    subjects: string | null;
  };
  /** The processes that serve, each until it is not heard of any more. */
  replicas: {
    id: string;
    host: string;
    pid: number;
    started_at: string;
    seen_until: string;
    /** Ids of the secret keys that it has, separated by commas; null from a version before rotation. */
    secret_keys?: string | null;
  };
  /** One row: the SECRET_KEY that stored secrets are encrypted with. */
  secret_key_in_use: {
    id: 'current';
    /** Null before the first start. */
    key_id: string | null;
  };
  api_keys: {
    id: string;
    name: string;
    /** `default`, `none` or a whole number: requests in a minute. */
    rate_limit: string;
    /** The same for a calendar month. */
    quota: string;
    /** The names of its scopes, separated by blanks, in the order of `scopes`. */
    scopes: string;
    created_at: string;
    expires_at: string | null;
    revoked_at: string | null;
  };
  /** What callers present. A key has one, and several while it is being rotated. */
  key_secrets: {
    /** SHA-256 of the whole key; the key itself is nowhere. */
    secret_hash: string;
    key_id: string;
    created_at: string;
    /** When it stops working because another took its place; null while nothing has. */
    ends_at: string | null;
    /** Exact to a minute; null when it was never used. */
    last_used_at: string | null;
  };
  /**
   * Charged requests per key and day (UTC), kept for 400 days. The sum of a month is what its quota is compared with.
   */
  key_use: {
    key_id: string;
    use_date: string;
    requests: number;
  };
  /** Written by version 0.1 only; each start adds it to `key_use`. */
  key_use_journal: {
    id: string;
    /** JSON: a list of [key id, date, requests]. */
    uses: string;
  };
  audit: {
    id: string;
    at: string;
    action: string;
    subject: string;
    detail: string;
  };
}
