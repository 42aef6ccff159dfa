import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { formatInstant } from '../../src/platform/time/time.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { runDoctor } from './support/run-doctor.ts';

const envelope = 'http://schemas.xmlsoap.org/soap/envelope/';
const faultOf = (fault: string): string =>
  `<e:Envelope xmlns:e="${envelope}"><e:Body><e:Fault><faultcode>e:Server</faultcode>` +
  `<faultstring>${fault}</faultstring></e:Fault></e:Body></e:Envelope>`;
const page = '<html>We are moving</html>';
const isPage = 'HTTP 200 with a web page instead of data';

// Findings about upstreams do not depend on the engine.
describe.skipIf(isPostgresql)('doctor and what upstreams answer (operator.md)', () => {
  it('counts its question as a call of the operator (rule K21b)', async () => {
    const { env } = await startUpstreams();
    await using db = await openDatabase(env['DATABASE_URL'] ?? '');

    await runDoctor(env);

    const rows = await db.selectFrom('registry_key_calls').selectAll().execute();

    expect(rows).toMatchObject([{ key_id: 'operator', background: 0, callers: 1 }]);
  });

  it.each([
    ['VIES_URL', faultOf('MS_UNAVAILABLE'), 'warning', '', 'wait until VIES is available again'],
    ['VIES_URL', faultOf('IP_BLOCKED'), 'wrong', '', 'VIES blocks addresses that send too many'],
    ['VIES_URL', faultOf('SURPRISE'), 'wrong', '', 'check VIES_URL'],
    ['TEDB_URL', page, 'wrong', isPage, 'check TEDB_URL'],
    ['ECB_URL', page, 'wrong', isPage, 'check ECB_URL'],
    ['VIES_URL', page, 'wrong', isPage, 'check VIES_URL'],
  ])('reports for %s %s: %s', async (variable, body, state, tells, advice) => {
    const { env } = await startUpstreams();
    const url = await serveHttp((_, answer) => {
      answer.setHeader('content-type', body === page ? 'text/html' : 'text/xml; charset=utf-8');
      answer.end(body);
    });

    const { found } = await runDoctor({ ...env, [variable]: url });

    expect(found[variable.replace('_URL', '').toLowerCase()]).toMatchObject({
      state,
      found: expect.stringContaining(tells),
      advice: expect.stringContaining(advice),
    });
  });

  it.each(['VIES_URL', 'TEDB_URL', 'ECB_URL'])(
    'quotes at most 80 characters of what %s answers, escaped (O19)',
    async (variable) => {
      const { env } = await startUpstreams();
      const text = `\nforged line\u202E\u0085${'y'.repeat(200_000)}`;
      const url = await serveHttp((_, answer) => void answer.end(faultOf(text)));

      const { found } = await runDoctor({ ...env, [variable]: url });

      const said = found[variable.replace('_URL', '').toLowerCase()]?.found ?? '';
      expect(said.length).toBeLessThan(200);
      expect(said).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    },
  );

  it('asks VIES nothing while it blocks this service', async () => {
    const { env, sandbox } = await startUpstreams();
    const db = await openDatabase(env['DATABASE_URL'] ?? '');
    const blocked_until = formatInstant(Date.now() + 60_000);
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
});
