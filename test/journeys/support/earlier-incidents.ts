import { setMemberState } from '../../support/sandbox/scripts.ts';
import { get, type ServeProcess } from './serve-process.ts';
import type { UpgradeWorld } from './upgrade-world.ts';

/** Publishes the exchange rates of a day while the clock is wrong, sets it back to the day before, and takes them back. */
export async function withdrawFxOf(
  world: UpgradeWorld,
  day: string,
  before: string,
): Promise<void> {
  world.moveTo(day);
  await world.readEarlier(['jobs', 'run', 'fx']);
  world.moveTo(before);
  await world.readEarlier(['snapshots', 'withdraw', '--after', before]);
}

/** Adds an erratum that TEDB corrects on the next day (`scriptUpstreams`), and one that stays. */
export async function addErrata(world: UpgradeWorld, from: string): Promise<void> {
  for (const [country, source, law] of [
    ['HU', '27', '25'],
    ['LU', '17', '16'],
  ] as const) {
    const named = ['--country', country, '--field', 'standard', '--from', from];
    const values = ['--source', source, '--law', law, '--legal-basis', 'made up for the tests'];
    await world.readEarlier(['errata', 'add', ...named, ...values]);
  }
}

/** Lets VIES refuse calls that callers wait for, until the service makes none; an answer of the next day ends this. */
export async function blockCalls(
  world: UpgradeWorld,
  { apiUrl }: ServeProcess,
  key: string,
): Promise<void> {
  const { scenario } = world.sandbox;
  setMemberState(scenario, 'BE', 'code', { code: 'IP_BLOCKED' });
  for (const number of ['0999999901', '0999999902', '0999999903']) {
    await get(`${apiUrl}/vatcheck/BE/${number}`, key);
  }
  setMemberState(scenario, 'BE', 'up');
}
