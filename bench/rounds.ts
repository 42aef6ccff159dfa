import { truncateSync } from 'node:fs';
import { measureThroughput } from './load.ts';

/** A server that is measured in turn with others: its URL, and further arguments of wrk. */
export type Competitor = { readonly url: string; readonly args: readonly string[] };

/**
 * Measures throughput in rounds. Each competitor is measured once in each round, after a second to warm up.
 *
 * The figures of one round are measured within seconds, so that other load of the machine has the same effect on
 * them: compare within a round. The log file is emptied after each measurement, or it would fill the disk.
 */
export async function measureInTurn<Name extends string>(
  competitors: Readonly<Record<Name, Competitor>>,
  how: { readonly rounds: number; readonly seconds: number; readonly logFile: string },
): Promise<Record<Name, number[]>> {
  const entries = Object.entries(competitors) as [Name, Competitor][];
  const found = Object.fromEntries(entries.map(([name]) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  for (let round = -1; round < how.rounds; round += 1) {
    for (const [name, { url, args }] of entries) {
      const rate = await measureThroughput(url, args, round < 0 ? 1 : how.seconds);
      if (round >= 0) found[name].push(rate);
      truncateSync(how.logFile);
    }
  }
  return found;
}

/** The figures of one competitor divided by those of another, round by round. */
export function divide(rates: readonly number[], base: readonly number[]): number[] {
  return rates.map((rate, at) => rate / (base[at] ?? Number.NaN));
}
