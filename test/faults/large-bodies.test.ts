import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EcbClient, type EcbFile } from '../../src/fx/ecb/client.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { Upstream } from '../../src/platform/upstream/upstream.ts';
import { TedbClient } from '../../src/rates/tedb-client.ts';
import { countOf, reportFigure } from '../support/proof.ts';
import { SettableClock } from '../support/settable-clock.ts';
import { RawRegistry } from '../vat-check/support/raw-registry.ts';
import { type Flood, floods, measureGrowth } from './support/large-bodies.ts';
import { patienceMs } from '../support/eventually.ts';

const rounds = countOf({ full: 10, perCommit: 1 });

let flood: Flood = async () => {};
const upstream = await RawRegistry.start((socket) => void flood(socket, '<empty/>'));
afterAll(async () => upstream[Symbol.asyncDispose]());

const { signal } = new AbortController();
const retry = { attempts: 1, firstDelayMs: 1 };

function openUpstream(name: string): Upstream {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const opened = new Upstream(name, { clock, metrics: createMetrics() });
  onTestFinished(async () => opened.close());
  return opened;
}

const queryEcb = (file: EcbFile) => (): (() => Promise<unknown>) => {
  const ecb = new EcbClient(openUpstream('ecb'), { folderUrl: upstream.url, retry });
  return async () => ecb.fetchFile(file, { ifModifiedSince: undefined, signal });
};

/** The documents of the jobs; VIES has a suite of its own. */
const questions: readonly (readonly [name: string, open: () => () => Promise<unknown>])[] = [
  [
    'TEDB',
    () => {
      const tedb = new TedbClient(openUpstream('tedb'), { url: upstream.url, retry });
      return async () => tedb.fetchRows(isoDate('2026-11-20'), signal);
    },
  ],
  ['ECB, the day', queryEcb('daily')],
  ['ECB, 90 days', queryEcb('ninetyDays')],
  ['ECB, all of it', queryEcb('history')],
];

describe.each(questions)('the cap on an answer (R11): %s', (name, open) => {
  it('refuses larger bodies, and uses little memory', async () => {
    const sendRequest = open();
    let asked = 0;
    const kinds: string[] = [];
    const attack = async (): Promise<void> => {
      for (const one of Object.values(floods)) {
        flood = one;
        asked += 1;
        await sendRequest().catch((error: unknown) => kinds.push(kindOf(error)));
      }
    };

    const grownMegabytes = await measureGrowth(rounds, attack);

    const ofZeros = ['malformed', 'encoding'];
    const right = kinds.filter((kind) => ['too-large', 'schema', ...ofZeros].includes(kind));
    reportFigure(
      'R11',
      `${name}: ${right.length} of ${asked} answers of a gigabyte or without an end refused with the ` +
        `right error, memory + ${grownMegabytes.toFixed(1)} MB at most (bound 20 MB)`,
    );
    expect(right).toHaveLength(asked);
    // Zeros are no XML, so they may be refused before the cap.
    expect(kinds.filter((kind) => ofZeros.includes(kind)).length).toBeLessThanOrEqual(asked / 4);
    expect(grownMegabytes).toBeLessThan(20);
    await vi.waitFor(() => expect(upstream.openSockets).toBe(0), patienceMs);
  });
});

function kindOf(error: unknown): string {
  return error instanceof Error && 'kind' in error ? String(error.kind) : String(error);
}
