import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/key-changes.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { liveDay, ratesMoment } from './support/days.ts';
import { eventually } from './support/eventually.ts';
import { WebhookCaller } from './support/webhook-caller.ts';
import { localReceivers, today, tomorrow, yesterday } from './support/webhook-service.ts';

const each = 50;
/** Far beyond what is wanted, 2 s (reliability R17): the figure is printed, not judged. */
const boundMs = 10_000;

describe('tarpits beside good receivers (reliability R17)', () => {
  it('do not delay the first delivery to the good ones, whether they were ever tried or not', async () => {
    const world = await startMixed();

    const untried = await world.measure(today);
    // An attempt of a tarpit takes 15 s.
    const hanging = await world.measure(tomorrow);
    await eventually(async () => (await world.countFailing()) === each, 30_000);
    const failing = await world.measure('2025-08-03');

    tell('tarpits never tried', untried);
    tell('tarpits that still hang', hanging);
    tell('tarpits known to fail', failing);
    const slowest = Math.max(...untried, ...hanging, ...failing);
    expect([untried, hanging, failing].map(({ length }) => length)).toEqual([each, each, each]);
    expect(slowest).toBeLessThan(boundMs);
  }, 90_000);
});

/** A service with as many good receivers as tarpits, and the time each event took. */
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

  static async subscribe(service: TestService): Promise<MixedWorld> {
    const world = new MixedWorld(service);
    // Not the sandbox's: these note when something arrives, and end at once with the test.
    const tarpitUrl = await serveHttp(tarpit);
    const goodUrl = await serveHttp((request, response) => {
      world.#arrivals.push(performance.now());
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

  /** Publishes a day; gives how long after its commit each good receiver was told, in milliseconds. */
  async measure(date: string): Promise<readonly number[]> {
    this.#arrivals.length = 0;
    this.#service.scenario.changeRate('SE', 'standard', [`2${date.slice(-1)}`], date);
    // From before the run that commits: the figure includes asking the upstream, so it is never too good.
    const startedMs = performance.now();
    await this.#service.liveAt(ratesMoment(date));
    await eventually(() => this.#arrivals.length >= each, boundMs);
    return this.#arrivals.map((arrivedMs) => arrivedMs - startedMs);
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

/** Takes what comes, and gives nothing for it, or a byte now and then of an answer without end. */
function tarpit(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  if (request.url?.startsWith('/hang') === true) return;
  response.writeHead(500);
  const timer = setInterval(() => response.write('.'), 200);
  response.once('close', () => clearInterval(timer));
}

function tell(what: string, delaysMs: readonly number[]): void {
  const sorted = delaysMs.toSorted((a, b) => a - b);
  const share = (of: number): string => (sorted[Math.ceil(sorted.length * of) - 1] ?? 0).toFixed(0);
  console.log(
    `R17: ${each} ${what}, ${each} good ones: p50 ${share(0.5)} ms, p99 ${share(0.99)} ms, ` +
      'from the beginning of the run that commits',
  );
}
