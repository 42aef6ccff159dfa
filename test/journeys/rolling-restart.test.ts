import { describe, expect, it } from 'vitest';
import { type RunningNginx, startNginx } from '../deploy/support/start-nginx.ts';
import { findNginx } from '../support/programs.ts';
import { countOf, reportFigure } from '../support/proof.ts';
import { eventually } from '../support/eventually.ts';
import { snapshotPaths } from '../support/snapshot-paths.ts';
import { MixedLoad } from './support/mixed-load.ts';
import { type Endings, PatientCallers } from './support/patient-callers.ts';
import { ReplicaSet } from './support/replica-set.ts';
import type { Environment } from './support/run-vatfx.ts';
import { get, type ServeProcess } from './support/serve-process.ts';
import { hasEngines, shareEngines } from './support/shared-engines.ts';

const rounds = countOf({ full: 20, perCommit: 1 });
/** Maximum time of a stop (operator.md). */
const stopMs = 30_000;

const engines = shareEngines();

describe.skipIf(!hasEngines || findNginx() === undefined)(
  'a rolling restart behind nginx (reliability R25)',
  () => {
    it(`fails no request, ${rounds} times under load`, async () => {
      const set = await ReplicaSet.make(engines());
      const { key } = await set.createKey();
      const places = [await set.place(), await set.place()] as const;
      const replicas = [await set.serve(places[0]), await set.serve(places[1])];
      await answersAll(replicas, key);
      const nginx = await startNginx([urlOf(places[0]), urlOf(places[1])], {
        requestsPerSecond: 1_000_000,
      });
      const load = await MixedLoad.start(nginx.url, { key, sandbox: set.sandbox });
      await eventually(() => load.answered > 200);

      const stopsMs: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        for (const [at, place] of places.entries()) {
          stopsMs.push(await stop(replicas[at]));
          replicas[at] = await set.serve(place);
          await answersAll(replicas, key);
          // nginx does not use a replica for a while after it refused connections.
          await sendsAgain(nginx, place);
        }
      }
      await load.stop();

      reportFigure(
        'R25',
        `${rounds} rolling restarts of two replicas behind nginx: ${load.failures.length} of ` +
          `${load.answered} requests failed; the longest of ${stopsMs.length} stops took ` +
          `${Math.max(...stopsMs)} ms (bound: ${stopMs})`,
      );
      expect(load.failures).toEqual([]);
      expect(Math.max(...stopsMs)).toBeLessThan(stopMs);
      expect(load.kinds).toEqual(MixedLoad.allKinds);
    }, 480_000);
  },
);

describe.skipIf(!hasEngines)('a stop without a balancer in front (reliability R25)', () => {
  it(`answers every request that was sent on an open connection, ${rounds} times`, async () => {
    const set = await ReplicaSet.make(engines());
    const { key } = await set.createKey();

    const endings: Endings[] = [];
    const stopsMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const replica = await set.serve();
      await answersAll([replica], key);
      const callers = new PatientCallers(replica.apiUrl, { path: '/rates', key, callers: 100 });
      await eventually(() => callers.endings.answered > 1_000);
      stopsMs.push(await stop(replica));
      await callers.ended();
      endings.push(callers.endings);
    }

    const unanswered = endings.flatMap((one) => one.unanswered);
    const answered = endings.reduce((sum, one) => sum + one.answered, 0);
    reportFigure(
      'R25',
      `${rounds} stops without a balancer: ${unanswered.length} of ${answered} requests on open ` +
        `connections were not answered; the longest took ${Math.max(...stopsMs)} ms (bound: ${stopMs})`,
    );
    expect(unanswered).toEqual([]);
    expect(Math.max(...stopsMs)).toBeLessThan(stopMs);
  });
});

/** Stops a replica like a supervisor; returns the time that it took. */
async function stop(replica: ServeProcess | undefined): Promise<number> {
  const startedMs = performance.now();
  replica?.process.signal('SIGTERM');
  const ended = await replica?.process.ended();
  expect(ended?.code).toBe(0);
  return Math.round(performance.now() - startedMs);
}

async function answersAll(replicas: readonly ServeProcess[], key: string): Promise<void> {
  for (const { apiUrl } of replicas) {
    for (const path of snapshotPaths) {
      await eventually(async () => (await get(`${apiUrl}${path}`, key)).status === 200);
    }
  }
}

/** Waits until nginx uses a replica again that was restarted, which the log of nginx shows. */
async function sendsAgain(nginx: RunningNginx, place: Environment): Promise<void> {
  const from = nginx.log().length;
  const answered = (): boolean =>
    nginx
      .log()
      .slice(from)
      .some(({ replica, status }) => replica === new URL(urlOf(place)).host && status === '200');
  await expect.poll(answered, { interval: 200 }).toBe(true);
}

function urlOf(place: Environment): string {
  return `http://127.0.0.1:${place['PORT']}`;
}
