import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatApiKey } from '../../src/access/authentication/api-key.ts';
import { type Answer, sendRequest } from '../support/send-request.ts';
import { brokenEnvironment } from '../support/broken-environment.ts';
import { someOf } from '../support/proof.ts';
import { databaseSettings, temporaryDatabaseUrl } from '../support/temporary-database.ts';
import { Canaries } from './support/canaries.ts';
import { canaryRequest } from './support/canary-requests.ts';
import { SecrecySearch } from './support/secrecy-search.ts';
import { createKey, startServe } from './support/serve-process.ts';

/** Twice the count of all places. */
const requests = 200;

const whole = { build: 'no leak if a build is unchanged', break: undefined };
const leaking = [
  { build: 'a leak if a build logs the URL with its query', break: 'the key in the log' },
  { build: 'a leak if a build logs the headers of refused requests', break: 'headers in the log' },
  { build: 'a leak if a build repeats the request in an error', break: 'URL in an error' },
];

describe('a server of its own process (contract C25, reliability R20)', () => {
  it.each([whole, ...someOf(leaking, 1)])('has $build', async (row) => {
    const settings = databaseSettings(temporaryDatabaseUrl());
    const key = await createKey(settings);
    const server = await startServe({
      ...settings,
      ...brokenEnvironment(row.break),
      PORT: '0',
      OPS_PORT: '0',
      JOBS: 'off',
      LOG_LEVEL: 'debug',
      FAILED_AUTH_PER_MINUTE: 'none',
    });
    const canaries = new Canaries([formatApiKey(randomBytes(32)), randomBytes(32).toString('hex')]);
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const parts = { canaries: canaries.all, bearer: `Bearer ${key}` };

    const answers: Answer[] = [];
    for (let n = 0; n < requests; n += 1) {
      answers.push(await sendRequest(server.apiUrl, canaryRequest(n, parts), agent));
    }
    const metrics = await sendRequest(server.opsUrl, { path: '/metrics' }, agent);
    server.process.signal('SIGTERM');
    const { stdout, stderr } = await server.process.ended();
    const search = new SecrecySearch(canaries);
    search.search(
      'answers',
      answers.map(({ text, headers }) => JSON.stringify(headers) + text),
    );
    search.search('log lines', [...stdout.split('\n'), ...stderr.split('\n')]);
    search.search('pages of metrics', [metrics.text]);

    const verdict =
      row.break === undefined ? 'a process of its own' : `caught: a build that ${row.build}`;
    search.tell(`${verdict}, ${answers.length} requests`);
    expect(search.traces.length === 0).toBe(row.break === undefined);
  });
});
