import type { Answer } from '../../support/send-request.ts';
import type { TestService } from '../../support/start-service.ts';
import { addDays } from '../../../src/platform/time.ts';
import { datesFrom, fxMoment, ratesMoment } from './days.ts';
import type { WireChange } from './fold.ts';
import { readFacts, type StoredFacts } from './stored-facts.ts';

/** The answers to a caller that requested every route twice a day, for weeks. */
export type Diary = {
  readonly firstRates: string;
  readonly lastRates: string;
  /** The change log at the end, newest first, as `/changes` lists it. */
  readonly changes: readonly WireChange[];
  /** `version` and `date` of the latest snapshots, at each request. */
  readonly latestRates: readonly string[];
  readonly latestFx: readonly string[];
  /** Dates whose FX publication was available in the afternoon of the same day. */
  readonly fxOnTheDay: readonly string[];
  /** Dates without FX publication, with the links of the 404, at the end. */
  readonly fxMissing: readonly { readonly date: string; readonly link: string }[];
  /** URLs that answered `immutable`, and each later answer with another body. */
  readonly immutableCount: number;
  readonly contradictions: readonly string[];
  readonly facts: StoredFacts;
};

/** Runs the jobs of the days, and requests every route at both moments of each day. */
export async function keepDiary(
  service: TestService,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Diary> {
  const dates = datesFrom(from, to);
  const final = new FinalBodies(service);
  const latestRates: string[] = [];
  const latestFx: string[] = [];
  const fxOnTheDay: string[] = [];
  let firstRates: string | undefined;
  let lastRates = '';

  for (const date of dates) {
    for (const moment of [ratesMoment(date), fxMoment(date)]) {
      await service.liveAt(moment);
      lastRates = (await service.get('/rates')).text;
      firstRates ??= lastRates;
      latestRates.push((JSON.parse(lastRates) as { version: string }).version);
      const fx = await service.get('/fx');
      if (fx.status === 200) latestFx.push((JSON.parse(fx.text) as { date: string }).date);
      for (const asked of [addDays(date, -7), date, addDays(date, 1)]) {
        await final.look(`/rates/${asked}`);
        await final.look(`/changes/${asked}`);
        await final.look(`/fx/${asked}`);
      }
    }
    if ((await service.get(`/fx/${date}`)).status === 200) fxOnTheDay.push(date);
  }
  await final.lookAgain();

  const { changes } = JSON.parse((await service.get('/changes?limit=200')).text) as {
    changes: WireChange[];
  };
  return {
    firstRates: firstRates ?? '',
    lastRates,
    changes,
    latestRates,
    latestFx,
    fxOnTheDay,
    fxMissing: await readMissing(service, dates),
    immutableCount: final.count,
    contradictions: final.contradictions,
    facts: await readFacts(service.core.db),
  };
}

async function readMissing(
  service: TestService,
  dates: readonly string[],
): Promise<{ date: string; link: string }[]> {
  const missing: { date: string; link: string }[] = [];
  for (const date of dates) {
    const { status, headers } = await service.get(`/fx/${date}`);
    if (status === 404) missing.push({ date, link: String(headers['link'] ?? '') });
  }
  return missing;
}

/** Stores every body that was answered as immutable, and later answers that differ from it. */
class FinalBodies {
  readonly contradictions: string[] = [];
  readonly #service: TestService;
  readonly #seen = new Map<string, Answer>();

  constructor(service: TestService) {
    this.#service = service;
  }

  get count(): number {
    return this.#seen.size;
  }

  async look(path: string): Promise<void> {
    const answer = await this.#service.get(path);
    const before = this.#seen.get(path);
    const isImmutable = /\bimmutable\b/.test(answer.headers['cache-control'] ?? '');
    if (before === undefined) {
      if (answer.status === 200 && isImmutable) this.#seen.set(path, answer);
      return;
    }
    const isSame =
      answer.status === 200 &&
      isImmutable &&
      answer.text === before.text &&
      answer.headers.etag === before.headers.etag;
    if (!isSame) this.contradictions.push(`${path}: ${before.text} then ${answer.text}`);
  }

  async lookAgain(): Promise<void> {
    for (const path of this.#seen.keys()) await this.look(path);
  }
}
