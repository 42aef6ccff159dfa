/** A task of a replica (`pg-replica-child.ts`). */
export type ReplicaTask = {
  readonly version: string;
  /** The time of the service; another one for each replica, so that rows show which replica wrote them. */
  readonly now: string;
  /** Maximum wait for the lease. */
  readonly waitMs: number;
  /** The statement before which it waits until the test continues it; undefined for none. */
  readonly waitAt: Moment | undefined;
};

/** Moments before the publishing transaction and inside it: before the snapshot, the check of the lease, the end. */
export const moments = ['fetched', 'inserting', 'checking', 'committing'] as const;
export type Moment = (typeof moments)[number];

export type Waiting = Extract<ReplicaMessage, { kind: 'waiting' }>;
export type ReplicaEnd = Extract<ReplicaMessage, { kind: 'ended' }>;

export type ReplicaMessage =
  | { readonly kind: 'ready' }
  /** The sessions: the one that it waits in, and the others. */
  | { readonly kind: 'waiting'; readonly own: number; readonly others: readonly number[] }
  | {
      readonly kind: 'ended';
      readonly outcomes: readonly (string | null)[];
      /** Reasons why no run was made, and why runs failed. */
      readonly troubles: readonly string[];
    };
