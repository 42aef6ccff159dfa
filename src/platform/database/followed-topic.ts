/**
 * Called after a change with the ids of the things that changed since the listener's last success; undefined if
 * the ids are not known and anything may have changed.
 */
export type TopicListener = (changed: ReadonlySet<string> | undefined) => Promise<void> | void;

/** A topic's row: its count of changes, and JSON that names the latest changes. */
type StoredRevision = { readonly revision: number; readonly subjects: string | null };

/** The row of a topic that has not changed yet. */
export const unchanged: StoredRevision = { revision: 0, subjects: null };

/** One topic and its listeners. A listener that fails or hangs delays no other topic. */
export class FollowedTopic {
  readonly #onError: (error: unknown) => void;
  readonly #listeners: { readonly call: TopicListener; seen: number }[] = [];
  #wanted: { readonly stored: StoredRevision; readonly readAtMs: number } | undefined;
  #following: Promise<void> | undefined;
  #newest = 0;
  /** When the listeners were first called for the newest revision. */
  changedAtMs = -Infinity;
  /** When the revision was read that all listeners have followed. */
  followedAtMs = performance.now();

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Adds a listener that has seen nothing yet. */
  add(call: TopicListener): void {
    this.#listeners.push({ call, seen: 0 });
  }

  /** Resolves when the listeners have been called for everything that was read. */
  async settle(): Promise<void> {
    await this.#following;
  }

  /** Calls the listeners that are behind a row that was read at `readAtMs`. Never rejects. */
  follow(stored: StoredRevision, readAtMs: number): void {
    this.#wanted = { stored, readAtMs };
    this.#following ??= this.#callAll();
  }

  async #callAll(): Promise<void> {
    for (let wanted = this.#wanted; wanted !== undefined; wanted = this.#wanted) {
      this.#wanted = undefined;
      const { stored, readAtMs } = wanted;
      const isFollowed = await this.#call(stored);
      if (isFollowed) this.followedAtMs = readAtMs;
      if (this.#newest !== stored.revision) this.changedAtMs = performance.now();
      this.#newest = stored.revision;
    }
    // In the same turn as the end of the loop, so that a later call of `follow` starts another loop.
    this.#following = undefined;
  }

  /** Calls, in their order, the listeners that have not followed this revision; true if none fails. */
  async #call(stored: StoredRevision): Promise<boolean> {
    const errors: unknown[] = [];
    const behind = this.#listeners.filter(({ seen }) => seen !== stored.revision);
    for (const listener of behind) {
      try {
        const called = listener.call(changedSince(listener.seen, stored));
        if (called !== undefined) await called;
        listener.seen = stored.revision;
      } catch (error) {
        errors.push(error);
      }
    }
    if (behind.length > 0) this.#onError(errors[0]);
    return errors.length === 0;
  }
}

/** The ids of all changes after a revision; undefined unless each of these changes is named. */
function changedSince(
  seen: number,
  { revision, subjects }: StoredRevision,
): ReadonlySet<string> | undefined {
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
