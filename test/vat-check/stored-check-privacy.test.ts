import { describe, expect, it } from 'vitest';
import { registerTraders, setMemberState } from '../support/sandbox/scripts.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { postCheck, requester, sendToChecks } from './support/stored-checks-api.ts';

/** Numbers, a name and an address that occur in no other data; parts of them count as well. */
const canary = {
  country: 'AT',
  number: 'KANARI4711',
  name: 'Gelbvogel KG',
  address: 'Nestgasse 9',
};
const parts = /kanari|gelbvogel|nestgasse|zeisig|854265259/i;

/** The lines of every output for operators that has data of a check. */
async function tracesIn(service: TestService): Promise<readonly string[]> {
  const status = await service.sendToOps('/status');
  const metrics = await service.sendToOps('/metrics');
  expect([status.status, metrics.status]).toEqual([200, 200]);
  const ofApi = (await service.get('/status')).text;
  const lines = [status.text, metrics.text, ofApi].flatMap((text) => text.split('\n'));
  return [...service.logLines, ...lines].filter((line) => parts.test(line));
}

describe('numbers, names and addresses of stored checks (rule K18)', () => {
  it('are in no log line, no metric and not in /status, whatever happens to the checks', async () => {
    const service = await startService({ script: (scenario) => registerTraders(scenario, canary) });
    const wanted = {
      countryCode: 'AT',
      vatNumber: 'atu kanari4711',
      requester,
      trader: { name: 'Zeisig GmbH', street: 'Nestgasse 9' },
      reference: 'Zeisig',
    };
    const headers = { 'idempotency-key': 'Zeisig' };
    const number = { ...wanted, vatNumber: 'KANARI4711' };

    const { check } = await postCheck(service, number, headers);
    expect(check.valid).toBe(true);
    setMemberState(service.scenario, 'AT', 'down');
    const statuses: number[] = [];
    for (const body of [
      { ...number, reference: 'r' },
      { ...number, waitSeconds: 'Zeisig' },
      { ...number, kanari4711: 1 },
      { ...number, vatNumber: 'KANARI4711KANARI' },
      '{"vatNumber":"KANARI4711"',
    ]) {
      statuses.push((await postCheck(service, body).catch(() => undefined))?.answer.status ?? 400);
    }
    const conflict = await postCheck(service, { ...number, reference: 'x' }, headers);
    for (const path of [
      '?vatNumber=ATKANARI4711',
      '.csv?vatNumber=KANARI4711&countryCode=AT&reference=Zeisig',
      '?reference=Zeisig&kanari=1',
      '/KANARI4711',
      `/${check.id}?waitSeconds=KANARI4711`,
    ]) {
      await sendToChecks(service, 'GET', path);
    }
    service.startJobs();
    await service.liveAt('2026-11-20T16:02:00Z');
    await expect
      .poll(async () => (await sendToChecks(service, 'GET', '?status=pending')).text)
      .toContain('"attempts":2');
    await sendToChecks(service, 'DELETE', `/${check.id}`);

    expect(statuses).toEqual([202, 400, 400, 422, 400]);
    expect(conflict.answer.status).toBe(409);
    expect(await tracesIn(service)).toEqual([]);
    expect(service.logLines.join('')).toContain('/vatchecks/:id');
  });

  it('are in no log line if a result cannot be written', async () => {
    const service = await startService({ script: (scenario) => registerTraders(scenario, canary) });
    await service.core.db.schema.dropTable('vat_check_exchanges').execute();

    const { answer } = await postCheck(service, { countryCode: 'AT', vatNumber: 'KANARI4711' });

    expect(answer.status).toBe(202);
    expect(service.logLines.join('')).toContain('attempt of a stored check not written');
    expect(await tracesIn(service)).toEqual([]);
  });
});
