import type { Kysely, Transaction } from 'kysely';
import type { EventTables } from './event-tables.ts';
import type { RateTables } from './rate-tables.ts';
import type { StoredCheckTables } from './stored-check-tables.ts';

/**
 * Types of the stored rows, the same on both engines.
 *
 * Dates are text `YYYY-MM-DD`, instants are ISO 8601 in UTC with milliseconds, and JSON is text, so that values
 * are compared, sorted and hashed in the same way on SQLite and PostgreSQL.
 */
export interface Tables extends EventTables, RateTables, StoredCheckTables {
  fx_snapshots: {
    date: string;
    body: string;
    stored_at: string;
  };
  /** The publications of national banks (rule N2). */
  bank_publications: {
    bank: string;
    date: string;
    /** The number of the table as it is published; null for a bank without numbers. */
    table_number: string | null;
    body: string;
    stored_at: string;
  };
  /** The days of each national bank through which all of its publications are known. */
  bank_reads: {
    bank: string;
    /** The bank was asked for every day up to this one, by an answer that it made when the day had ended. */
    complete_through: string;
    /** The moment of the run that got that answer. */
    fetched_at: string;
    /** The same as version 0.3 left it: answers may have been given that rest on its weaker proof. Null for none. */
    earlier_through: string | null;
  };
  /** What is known about days on which a bank published nothing (rule N7b). A day with a publication has no row. */
  bank_absences: {
    bank: string;
    date: string;
    /** When the first answer without a publication of the day was made, after its end; null for none. */
    first_at: string | null;
    /** The same of the last one. */
    last_at: string | null;
    /** When an operator said that the bank published nothing on the day; null if none did. */
    closed_at: string | null;
    /** The operator's reason. */
    reason: string | null;
  };
  /** The publications of a year by column, made from `fx_snapshots` in the transaction that changes them. */
  fx_columns: {
    year: string;
    /** A currency code, or `date` for the dates of the year's publications. */
    name: string;
    /** A cell for each publication, oldest first, as JSON, joined by commas; `null` for no value. */
    cells: string;
  };
  /** The keys that sign evidence of VAT checks; at most one has not ended. */
  evidence_keys: {
    /** The thumbprint of the public key (RFC 7638). */
    id: string;
    /** JSON: the public key as JWK. */
    public_key: string;
    /** The private key, encrypted with SECRET_KEY. */
    sealed: string;
    created_at: string;
    /** The moment from which it signs nothing more; null for the current key. */
    ended_at: string | null;
  };
  runs: {
    id: string;
    job: string;
    /** The date that the run is for; null until an upstream has reported it. */
    version: string | null;
    started_at: string;
    ended_at: string | null;
    /** Null while the run is not finished. */
    outcome: string | null;
    /** Count of rows written to the change log, or of values that differ from the last publication. */
    changes: number;
    /** Count of snapshots stored. */
    published: number;
    input_digest: string | null;
    /** The reason why the run was held or failed; null if there is none. */
    detail: string | null;
    /** The code of the reason why the run failed; null if it did not fail, or failed before this column existed. */
    failure: string | null;
  };
  held_snapshots: {
    id: string;
    kind: string;
    version: string;
    /** JSON: a list of sentences. */
    reasons: string;
    /** JSON whose form depends on `kind`, sufficient to publish the snapshot. */
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
    /** The published value; null if there was none. */
    stored: string | null;
    /** The upstream's present value; null if there is none. */
    upstream: string | null;
    seen_at: string;
    state: 'open' | 'applied' | 'withdrawn';
    decided_at: string | null;
  };
  /** The withdrawals of published versions by an operator. Each lets the latest version in memory go back once. */
  withdrawals: {
    id: string;
    kind: string;
    /** All versions after this date were taken back. */
    after_date: string;
    withdrawn_at: string;
  };
  leases: {
    name: string;
    /** The process, and an id of its run. */
    holder: string;
    /** Increases by one with each new holder; the publishing transaction compares both. */
    epoch: number;
    expires_at: string;
  };
  /** The revision of a topic increases with each write to it, so that every process sees that data changed. */
  revisions: {
    topic: string;
    revision: number;
    /**
     * JSON: the latest changes as [revision, id of the changed thing], the oldest first; null if changes concern the
     * whole topic.
     */
    subjects: string | null;
    /**
     * The random tokens of the latest 100 revisions, eight characters each, the oldest first. Null if all are of
     * version 0.3, which writes none.
     */
    tokens: string | null;
  };
  /** The processes that serve; each renews its `seen_until`. */
  replicas: {
    id: string;
    host: string;
    pid: number;
    started_at: string;
    seen_until: string;
    /** Ids of the secret keys that the process has, separated by commas; null from a version before rotation. */
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
    /** `default`, `none` or a whole number: requests in a calendar month. */
    quota: string;
    /** The names of its scopes, separated by blanks, in the order of `scopes`. */
    scopes: string;
    /** The VAT number on whose behalf its stored checks are made, its country in front: `NL854265259B01`; null for none. */
    requester: string | null;
    /** Its requesters of further countries, separated by commas; null for none (rule M6). */
    further_requesters: string | null;
    /** `default`, `none` or a whole number: calls to VIES in a UTC day that its callers wait for. Null is `default`. */
    calls_per_day: string | null;
    created_at: string;
    expires_at: string | null;
    revoked_at: string | null;
  };
  /** The secrets of keys. A key has one, and several while it is being rotated. */
  key_secrets: {
    /** SHA-256 of the whole key; the key itself is not stored. */
    secret_hash: string;
    key_id: string;
    created_at: string;
    /** The moment from which it no longer works, because another secret replaced it; null for the current one. */
    ends_at: string | null;
    /** Exact to a minute; null if it was never used. */
    last_used_at: string | null;
  };
  /**
   * Charged requests per key and day (UTC), kept for 400 days. A key's quota is compared with the sum of a month.
   */
  key_use: {
    key_id: string;
    use_date: string;
    requests: number;
  };
  /** Written by version 0.1 only; each start adds its rows to `key_use`. */
  key_use_journal: {
    id: string;
    /** JSON: a list of [key id, date, requests]. */
    uses: string;
  };
  /** Marks of transactions, kept for an hour (`marks.ts`); none on SQLite. */
  commit_marks: {
    /** A name that only one process has. */
    replica: string;
    number: number;
    /** By the clock of the database. */
    written_at: string;
  };
  audit: {
    id: string;
    at: string;
    action: string;
    subject: string;
    detail: string;
    /** Null in rows of earlier versions, and for changes that the service itself made. */
    actor: string | null;
    /** Null if none was given. */
    reason: string | null;
  };
}

/**
 * A query runner: the database itself, or a transaction in it.
 *
 * PostgreSQL may roll a transaction back because of another one, at any statement; it is then repeated. So the function of a
 * transaction has no effects outside the database, or only such as may happen twice. A transaction that must not be done
 * twice has a mark (`marks.ts`).
 */
export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
