import { describe, expect, it } from 'vitest';
import type { WatchChange } from '../../src/vat-check/watches/watch-changes.ts';
import { Dice } from '../support/dice.ts';
import { countOf, reportFigure, seedOf } from '../support/proof.ts';
import { openTemporaryDatabase } from '../support/temporary-database.ts';
import { down } from './support/attempts.ts';
import type { Query } from './support/stored-world.ts';
import { answer, german, WatchWorld } from './support/watch-world.ts';

const hourMs = 3_600_000;
const seed = seedOf(20_261_123);
/** Watches in one world; each has a history of its own. */
const watchesInWorld = 10;
const worlds = countOf({ full: 20, perCommit: 1 });
const numbers = Array.from({ length: watchesInWorld }, (_, n) => `n${n}`);

type Disclosed = { readonly valid: boolean; readonly name: string | null };

function disclosedBy({ outcome }: Query): Disclosed | undefined {
  return outcome.kind === 'answered' ? outcome.answer : undefined;
}

/** Violations of K14 by the changes of one number: each has to follow from what the registry has answered. */
function violationsOf(changes: readonly WatchChange[], queries: readonly Query[]): string[] {
  const found: string[] = [];
  let valid: boolean | undefined;
  for (const { previous, current, changed } of changes) {
    const of = `${current.queried?.number} at ${current.endedAt}: ${changed.join()}`;
    const [was, is] = [previous.answer, current.answer];
    const endedMs = Date.parse(current.endedAt ?? '');
    const isAnswered = queries.some(
      (query) => query.atMs === endedMs && disclosedBy(query)?.valid === is?.valid,
    );
    if (was === undefined || is === undefined || !isAnswered) found.push(`no answer: ${of}`);
    if (was?.valid === is?.valid && changed.includes('valid')) found.push(`not changed: ${of}`);
    if (valid !== undefined && was?.valid !== valid) found.push(`not the answer before: ${of}`);
    const isName = was?.name !== null && is?.name !== null && was?.name !== is?.name;
    if (changed.includes('name') !== isName) found.push(`another name: ${of}`);
    const isFalseBefore = queries.some(
      (query) => disclosedBy(query)?.valid === false && endedMs - query.atMs >= hourMs,
    );
    if (changed.includes('valid') && is?.valid === false && !isFalseBefore) {
      found.push(`false without a second answer: ${of}`);
    }
    valid = is?.valid;
  }
  return found;
}

/** Lives through some months with outages; the registry's data about each number changes now and then. */
async function live(dice: Dice): Promise<{ readonly found: string[]; readonly changes: number }> {
  const world = await WatchWorld.open(await openTemporaryDatabase());
  const known = new Map(numbers.map((number) => [number, { valid: true, name: 'A' }]));
  let downShare = 0;
  world.stored.answer = ({ number }) => {
    if (dice.happens(downShare)) return down;
    const { valid = true, name = 'A' } = known.get(number) ?? {};
    return answer(valid, valid && dice.happens(0.8) ? { name } : {});
  };
  for (const number of numbers) {
    await world.put({ queried: german(number), vatNumber: number, everyDays: 1 + dice.below(3) });
  }
  for (let step = 0; step < 40; step += 1) {
    if (dice.happens(0.3)) downShare = dice.pick([0, 0, 0.5, 1]);
    const changing = known.get(dice.pick(numbers));
    if (changing !== undefined && dice.happens(0.5)) changing.valid = !changing.valid;
    if (changing !== undefined && dice.happens(0.3)) changing.name = dice.pick(['A', 'B']);
    await world.run(dice.pick([6, 24, 48]) * hourMs, hourMs);
  }
  const found = numbers.flatMap((number) =>
    violationsOf(
      world.changes.filter(({ current }) => current.queried?.number === number),
      world.stored.queriesOf(number),
    ),
  );
  return { found, changes: world.changes.length };
}

describe('random histories of watches with outages', () => {
  it('report only what two answers prove (rule K14)', { timeout: 300_000 }, async () => {
    const dice = new Dice(seed);
    let changes = 0;
    for (let one = 0; one < worlds; one += 1) {
      const lived = await live(dice);
      expect(lived.found).toEqual([]);
      changes += lived.changes;
    }

    expect(changes).toBeGreaterThan(worlds);
    reportFigure(
      'R13',
      `${worlds * watchesInWorld} random histories of watches with outages (seed ${seed}): ${changes} changes reported, each proven by two answers`,
    );
  });
});
