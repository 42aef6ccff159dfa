import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { countOf, isFull, reportFigure } from '../support/proof.ts';
import { addDays, isoDate } from '../../src/platform/time/time.ts';
import { liveDay, ratesMoment } from './support/days.ts';
import { eventually } from '../support/eventually.ts';
import { WebhookCaller } from './support/webhook-caller.ts';
import { localReceivers, today, tomorrow, yesterday } from './support/webhook-service.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

const each = 50;
/** Events while the tarpits hang, and when they are known to fail. */
const events = countOf({ full: 10, perCommit: 1 });
/** The promise (reliability R17); for a commit there is room for other work on this machine. */
const boundMs = isFull ? 2_000 : 10_000;

describe('tarpits beside good receivers (reliability R17)', () => {
  it('do not delay the first delivery to the good receivers, neither before nor after they are known to fail', async () => {
    const world = await startMixed();

    const untried = await world.measure(today);
    // An attempt of a tarpit takes 15 s.
    const hanging = await world.measureDays(tomorrow, events);
    await eventually(async () => (await world.countFailing()) === each);
    const failing = await world.measureDays(addDays(isoDate(tomorrow), events), events);

    reportDelays('tarpits never tried', untried);
    reportDelays('tarpits that still hang', hanging);
    reportDelays('tarpits known to fail', failing);
    expect([untried, hanging, failing].map(({ length }) => length)).toEqual([
      each,
      each * events,
      each * events,
    ]);
    const p99Ms = Math.max(...[untried, hanging, failing].map((delaysMs) => share(delaysMs, 0.99)));
    expect(p99Ms).toBeLessThan(boundMs);
  });
});

/** Starts a service with as many good receivers as tarpits. */
async function startMixed(): Promise<MixedWorld> {
  const service = await startService({
    at: `${yesterday}T05:00:00Z`,
    fxFrom: '2025-07-01',
    config: localReceivers,
  });
  await liveDay(service, yesterday);
  const world = await MixedWorld.subscribe(service);
  service.startDelivery();
  return world;
}

class MixedWorld {
  readonly #service: TestService;
  readonly #arrivals: number[] = [];
  readonly #arrived = new Set<string>();

  static async subscribe(service: TestService): Promise<MixedWorld> {
    const world = new MixedWorld(service);
    // Not receivers of the sandbox: these record the time of an arrival, and end with the test.
    const tarpitUrl = await serveHttp(tarpit);
    const goodUrl = await serveHttp((request, response) => {
      world.#arrive(`${String(request.headers['webhook-id'])} ${request.url}`);
      request.resume().once('end', () => response.writeHead(204).end());
    });
    for (let n = 0; n < each; n += 5) {
      const at = new Date().toISOString();
      const limits = { rateLimit: 'none', quota: 'none' } as const;
      const { key } = await createKey(service.core.db, { name: `caller ${n}`, ...limits, at });
      const caller = new WebhookCaller(service, key);
      for (let m = n; m < n + 5; m += 1) {
        const way = m % 2 === 0 ? 'hang' : 'drip';
        await caller.post('', { url: `${tarpitUrl}/${way}/${m}` }, 201);
        await caller.post('', { url: `${goodUrl}/${m}` }, 201);
      }
    }
    return world;
  }

  private constructor(service: TestService) {
    this.#service = service;
  }

  /** Publishes a day; returns the milliseconds from then until the webhook arrived at each good receiver. */
  async measure(date: string): Promise<readonly number[]> {
    this.#arrivals.length = 0;
    changeRate(
      this.#service.scenario,
      'SE',
      'standard',
      [String(20 + (Number(date.slice(-1)) % 2))],
      date,
    );
    // Measured from before the run that commits. The figure includes the upstream, so it is never too good.
    const startedMs = performance.now();
    await this.#service.liveAt(ratesMoment(date));
    await eventually(() => this.#arrivals.length >= each);
    return this.#arrivals.map((arrivedMs) => arrivedMs - startedMs);
  }

  /** It may arrive twice, if time moves past the claim of an attempt whose result is not written yet. */
  #arrive(delivery: string): void {
    if (!this.#arrived.has(delivery)) this.#arrivals.push(performance.now());
    this.#arrived.add(delivery);
  }

  /** Measures several days in a row. */
  async measureDays(from: string, days: number): Promise<readonly number[]> {
    const delaysMs: number[] = [];
    for (let n = 0; n < days; n += 1) {
      delaysMs.push(...(await this.measure(addDays(isoDate(from), n))));
    }
    return delaysMs;
  }

  async countFailing(): Promise<number> {
    const rows = await this.#service.core.db
      .selectFrom('webhook_subscriptions')
      .select('id')
      .where('failing', '=', 1)
      .execute();
    return rows.length;
  }
}

/** Never answers, or sends one byte of an endless answer at a time. */
function tarpit(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  if (request.url?.startsWith('/hang') === true) return;
  response.writeHead(500);
  const timer = setInterval(() => response.write('.'), 200);
  response.once('close', () => clearInterval(timer));
}

function reportDelays(what: string, delaysMs: readonly number[]): void {
  const [half, most, all] = [0.5, 0.99, 1].map((of) => share(delaysMs, of).toFixed(0));
  reportFigure(
    'R17',
    `${each} ${what}, first deliveries to ${each} good ones of ${delaysMs.length / each} events: ` +
      `p50 ${half} ms, p99 ${most} ms, the last ${all} ms after the beginning of the run that commits`,
  );
}

function share(delaysMs: readonly number[], of: number): number {
  return delaysMs.toSorted((a, b) => a - b)[Math.ceil(delaysMs.length * of) - 1] ?? Number.NaN;
}
