/** What a replica is told to do (`pg-replica-child.ts`). */
export type ReplicaTask = {
  readonly version: string;
  /** Where the time of the service stands; another for each replica, so that one sees who wrote. */
  readonly now: string;
  /** How long it waits for the lease. */
  readonly waitMs: number;
  /** Before which statement it waits until it is told to go on; null for none. */
  readonly waitAt: Moment | null;
};

/** Before the publishing transaction, and inside it: before the snapshot, the check of the lease, the end. */
export const moments = ['fetched', 'inserting', 'checking', 'committing'] as const;
export type Moment = (typeof moments)[number];

export type Waiting = Extract<ReplicaMessage, { kind: 'waiting' }>;
export type ReplicaEnd = Extract<ReplicaMessage, { kind: 'ended' }>;

export type ReplicaMessage =
  | { readonly kind: 'ready' }
  /** With its sessions: the one that it waits in, and the others. */
  | { readonly kind: 'waiting'; readonly own: number; readonly others: readonly number[] }
  | {
      readonly kind: 'ended';
      readonly outcomes: readonly (string | null)[];
      /** Why nothing was done at all, and why runs failed. */
      readonly troubles: readonly string[];
    };
