import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { putWatch } from '../../src/vat-check/watches/watch-store.ts';
import { createKey, startServe } from '../journeys/support/serve-process.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { eventually } from '../support/eventually.ts';
import { serveHttp, unusedAddress } from '../support/loopback-server.ts';
import { runCommand, startCommand } from '../support/run-cli.ts';
import { changeRate, setTedbFault } from '../support/sandbox/scripts.ts';
import { findFreePort } from '../support/server-process.ts';
import { storeChecks } from '../support/stored-checks.ts';
import { noon, storeKey } from '../support/stored-webhooks.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryFolder,
} from '../support/temporary-database.ts';
import { german, wantedWatch } from '../vat-check/support/watch-world.ts';
import { listProblems, runDoctor } from './support/run-doctor.ts';

describe('doctor (operator.md)', () => {
  it('finds nothing wrong beside a healthy server, exit code 0', async () => {
    const { env, sandbox } = await startUpstreams();
    const ports = { PORT: String(await findFreePort()), OPS_PORT: String(await findFreePort()) };
    const served = { ...env, ...ports };
    const { opsUrl, process } = await startServe(served);
    await process.waitForOutput(
      /"msg":"no API key yet: npm run -s vatfx -- keys create --name me"/,
    );
    await createKey(env);
    await eventually(async () => {
      const answer = await fetch(`${opsUrl}/status`);
      const { dataSets } = (await answer.json()) as {
        readonly dataSets: Record<string, { readonly publicationsMissed: number }>;
      };
      return Object.values(dataSets).every((one) => one.publicationsMissed === 0);
    });
    sandbox.requests.clear();

    const { code, stderr, found } = await runDoctor(served);

    const wrong = listProblems(found);
    expect({ code, stderr, wrong }).toEqual({ code: 0, stderr: '', wrong: {} });
    const ofEngine = isPostgresql ? 'collation' : 'files, disk';
    expect(Object.keys(found).toReversed().join(', ')).toBe(
      `configuration, database, migrations, objects, ${ofEngine}, secret key, servers, stored checks, watches, ` +
        'rates, fx, redis, tedb, ecb, vies, clock, API port, operations port, connections',
    );
    expect(found['servers']?.found).toContain(`process ${process.pid} on `);
    expect(found['API port']?.found).toContain('is taken by a vatfx that answers');
    expect(found['operations port']?.found).toContain('is taken by a vatfx that answers');
    const calls = ['tedb', 'ecb', 'vies'] as const;
    expect(calls.map((upstream) => sandbox.requests.of(upstream).length)).toEqual([1, 1, 1]);
  });

  it('prints one line for each check, with advice', async () => {
    const { env } = await startUpstreams({ isEmpty: true });

    const { code, stdout, stderr } = await runCommand(['doctor'], {
      ...env,
      ECB_URL: await unusedAddress(),
      PUBLIC_URL: 'https://tax.example.com/vatfx/',
    });

    expect(code).toBe(1);
    const lines = stdout.trim().split('\n');
    for (const line of lines) expect(line).toMatch(/^(?:ok|warning|wrong|skipped) +\S/);
    expect(stdout).toMatch(
      /^ok +public address +https:\/\/tax\.example\.com\/vatfx; requests are answered with \/vatfx in front/m,
    );
    expect(lines.find((line) => line.includes(' ecb '))).toMatch(
      /^wrong +ecb +no answer \(ECONNREFUSED\).* → check ECB_URL, and DNS/,
    );
    expect(stderr).toBe(`1 of ${lines.length} checks found something wrong\n`);
  });

  it('reports all problems of a configuration, and skips the other checks', async () => {
    const { code, stdout } = await runCommand(['doctor'], { PORT: 'x', GATE: 'off' });

    expect(code).toBe(1);
    expect(stdout).toMatch(/^wrong +configuration +PORT is "x", expected .* → change it/m);
    expect(stdout).toMatch(/^wrong +configuration +GATE is "off", expected /m);
    expect(stdout).toMatch(/^skipped +the rest/m);
  });

  it('works if database, Redis, upstreams and port are all unusable', async () => {
    const url = await unusedAddress();
    const { port } = new URL(await serveHttp((_, answer) => answer.end('mine')));

    const { code, stdout } = await runCommand(['doctor'], {
      PORT: port,
      DATABASE_URL: 'postgres://vatfx:hush@127.0.0.1:1/vatfx',
      REDIS_URL: url.replace('http', 'redis'),
      TEDB_URL: url,
      ECB_URL: url,
      VIES_URL: url,
      GATE: 'warn',
    });

    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok +configuration +7 of \d+ settings are not the defaults$/m);
    const wrong = [...stdout.matchAll(/^wrong +(\S+)/gm)].map(([, check]) => check);
    expect(wrong).toEqual(['database', 'redis', 'tedb', 'ecb', 'vies', 'API']);
    expect(stdout).toMatch(/^skipped +data/m);
    expect(stdout).toMatch(/^skipped +clock/m);
    expect(stdout).toContain(
      'is taken by another process → stop that process, or set PORT to another port',
    );
    expect(stdout).not.toContain('hush');
  });

  it('creates and changes nothing', async () => {
    const { env } = await startUpstreams();
    const folder = temporaryFolder();
    const DATABASE_URL = `file:${join(folder, 'vatfx.db')}`;

    const doctor = startCommand(['doctor'], { ...env, DATABASE_URL });
    const { code, stdout } = await doctor.ended();
    const db = await openTemporaryDatabase(env['DATABASE_URL']);
    await runDoctor(env);

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^warning +database +there is none yet at .* → normal before the first/m,
    );
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(doctor.folder)).toEqual([]);
    const topics = await db.selectFrom('revisions').select('topic').execute();
    expect(topics).not.toContainEqual({ topic: 'doctor' });
  });

  it('reports that there is no key, that nothing is published, how the last run ended, and what is held', async () => {
    const { env, sandbox } = await startUpstreams();
    setTedbFault(sandbox.scenario, 'server-fault');
    const never = await openTemporaryDatabase(env['DATABASE_URL']).then(async () => runDoctor(env));
    await runCommand(['jobs', 'run', 'rates'], env);
    const { code, found } = await runDoctor(env);
    setTedbFault(sandbox.scenario, 'none');
    changeRate(sandbox.scenario, 'HU', 'standard', ['35'], sandbox.scenario.today);
    await runCommand(['jobs', 'run', 'rates'], env);

    const held = await runDoctor(env);

    const again = '"npm run -s vatfx -- jobs run rates" runs it now';
    expect(never.found['API keys']).toEqual({
      check: 'API keys',
      state: 'warning',
      found: 'no API key yet',
      advice: 'npm run -s vatfx -- keys create --name me',
    });
    expect(never.found['rates']?.advice).toContain(`it has never been run: ${again}`);
    expect(code).toBe(1);
    expect(found['rates']).toMatchObject({ state: 'wrong' });
    expect(found['rates']?.found).toContain('nothing is published yet, 1 publications missed');
    expect(found['rates']?.advice).toMatch(/^the last run, at .*: failed \(.*SOAP fault/);
    expect(held.found['rates']?.found).toContain('1 held');
    expect(held.found['rates']?.advice).toMatch(
      /^wait for the next run, or look: "npm run -s vatfx -- snapshots show held_\w+" \(asked again at [\d :-]+ UTC by a server/,
    );
  });

  it('warns of checks that are due for over an hour, and of numbers of working keys that are not watched', async () => {
    const { env } = await startUpstreams();
    const db = await openDatabase(env['DATABASE_URL'] ?? '');
    await storeKey(db);
    await storeKey(db, { id: 'key_b', revoked_at: noon });
    for (const number of ['1', '2', '3', '4']) {
      const own = { queried: german(number), ...(number === '4' ? { keyId: 'key_b' } : {}) };
      await putWatch(db, wantedWatch(own), { nowMs: Date.now() });
    }
    const [long, minute] = [3_700_000, 60_000].map((ms) => new Date(Date.now() - ms).toISOString());
    await storeChecks(db, { id: 'vc_1', due_at: minute ?? '' }, { id: 'vc_2', status: 'expired' });
    const before = await runDoctor(env);
    await storeChecks(db, { id: 'vc_3', due_at: long ?? '' });
    const failed = db.updateTable('vat_watches').where('number', '<>', '1');
    await failed.set({ error: 'INVALID_REQUESTER' }).execute();
    await db.destroy();

    const { found } = await runDoctor(env);

    expect(before.found['stored checks']).toMatchObject({ state: 'ok', found: '1 pending' });
    expect(before.found['watches']).toMatchObject({ state: 'ok', found: '4 watched numbers' });
    expect(found['stored checks']).toMatchObject({
      state: 'warning',
      found: '2 pending, 1 of them due for over an hour',
      advice: expect.stringContaining('a server with JOBS=on makes their attempts'),
    });
    expect(found['watches']).toMatchObject({
      state: 'warning',
      found: '2 of 4 numbers are not watched at present: 2 INVALID_REQUESTER',
      advice: expect.stringContaining('"npm run -s vatfx -- watches list" shows them'),
    });
  });
});
