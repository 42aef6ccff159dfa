import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { formatInstant } from '../../src/platform/time/time.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { runDoctor } from './support/run-doctor.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';

const envelope = 'http://schemas.xmlsoap.org/soap/envelope/';

// Findings about upstreams do not depend on the engine.
describe.skipIf(isPostgresql)('doctor and what upstreams answer (operator.md)', () => {
  it.each([
    ['MS_UNAVAILABLE', 'warning', 'wait until VIES is available again'],
    ['SERVICE_UNAVAILABLE', 'warning', 'wait until VIES is available again'],
    ['IP_BLOCKED', 'wrong', 'VIES blocks addresses that send too many requests'],
    ['SURPRISE', 'wrong', 'check VIES_URL'],
  ])('reports %s of VIES as %s', async (fault, state, advice) => {
    const { env } = await startUpstreams();
    const url = await serveHttp((_, answer) => {
      answer.setHeader('content-type', 'text/xml; charset=utf-8');
      answer.end(
        `<e:Envelope xmlns:e="${envelope}"><e:Body><e:Fault><faultcode>e:Server</faultcode>` +
          `<faultstring>${fault}</faultstring></e:Fault></e:Body></e:Envelope>`,
      );
    });

    const { found } = await runDoctor({ ...env, VIES_URL: url });

    expect(found['vies']).toMatchObject({ state, advice: expect.stringContaining(advice) });
  });

  it.each([
    ['TEDB_URL', 'tedb'],
    ['ECB_URL', 'ecb'],
    ['VIES_URL', 'vies'],
  ])('reports a web page at %s as wrong', async (variable, check) => {
    const { env } = await startUpstreams();
    const url = await serveHttp((_, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end('<html>We are moving</html>');
    });

    const { code, found } = await runDoctor({ ...env, [variable]: url });

    expect(code).toBe(1);
    expect(found[check]).toMatchObject({
      state: 'wrong',
      found: 'HTTP 200 with a web page instead of data',
      advice: expect.stringContaining(`check ${variable}`),
    });
  });

  it('asks VIES nothing while it blocks this service', async () => {
    const { env, sandbox } = await startUpstreams();
    const db = await openDatabase(env['DATABASE_URL'] ?? '');
    const untilMs = Date.now() + 60_000;
    const blocked_until = formatInstant(untilMs);
    const block = { registry: 'vies', blocked_until, openings: 1, reason: 'HTTP 403' };
    await db.insertInto('registry_blocks').values(block).execute();
    await db.destroy();

    const { found } = await runDoctor(env);

    expect(found['vies']).toMatchObject({
      state: 'wrong',
      found: `blocks this service until ${blocked_until} (HTTP 403): not asked`,
      advice: expect.stringContaining('write to the VIES team'),
    });
    expect(sandbox.requests.vies.calls()).toBe(0);
  });

  it('reports an answer of TEDB without the rates of Malta', async () => {
    const { env, sandbox } = await startUpstreams();
    sandbox.scenario.apply({ tedb: { missing: ['MT'] } });

    const { found } = await runDoctor(env);

    expect(found['tedb']?.state).toBe('wrong');
    expect(found['tedb']?.found).toContain('an answer without a rate of Malta for today');
  });

  it('reports a wrong clock by the Date header of an upstream', async () => {
    const { env } = await startUpstreams();
    const url = await serveHttp((_, answer) => {
      answer.setHeader('date', new Date(Date.now() + 3_600_000).toUTCString());
      answer.end('<x/>');
    });

    const { found } = await runDoctor({ ...env, ECB_URL: url });

    expect(found['clock']).toMatchObject({
      state: 'wrong',
      advice: expect.stringContaining('NTP'),
    });
    expect(found['clock']?.found).toMatch(/3(?:599|600|601)\.\d s behind ecb/);
  });
});
