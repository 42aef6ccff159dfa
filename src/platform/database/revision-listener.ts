import type { Log } from '../log.ts';
import { channel } from './dialect.ts';
import { connectionOf, letGo, VerifyingClient } from './postgres-pool.ts';

/** Between two attempts to connect. */
const reconnectMs = 1_000;

/**
 * Hears of new revisions in the instant of their commit, on PostgreSQL.
 *
 * On a connection of its own. Nothing depends on it: notifications that are lost, as behind a pooler in
 * transaction mode, are made good by the poll of `RevisionWatch`.
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
    client.on('error', (error) => this.#log.debug({ err: error }, 'listening broke off'));
    client.once('end', () => this.#startAgain());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      // What came while nobody listened.
      this.#onNews();
    } catch (error) {
      this.#log.debug({ err: error }, 'not listening');
      await client.end().catch(() => {});
      this.#startAgain();
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    if (this.#client === undefined) return;
    letGo(this.#client);
    this.#client.end().catch(() => {});
  }

  #startAgain(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.start(), reconnectMs).unref();
  }
}
