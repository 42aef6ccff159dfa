/** The tables of events, of their log and of webhooks. */
export interface EventTables {
  /** The outbox: events, written in the transaction that makes the change (contract C31). */
  events: {
    id: string;
    type: string;
    /** Null for an event without a snapshot. */
    snapshot_date: string | null;
    /** The key that the event belongs to; null for a public event. */
    key_id: string | null;
    /** The id of the thing that an event of a key is about; null for a public event and a test. */
    subject: string | null;
    /** The body of its deliveries; null if it is made from other rows. */
    body: string | null;
    created_at: string;
    /** Its place in the event log, given by a trigger; null for an event that is not in the log. */
    position: number | null;
  };
  /** One row: the event log as a whole. */
  event_log: {
    id: 'current';
    /** Hex digits; cursors of the log are signed with it. */
    secret: string;
    /** The position that was given last, on SQLite. PostgreSQL has the sequence `event_positions` instead. */
    last_position: number;
    /** The last position that retention has deleted; 0 before. */
    deleted_position: number;
  };
  /**
   * The starts of servers, and the times at which the database was found to be another one or to have gone back. Each has a
   * position in the event log, so that cursors from before a restore or a failover are known.
   */
  event_log_epochs: {
    /** Twelve random hex digits. */
    id: string;
    /** Given by a trigger unless it is written. */
    position: number | null;
    started_at: string;
    /** Written by a trigger on PostgreSQL: the system identifier and the timeline; see the migration `0035-incarnations`. */
    incarnation: string | null;
    /** Null unless the database went back: the number of events that a process had read and that are gone, at least. */
    lost_events: number | null;
  };
  /** The positions of events that were deleted one by one, beyond those that retention has deleted. */
  deleted_events: { position: number };
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
    /** The moment of the creation, or of the last change from disabled to enabled. */
    enabled_at: string;
    last_success_at: string | null;
    /** Count of events whose attempts are used up, since the last success. */
    exhausted_events: number;
    /** 1 if the last attempt failed. */
    failing: 0 | 1;
  };
  webhook_secrets: {
    id: string;
    subscription_id: string;
    /** Encrypted with SECRET_KEY. */
    sealed: string;
    created_at: string;
    /** The moment from which it no longer signs, because another secret replaced it; null for the current one. */
    ends_at: string | null;
  };
  /** The headers that a caller gave for the receiver; at most one row for a subscription, removed with it. */
  webhook_headers: {
    subscription_id: string;
    /** The URL of the subscription for which they were given. They are sent to no other one. */
    url: string;
    /** JSON: a list of names. */
    names: string;
    /** JSON, encrypted with SECRET_KEY: a list of names with their values. */
    sealed: string;
    created_at: string;
  };
  webhook_deliveries: {
    id: string;
    subscription_id: string;
    event_id: string;
    status: 'pending' | 'succeeded' | 'failed';
    created_at: string;
    /** The moment when the next attempt is due; null if there is none. */
    due_at: string | null;
    /** Count of failed attempts since the event or since the last replay. */
    attempts_made: number;
    /** The claim of the attempt that is under way (`claims.ts`); null if none is. */
    claim: string | null;
    claimed_until: string | null;
    /** The moment of the last replay; null if there was none. */
    replayed_at: string | null;
  };
  webhook_attempts: {
    id: string;
    delivery_id: string;
    at: string;
    status_code: number | null;
    duration_ms: number;
    error: string | null;
    /** Text from the start of an answer that refuses; null for any other attempt, and if it is not kept. */
    answer: string | null;
    /** The `Location` of a redirect; null without. */
    location: string | null;
  };
  /** Counts of requested deliveries, which replicas of version 0.2 write and read during a rolling upgrade. */
  webhook_replays: {
    id: string;
  };
}
