import type { IsoDate } from '../time/time.ts';

/** The difference of a held snapshot to the newest stored one, for the operator who decides. */
export type HeldDifference = {
  /** The newest stored version; null if nothing is stored yet. */
  readonly comparedWith: IsoDate | null;
  /** Sentences about what callers would lose: an operator has to confirm each. */
  readonly vanishes: readonly string[];
  /** Sentences about other things that appear or vanish. */
  readonly notices: readonly string[];
  /** Whether its publication announces an event. */
  readonly isAnnounced: boolean;
  /** What differs, as rows under the name of their list. */
  readonly lists: Readonly<Record<string, readonly DifferenceRow[]>>;
};

type DifferenceRow = Readonly<Record<string, string | number | null | readonly string[]>>;
