import { describe, expect, it } from 'vitest';
import type { BasicKind } from '../../src/platform/publication/data-set-kinds.ts';
import { fieldsOf } from '../journeys/support/fold.ts';
import { doubts } from '../simulation/plausibility.ts';
import { Dice } from '../support/dice.ts';
import { countOf, isFull, seedOf, reportFigure } from '../support/proof.ts';
import type { Instead } from './support/between.ts';
import { KnownFixings } from './support/known-fixings.ts';
import { Refreshed } from './support/refreshed.ts';
import { type Fixings, spoilFixings } from './support/spoiled-fixings.ts';
import { spoilRates } from './support/spoiled-rates.ts';

const documents = countOf({ full: 2_000, perCommit: 25 });
const seed = seedOf(20_261_121);
/** Rates of the ECB are compared with those of the previous day, so every day is needed. */
const fxFrom = isFull ? '1999-01-04' : '2024-01-02';

/** The outcome of the documents. */
type Tally = {
  refused: number;
  held: number;
  /** Documents that are plausible by the contract, spoiled or not. */
  published: number;
  unchanged: number;
  readonly implausible: string[];
};

describe('a spoiled document of an upstream (reliability R5)', () => {
  const patienceMs = isFull ? 600_000 : 60_000;

  it(
    'of TEDB never becomes implausible rates, and held snapshots are reported',
    async () => {
      const tally = await spoilTedb({ documents, seed });

      tellTally('of TEDB', tally);
      expect(tally.implausible.slice(0, 20)).toEqual([]);
      expect(tally.refused).toBeGreaterThan(documents / 5);
      expect(tally.held).toBeGreaterThan(documents / 5);
    },
    patienceMs,
  );

  it(
    'of the ECB never becomes implausible exchange rates, and held snapshots are reported',
    async () => {
      const tally = await spoilEcb({ documents, seed });

      tellTally('of the ECB', tally);
      expect(tally.implausible.slice(0, 20)).toEqual([]);
      expect(tally.refused).toBeGreaterThan(documents / 10);
      expect(tally.held).toBeGreaterThan(documents / 5);
    },
    patienceMs,
  );

  it(
    'is detected as implausible if the gate is off',
    async () => {
      const few = { documents: 15, seed: 20_261_121, gate: 'warn' } as const;

      const tedb = await spoilTedb(few);
      const ecb = await spoilEcb(few);

      expect(tedb.implausible).not.toEqual([]);
      expect(ecb.implausible).not.toEqual([]);
    },
    patienceMs,
  );
});

/** Number of documents, their originals, and whether the gate is off. */
type Tried = {
  readonly documents: number;
  readonly seed: number;
  readonly gate?: 'hold' | 'warn';
};

async function spoilTedb(tried: Tried): Promise<Tally> {
  const dice = new Dice(tried.seed);
  const config = { ratesGate: tried.gate ?? 'hold' };
  const refreshed = await Refreshed.open('rates', { config });
  const { service, between } = refreshed;
  const old = await between.fetchRates('2025-11-20');

  return tallyUp(
    'rates',
    refreshed,
    async () => {
      // The clock moves with the days.
      const good = await between.fetchRates(refreshed.day);
      const before = (await service.get('/rates')).text;
      const { how, isNever, served } = spoilRates(dice, good, old);
      const judge = async (): Promise<readonly string[]> => {
        const after = (await service.get('/rates')).text;
        if (after === before) return [];
        return [...(isNever ? [how] : []), ...doubts(fieldsOf(before), fieldsOf(after))];
      };
      return { how, instead: { tedb: served }, judge };
    },
    tried,
  );
}

async function spoilEcb(tried: Tried): Promise<Tally> {
  const dice = new Dice(tried.seed);
  const config = { fxGate: tried.gate ?? 'hold' };
  const refreshed = await Refreshed.open('fx', { fxFrom, config });
  const { service, between } = refreshed;
  const known = new KnownFixings(service);
  let fixings: Fixings | undefined;

  return tallyUp(
    'fx',
    refreshed,
    async () => {
      const date = refreshed.day;
      if (fixings?.date !== date) {
        await known.learn();
        const daily = await between.fetchFile('eurofxref-daily.xml');
        fixings = { date, daily, past: await between.fetchFile('eurofxref-hist-90d.xml') };
      }
      const { how, isNever, instead } = spoilFixings(dice, fixings);
      const judge = async (): Promise<readonly string[]> => {
        const { added, doubts: found } = await known.readAgain(date);
        return [...(isNever && added.length > 0 ? [how] : []), ...found];
      };
      return { how, instead, judge };
    },
    tried,
  );
}

/** Lets the service refresh from one spoiled document after the other, and judges its answers. */
async function tallyUp(
  kind: BasicKind,
  refreshed: Refreshed,
  spoil: () => Promise<{
    readonly how: string;
    readonly instead: Instead;
    readonly judge: () => Promise<readonly string[]>;
  }>,
  tried: Tried,
): Promise<Tally> {
  const tally: Tally = { refused: 0, held: 0, published: 0, unchanged: 0, implausible: [] };
  for (let made = 0; made < tried.documents; made += 1) {
    const { how, instead, judge } = await spoil();
    refreshed.between.instead = instead;
    const { outcome, version, published, detail } = await refreshed.refresh();
    const found = await judge();
    if (found.length > 0) {
      tally.implausible.push(
        `${how} (${made} of seed ${tried.seed}): ${found.slice(0, 3).join(', ')}`,
      );
    }
    if (published > 0) tally.published += 1;
    else if (outcome === 'failed') tally.refused += 1;
    else if (outcome === 'held') tally.held += 1;
    else tally.unchanged += 1;
    if (outcome === 'held') expect(await readHeld(refreshed, kind)).toContain(version);
    if (outcome === 'failed') expect(detail).not.toBe('');
    if (published > 0) await refreshed.recover();
  }
  return tally;
}

/** The versions that are reported to the operator. */
async function readHeld({ service }: Refreshed, kind: BasicKind): Promise<readonly string[]> {
  type Status = {
    readonly dataSets: Record<BasicKind, { readonly held: { readonly version: string }[] }>;
  };
  const { dataSets } = JSON.parse((await service.sendToOps('/status')).text) as Status;
  return dataSets[kind].held.map(({ version }) => version);
}

function tellTally(
  whose: string,
  { refused, held, published, unchanged, implausible }: Tally,
): void {
  reportFigure(
    'R5',
    `${refused + held + published + unchanged} refreshes from spoiled documents ${whose} (seed ${seed}): ` +
      `${refused} refused, ${held} held and reported, ${unchanged} without news, ` +
      `${published} published that are plausible by the contract, ${implausible.length} implausible`,
  );
}
