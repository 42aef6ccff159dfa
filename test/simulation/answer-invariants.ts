import { addDays, isoDate } from '../../src/platform/time/time.ts';
import type { Answer } from '../support/send-request.ts';
import type { StoredRows } from './stored-rows.ts';
import { mustHold } from './violation.ts';
import type { World } from './world.ts';

/** Invariants of the answers, at each moment and from one moment to the next. */
export class AnswerInvariants {
  readonly #world: World;
  /** Every URL that ever answered `immutable`, with its answer. */
  readonly #final = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  get finalCount(): number {
    return this.#final.size;
  }

  /** Forgets the answers of corrected exchange rates, which may change once (contract C20). */
  allowCorrected(dates: readonly string[]): void {
    for (const date of dates) this.#final.delete(`/fx/${date}`);
  }

  async check(
    stored: StoredRows,
    looks: { readonly dates: readonly string[]; readonly corrected: readonly string[] },
  ): Promise<void> {
    const newest = stored.rates.findLast(({ origin }) => origin === 'job');
    const newestFx = stored.fx.at(-1);
    const tomorrow = newest === undefined ? [] : [addDays(isoDate(newest.version), 1)];
    const around = [newest?.version, newestFx?.date].filter((date) => date !== undefined);
    const bodies = new Map(stored.rates.map(({ version, body }) => [version, body]));
    const fx = new Map(stored.fx.map(({ date, body }) => [date, body]));
    const dates = [...new Set([...tomorrow, ...around, ...looks.dates, ...looks.corrected])];
    await Promise.all([
      this.#checkLatest('/rates', newest?.body),
      this.#checkLatest('/fx', newestFx?.body),
      this.#checkLog(stored),
      ...dates.flatMap((date) => [
        this.#checkDated(`/rates/${date}`, bodies.get(date)),
        this.#checkDated(`/fx/${date}`, fx.get(date)),
        this.#checkChanges(date, stored, newest !== undefined && date <= newest.version),
      ]),
    ]);
  }

  /** Requests again every URL whose answer was immutable. */
  async checkFinal(): Promise<void> {
    await Promise.all([...this.#final.keys()].map(async (path) => this.#get(path)));
  }

  async #checkLatest(path: string, body: string | undefined): Promise<void> {
    const answer = await this.#get(path);
    mustHold(answer.status === (body === undefined ? 404 : 200), () => `${path}: ${answer.status}`);
    mustHold(!isImmutable(answer), () => `${path} is answered as immutable`);
    if (body !== undefined) sameText(path, answer, body);
  }

  async #checkDated(path: string, body: string | undefined): Promise<void> {
    const answer = await this.#get(path);
    mustHold(answer.status === (body === undefined ? 404 : 200), () => `${path}: ${answer.status}`);
    mustHold(isImmutable(answer) === (body !== undefined), () => {
      return `${path}: ${answer.status} with ${answer.headers['cache-control']}`;
    });
    if (body !== undefined) sameText(path, answer, body);
  }

  async #checkChanges(date: string, { changes }: StoredRows, isFinal: boolean): Promise<void> {
    const answer = await this.#get(`/changes/${date}`);
    const ids = changes.filter((row) => row.snapshot_date === date).map(({ id }) => id);
    mustHold(idsOf(answer) === ids.join(), () => `/changes/${date} has not the rows of the log`);
    mustHold(isImmutable(answer) === isFinal, () => {
      return `/changes/${date}: final is ${isFinal}, ${answer.headers['cache-control']}`;
    });
  }

  async #checkLog({ changes }: StoredRows): Promise<void> {
    const answer = await this.#get('/changes?limit=200');
    const newestFirst = changes.toSorted(
      (a, b) =>
        compare(b.detected_at, a.detected_at) ||
        compare(a.country, b.country) ||
        compare(a.field, b.field) ||
        compare(b.snapshot_date, a.snapshot_date),
    );
    const ids = newestFirst.slice(0, 200).map(({ id }) => id);
    mustHold(idsOf(answer) === ids.join(), () => '/changes does not list the rows of the log');
  }

  async #get(path: string): Promise<Answer> {
    const answer = await this.#world.get(path);
    const known = this.#final.get(path);
    if (known === undefined && !isImmutable(answer)) return answer;
    const text = `${answer.headers.etag} ${answer.text}`;
    mustHold(known === undefined || (isImmutable(answer) && known === text), () => {
      return `${path} was immutable as ${known} and is now ${text}`;
    });
    this.#final.set(path, text);
    return answer;
  }
}

function isImmutable({ headers }: Answer): boolean {
  return (headers['cache-control'] ?? '').includes('immutable');
}

function sameText(path: string, { text }: Answer, body: string): void {
  mustHold(text === body, () => `${path} answers ${text}, stored is ${body}`);
}

function idsOf({ status, text }: Answer): string {
  if (status !== 200) return `${status}`;
  return (JSON.parse(text) as { changes: { id: string }[] }).changes.map(({ id }) => id).join();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
