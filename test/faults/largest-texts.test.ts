import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createKey, startServe } from '../journeys/support/serve-process.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { inParallel } from '../support/in-parallel.ts';
import { countOf, isFull, reportFigure } from '../support/proof.ts';
import { sendRequest } from '../support/send-request.ts';

const count = countOf({ full: 500, perCommit: 100 });
const rounds = countOf({ full: 10, perCommit: 2 });
/** Megabytes that the process may grow by. */
const growthMax = 300;
/** The longest turn of the event loop: the CPU time of its thread for a whole request is at least as long. */
const turnMaxMs = 100;

const settings = {
  RATE_LIMIT_PER_MINUTE: 'none',
  QUOTA_PER_MONTH: 'none',
  DELIVERY: 'off',
  JOBS: 'off',
};
/** Characters of four bytes. */
const fill = (characters: number): string => '𝔵'.repeat(characters);
const trader = { name: fill(200), street: fill(200), postcode: fill(200), city: fill(200) };
const terms = { trader, reference: fill(100) };
const lists = [
  '/vatchecks?limit=500',
  '/vatchecks?limit=500&valid=true',
  '/vatchecks.csv?limit=500',
  '/vatwatches?limit=500',
  '/events?limit=500',
  '/webhooks',
];

it(
  'lists of 500 rows with the largest texts cost little memory and no long turn (reliability R24)',
  async () => {
    const { env } = await startUpstreams();
    const [key, otherKey] = [await createKey(env), await createKey(env)];
    const server = await startServe({ ...env, ...settings });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const send = async (method: string, path: string, body?: object, by = key) => {
      const headers = { authorization: `Bearer ${by}` };
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      return sendRequest(server.apiUrl, { method, path, headers, ...content }, agent);
    };
    const url = `https://198.100.0.9/${'u'.repeat(1_980)}`;
    const hook = { url, events: ['vat.checked', 'vat.changed'], description: fill(500) };
    const { text } = await send('POST', '/webhooks', hook);
    const deliveries = `/webhooks/${(JSON.parse(text) as { id: string }).id}/deliveries?limit=500`;
    const statuses = new Map<number, number>();
    const store = async (method: string, path: string, body: object): Promise<void> => {
      const { status } = await send(method, path, body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    };
    const bodies = Array.from({ length: count }, (_, n) => n);
    await inParallel(4, bodies, async (n) => {
      const number = { countryCode: 'AT', vatNumber: 'U99999901'.padEnd(64) };
      await store('POST', '/vatchecks', { ...number, ...terms });
      await store('POST', '/vatchecks/batch', {
        checks: [{ countryCode: 'AT', vatNumber: fill(64), ...terms }],
      });
      await store('PUT', `/vatwatches/DE/${100_000_000 + n}`, terms);
    });
    expect([...statuses.keys()].every((status) => status < 300)).toBe(true);

    const before = readMegabytes(server.process.pid, 'VmRSS');
    const reading = { isOver: false };
    const others = (async () => {
      const tookMs: number[] = [];
      while (!reading.isOver) {
        const startedMs = performance.now();
        await send('GET', '/usage', undefined, otherKey);
        tookMs.push(performance.now() - startedMs);
        await wait(1);
      }
      return tookMs.toSorted((a, b) => a - b);
    })();
    let largest = 0;
    let longestMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const path of [...lists, deliveries]) {
        const startedMs = readOwnMs(server.process.pid);
        const answer = await send('GET', path);
        longestMs = Math.max(longestMs, readOwnMs(server.process.pid) - startedMs);
        expect([path, answer.status]).toEqual([path, 200]);
        largest = Math.max(largest, Buffer.byteLength(answer.text));
      }
    }
    reading.isOver = true;
    const tookMs = await others;
    const grown = readMegabytes(server.process.pid, 'VmHWM') - before;
    const quantile = (of: number): number => tookMs[Math.ceil(tookMs.length * of) - 1] ?? 0;
    reportFigure(
      'R24',
      `${count} bodies of each kind with the largest texts, each list ${rounds} times: ` +
        `memory + ${grown.toFixed(0)} MB (bound: ${growthMax}), largest answer ${largest} bytes; ` +
        `longest request ${longestMs.toFixed(0)} ms of CPU (bound: ${turnMaxMs}); ` +
        `another caller p50 ${quantile(0.5).toFixed(1)} ms, p99 ${quantile(0.99).toFixed(1)} ms`,
    );
    // A megabyte of rows as they are stored; quotation marks and names of fields come on top.
    expect(largest).toBeLessThan(1_500_000);
    expect(grown).toBeLessThan(growthMax);
    expect(longestMs).toBeLessThanOrEqual(turnMaxMs);
  },
  isFull ? 300_000 : 120_000,
);

/** The CPU time of the thread of the event loop. Other processes on the machine do not count. */
function readOwnMs(pid: number | undefined): number {
  const [ownNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ');
  return Number(ownNs) / 1e6;
}

function readMegabytes(pid: number | undefined, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024;
}
