import { describe, expect, it } from 'vitest';
import { isPostgresql } from '../support/temporary-database.ts';
import { type DayEnd, Publications } from './support/pg-publications.ts';

/** Days that five replicas publish; 200 were run by hand. */
const daysCount = 20;

describe.skipIf(!isPostgresql)('five replicas that run the daily job (reliability R7)', () => {
  it('publish each day once, whoever is stopped beyond the lease or loses its sessions', async () => {
    const publications = await Publications.start('whole');

    const days = await publications.publishDays(daysCount);

    tell('R7', days);
    expect(days.filter(isBad)).toEqual([]);
  }, 180_000);

  it('are seen by this very check to do harm where only unique constraints keep them apart', async () => {
    const publications = await Publications.start('no epoch');

    const day = await publications.publishDay('fetched', 'stopped');

    tell('R7, no epoch', [day]);
    expect(day.wrong).toEqual(['1 corrections of what was never wrong']);
  }, 60_000);

  it('are seen by this very check to publish twice where nothing keeps them apart', async () => {
    const publications = await Publications.start('no epoch');
    await publications.dropConstraints();

    const day = await publications.publishDay('inserting', 'stopped');

    tell('R7, no epoch and no constraints', [day]);
    expect(day.wrong).toEqual(expect.arrayContaining(['2 snapshots', '2 events', 'rows twice']));
  }, 60_000);

  it('are seen by this very check to stand still, or do harm, with the lock of a session', async () => {
    const publications = await Publications.start('session lock');

    const days = [
      await publications.publishDay('fetched', 'stopped'),
      await publications.publishDay('fetched', 'stopped, idle ones cut off'),
    ];

    tell('R7, the lock of a session', days);
    expect(days[0]?.wrong).toContain('nobody else publishes');
    expect(days[1]?.wrong).toEqual(['1 corrections of what was never wrong']);
  }, 60_000);
});

function isBad({ wrong }: DayEnd): boolean {
  return wrong.length > 0;
}

function tell(what: string, days: readonly DayEnd[]): void {
  const bad = days.filter(isBad);
  const troubled = days.filter(({ fault }) => fault !== 'none').length;
  console.log(
    `${what}: 5 replicas, ${days.length} days, ${troubled} with one in trouble; ` +
      `${bad.length} wrong${bad.map((day) => `; ${day.moment}, ${day.fault}: ${day.wrong.join(', ')}`).join('')}`,
  );
}
