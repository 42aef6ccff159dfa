import { describe, expect, it } from 'vitest';
import { isFull, reportFigure, someOf } from '../support/proof.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { type DayEnd, Publications, troubles } from './support/pg-publications.ts';

/** A day that five replicas publish for each; 200 days in a full run. */
const tried = isFull
  ? Array.from({ length: 200 / troubles.length }, () => troubles).flat()
  : someOf(troubles, 4);

describe.skipIf(!isPostgresql)('five replicas that run the daily job (reliability R7)', () => {
  it('publish each day once if one is stopped beyond its lease or loses its sessions', async () => {
    const publications = await Publications.start('whole');

    const days = await publications.publishDays(tried);

    tell('as it is', days);
    expect(days.filter(isBad)).toEqual([]);
  }, 900_000);

  it('are noticed by this check in a build with only unique constraints and no lease', async () => {
    const publications = await Publications.start('no epoch');

    const day = await publications.publishDay('fetched', 'stopped');

    tell('a broken build without epoch', [day]);
    expect(day.wrong).toEqual(['1 corrections of what was never wrong']);
  });
});

function isBad({ wrong }: DayEnd): boolean {
  return wrong.length > 0;
}

function tell(what: string, days: readonly DayEnd[]): void {
  const bad = days.filter(isBad);
  const troubled = days.filter(({ fault }) => fault !== 'none').length;
  const wrong = bad.map(({ moment, fault, wrong }) => `; ${moment}, ${fault}: ${wrong.join(', ')}`);
  reportFigure(
    'R7',
    `${what}, 5 replicas and ${days.length} days, ${troubled} of them with one stopped beyond its lease or ` +
      `without its sessions: ${bad.length} days not published exactly once${wrong.join('')}`,
  );
}
