import { changedSince, hasGoneBack, type StoredRevision } from './stored-revision.ts';

/**
 * Called after a change with the ids of the things that changed since the listener's last success; undefined if
 * the ids are not known and anything may have changed. `hasGoneBack` says that the database went back to an earlier state
 * since then, so that what the listener has read may never have been (rule E8).
 */
export type TopicListener = (
  changed: ReadonlySet<string> | undefined,
  hasGoneBack: boolean,
) => Promise<void> | void;

/** A row that was read. */
type ReadRow = {
  readonly stored: StoredRevision;
  readonly readAtMs: number;
  /** Whether the database went back before it was read. */
  readonly hasGoneBack: boolean;
};

/** One topic and its listeners. A listener that fails or hangs delays no other topic. */
export class FollowedTopic {
  readonly #onError: (error: unknown) => void;
  /** With the revision that each has seen; undefined if the database went back since. */
  readonly #listeners: { readonly call: TopicListener; seen: number | undefined }[] = [];
  #wanted: ReadRow | undefined;
  #following: Promise<void> | undefined;
  #newest = 0;
  /** The row that was read last; undefined before the first. */
  #last: StoredRevision | undefined;
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

  /** Whether a row shows that the database went back since the row that was followed last. */
  isContradictedBy(stored: StoredRevision): boolean {
    return this.#last !== undefined && hasGoneBack(this.#last, stored);
  }

  /** Calls the listeners that are behind a row; all of them if the database went back. Never rejects. */
  follow(row: ReadRow): void {
    this.#last = row.stored;
    // A row that no listener was called for yet may have been the first one after the database went back.
    this.#wanted = { ...row, hasGoneBack: row.hasGoneBack || this.#wanted?.hasGoneBack === true };
    this.#following ??= this.#callAll();
  }

  async #callAll(): Promise<void> {
    for (let wanted = this.#wanted; wanted !== undefined; wanted = this.#wanted) {
      this.#wanted = undefined;
      const { stored, readAtMs, hasGoneBack: isBack } = wanted;
      if (isBack) for (const listener of this.#listeners) listener.seen = undefined;
      const isFollowed = await this.#call(stored);
      if (isFollowed) this.followedAtMs = readAtMs;
      if (isBack || this.#newest !== stored.revision) this.changedAtMs = performance.now();
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
        const { seen } = listener;
        const called = listener.call(changedSince(seen, stored), seen === undefined);
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
