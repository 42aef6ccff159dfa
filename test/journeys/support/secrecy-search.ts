import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportFigure } from '../../support/proof.ts';
import { databaseSettings, temporaryFolder } from '../../support/temporary-database.ts';
import type { Canaries } from './canaries.ts';
import { runVatfx } from './run-vatfx.ts';

/** Searches one output after another for canaries, and reports how much was searched. */
export class SecrecySearch {
  readonly traces: string[] = [];
  readonly #canaries: Canaries;
  /** Texts that were searched already, because most answers are the same. */
  readonly #known = new Set<string>();
  readonly #texts: Record<string, number> = {};
  #chars = 0;

  constructor(canaries: Canaries) {
    this.#canaries = canaries;
  }

  search(place: string, texts: readonly string[]): void {
    this.#texts[place] = (this.#texts[place] ?? 0) + texts.length;
    for (const text of texts) {
      this.#chars += text.length;
      if (this.#known.has(text)) continue;
      this.#known.add(text);
      for (const trace of this.#canaries.tracesIn(text)) this.traces.push(`${place}: ${trace}`);
    }
  }

  /** Prints the findings, their places and how much was searched (reliability R20). */
  tell(what: string): void {
    const places = Object.entries(this.#texts).map(([place, count]) => `${count} ${place}`);
    const searched = `${places.join(', ')}, ${(this.#chars / 1e6).toFixed(1)} MB`;
    const canaries = this.#canaries.all.length;
    reportFigure(
      'R20',
      `${what}, ${canaries} canaries: ${this.traces.length} traces in ${searched}`,
    );
  }
}

/** Makes a backup of an embedded database, and returns its bytes. */
export async function readBackup(databaseUrl: string): Promise<string> {
  const file = join(temporaryFolder(), 'backup');
  const env = databaseSettings(databaseUrl);
  const { code, stderr } = await runVatfx(['backup', file, '--without-key'], env);
  if (code !== 0) throw new Error(`no backup: ${stderr}`);
  return readFileSync(file, 'latin1');
}
