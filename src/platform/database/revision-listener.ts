import type { Log } from '../log.ts';
import { channel } from './dialect.ts';
import { connectionOf, unrefClient, VerifyingClient } from './postgres-pool.ts';

/** Pause between two attempts to connect. */
const reconnectMs = 1_000;

/**
 * Calls `onNews` when a new revision is committed, on PostgreSQL (LISTEN).
 *
 * It has a connection of its own. Nothing depends on it: if notifications are lost, for example behind a pooler in
 * transaction mode, the poll of `RevisionWatch` finds the revisions.
 */
export class RevisionListener {
  readonly #url: string;
  readonly #onNews: () => void;
  readonly #log: Log;
  #client: VerifyingClient | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(url: string, parts: { readonly onNews: () => void; readonly log: Log }) {
    this.#url = url;
    this.#onNews = parts.onNews;
    this.#log = parts.log;
  }

  /** Listens until `stop`, and again after each break. Never rejects. */
  async start(): Promise<void> {
    const client = new VerifyingClient(connectionOf(this.#url));
    this.#client = client;
    client.on('notification', this.#onNews);
    client.on('error', (error) =>
      this.#log.debug({ err: error }, 'the connection for notifications broke; it is opened again'),
    );
    client.once('end', () => this.#startAgain());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      // For revisions that were committed while this process did not listen.
      this.#onNews();
    } catch (error) {
      this.#log.debug({ err: error }, 'notifications are not available; the database is polled');
      await client.end().catch(() => {});
      this.#startAgain();
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    if (this.#client === undefined) return;
    unrefClient(this.#client);
    this.#client.end().catch(() => {});
  }

  #startAgain(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.start(), reconnectMs).unref();
  }
}
