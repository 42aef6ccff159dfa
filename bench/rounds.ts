import { truncateSync } from 'node:fs';
import { measureThroughput } from './load.ts';

/** One of those that are measured in turn, and what wrk is told beside its URL. */
export type Competitor = { readonly url: string; readonly args: readonly string[] };

/**
 * Measures throughput round by round, each competitor once in each, after a second to warm up.
 *
 * A round's figures are seconds apart, so whatever else the machine does disturbs them alike: compare within
 * a round. The log file is emptied on the way, or it would fill the disk.
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

/** Figures of one competitor in those of another, round by round. */
export function divide(rates: readonly number[], base: readonly number[]): number[] {
  return rates.map((rate, at) => rate / (base[at] ?? Number.NaN));
}
