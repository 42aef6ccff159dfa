import { randomBytes } from 'node:crypto';

/** A topic's row. The columns are explained in `tables.ts`. */
export type StoredRevision = {
  readonly revision: number;
  readonly subjects: string | null;
  readonly tokens: string | null;
};

/** The row of a topic that has not changed yet. */
export const unchanged: StoredRevision = { revision: 0, subjects: null, tokens: null };

/** Maximum of changes that a row names. A process that missed more treats everything as changed. */
export const namedChangesMax = 100;

/** Maximum of revisions whose tokens a row has. */
const tokensMax = 100;
const tokenChars = 8;
/** Characters of the tokens of a row. */
export const tokensCharsMax = tokensMax * tokenChars;

/** Makes a token for a revision. */
export function createToken(): string {
  return randomBytes((tokenChars * 3) / 4).toString('base64url');
}

/**
 * Whether a row cannot have followed from one that was read before: the database went back to an earlier state since
 * (rule E8).
 *
 * The number alone does not show it: 2 → 1 → 2 looks unchanged, and 2 → 1 → 2 → 3 like one change. Each revision adds a
 * token to the row, and one of version 0.3 adds none. So the newest token that was read is still in the row, unless 100
 * others came after it, and not more of them came after it than revisions.
 */
export function hasGoneBack(before: StoredRevision, now: StoredRevision): boolean {
  const raisedBy = now.revision - before.revision;
  if (raisedBy < 0) return true;
  const tokens = listTokens(now);
  const newest = listTokens(before).at(-1);
  const at = newest === undefined ? -1 : tokens.lastIndexOf(newest);
  const isGone = newest !== undefined && at < 0 && tokens.length < tokensMax;
  return isGone || tokens.length - 1 - at > raisedBy;
}

function listTokens({ tokens }: StoredRevision): readonly string[] {
  return tokens?.match(new RegExp(`.{${tokenChars}}`, 'g')) ?? [];
}

/** The ids of all changes after a revision; undefined unless each of these changes is named. */
export function changedSince(
  seen: number | undefined,
  { revision, subjects }: StoredRevision,
): ReadonlySet<string> | undefined {
  if (seen === undefined) return undefined;
  const named = readNamedChanges(subjects).filter(([of]) => of > seen && of <= revision);
  // An older program of a rolling upgrade raises the revision without a name.
  if (revision < seen || named.length !== revision - seen) return undefined;
  return new Set(named.map(([, subject]) => subject));
}

type NamedChange = readonly [revision: number, subject: string];

/** The changes that a topic's row names, the oldest first. */
export function readNamedChanges(subjects: string | null): readonly NamedChange[] {
  return subjects === null ? [] : (JSON.parse(subjects) as readonly NamedChange[]);
}
