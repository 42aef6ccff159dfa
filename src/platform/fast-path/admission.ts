/** A caller whose key works and has the scope of the cached routes. */
export type Admitted = {
  readonly keyId: string;
  /** Whether the key still works, as far as this process knows without a query. */
  readonly isStillAdmitted: () => boolean;
  /** Counts a request as this many, or throws the 429. */
  readonly charge: (cost: number) => void | Promise<void>;
};

/** Finds the caller of a key; undefined if the key is unknown, no longer works or lacks the scope. */
export type Admit = (key: string) => Admitted | undefined | Promise<Admitted | undefined>;
