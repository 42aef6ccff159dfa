import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { EventPage } from '../../client/src/index.ts';
import { addCaller, type Caller } from '../api/support/caller.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { shareService } from '../support/start-service.ts';
import {
  build,
  environmentOf,
  isInstalled,
  type Language,
  languages,
} from './support/languages.ts';

const service = shareService({
  script: (scenario) => changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-20'),
  lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
});
const following = languages.filter(({ follow }) => follow !== undefined);

describe.each(following)('docs/samples: $name follows the event log (rule E7)', (language) => {
  const isSkipped = !isInstalled(language);
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vatfx-follow-'));
    if (!isSkipped) await build(language, folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.skipIf(isSkipped)(
    'prints each event once, and continues when it is started again',
    async () => {
      const caller = await addCaller(service());
      const env = { URL: service().apiUrl, KEY: caller.key, PLACE: join(folder, 'place') };
      const first = follow(language, folder, env);
      await expect.poll(first.said).toMatch(/^evt_\w+ rates\.changed\n$/);
      await check(caller, 'c 1');
      await expect.poll(first.said).toMatch(/\nevt_\w+ vat\.checked\n$/);
      const { nextCursor } = JSON.parse((await caller.get('/events')).text) as EventPage;
      await expect.poll(() => readFileSync(env.PLACE, 'utf8')).toBe(nextCursor);
      await first.end();

      await check(caller, 'c 2');
      const second = follow(language, folder, env);

      await expect.poll(second.said).toMatch(/^evt_\w+ vat\.checked\n$/);
      expect(first.said()).not.toContain(second.said().trim());
    },
  );

  it.skipIf(isSkipped)('repeats a request, and begins again after a 410', async () => {
    const cursors: (string | null)[] = [];
    const url = await serveHttp((request, response) => {
      const after = new URL(request.url ?? '', 'http://x').searchParams.get('after');
      cursors.push(after);
      const event = { id: 'evt_1', type: 'rates.changed', cursor: 'c1' };
      const page = { events: [event], nextCursor: 'c2', hasMore: false };
      if (cursors.length === 1) response.writeHead(503, { 'retry-after': '0' }).end('{}');
      else if (after === null) response.end(JSON.stringify(page));
      else if (after === 'c2') {
        response.writeHead(410, { link: '</events?after=c0>; rel="first"' }).end('{}');
      } else if (after === 'c0') {
        response.end(JSON.stringify({ ...page, events: [], nextCursor: 'c3' }));
      }
    });
    const env = { URL: url, KEY: 'vfx_test', PLACE: join(folder, 'other-place') };

    const started = follow(language, folder, env);

    await expect.poll(() => cursors).toEqual([null, null, 'c2', 'c0', 'c3']);
    expect(started.said()).toBe('evt_1 rates.changed\n');
  });
});

async function check(caller: Caller, reference: string): Promise<void> {
  const { status } = await caller.sendRequest({
    method: 'POST',
    path: '/vatchecks',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ countryCode: 'AT', vatNumber: 'U99999901', reference }),
  });
  expect(status).toBe(201);
}

/** Starts the sample; it is ended with the test. */
function follow(
  language: Language,
  folder: string,
  env: Readonly<Record<string, string>>,
): { readonly said: () => string; readonly end: () => Promise<void> } {
  const [program = '', ...args] = language.follow ?? [];
  const child = spawn(program, args, {
    cwd: folder,
    env: environmentOf({ folder, env }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(end);
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
  return { said: () => said, end };
}
