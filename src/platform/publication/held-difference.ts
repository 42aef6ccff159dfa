import type { IsoDate } from '../time/time.ts';

/** The difference of a held snapshot to the newest published one, for the operator who decides. */
export type HeldDifference = {
  /** The newest published version; null if nothing is published yet. */
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
