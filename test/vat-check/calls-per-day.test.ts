import { describe, expect, it } from 'vitest';
import { errorForm, formOf } from '../support/error-form.ts';
import { settingsBeside } from '../cli/support/key-commands.ts';
import { runForJson } from '../support/run-cli.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { getCheck, postCheck } from './support/stored-checks-api.ts';
import { createCaller, startReplicas } from './support/replicas.ts';

const spent = errorForm(429, 'QUOTA_EXCEEDED');
const numbers = ['999999901', '999999902', '999999903', '999999904'];

/** A caller of a service, with a key that the command has made. */
async function createKey(service: TestService, ...options: string[]) {
  const args = ['keys', 'create', '--name', 'shop', ...options];
  const { key, id } = await runForJson<{ key: string; id: string }>(args, settingsBeside(service));
  await service.core.watch.poll();
  const headers = { authorization: `Bearer ${key}` };
  const get = async (path: string) => service.get(path, headers);
  const post = async (body: object) =>
    postCheck({ key, sendRequest: async (question) => service.sendRequest(question) }, body);
  const callsPerDay = async () => JSON.parse((await get('/usage')).text).callsPerDay as unknown;
  return { id, key, get, post, callsPerDay };
}

describe('calls that callers of a key wait for in a day (rule K21b)', () => {
  it('beyond the number are 429 until the next UTC day, and cached answers are free', async () => {
    const service = await startService();
    const { get, callsPerDay } = await createKey(service, '--calls-per-day', '2');
    for (const number of numbers.slice(0, 2)) {
      expect((await get(`/vatcheck/DE/${number}`)).status).toBe(200);
    }

    const refused = await get('/vatcheck/DE/999999903');

    expect([formOf(refused), refused.headers['retry-after']]).toEqual([spent, '28800']);
    expect((await get('/vatcheck/DE/999999901')).status).toBe(200);
    expect(await callsPerDay()).toEqual({
      limit: 2,
      used: 2,
      remaining: 0,
      resetsAt: '2026-11-21T00:00:00.000Z',
    });
    expect((await service.get('/vatcheck/DE/999999903')).status).toBe(200);
    service.passTime(8 * 3_600_000);
    expect((await get('/vatcheck/DE/999999904')).status).toBe(200);
  });

  it('beyond the number leave a stored check to the background', async () => {
    const service = await startService();
    const { key, post } = await createKey(service, '--calls-per-day', '1');
    const body = { countryCode: 'DE', vatNumber: numbers[0], waitSeconds: 5 };
    expect((await post(body)).answer.status).toBe(201);

    const { answer, check } = await post({ ...body, vatNumber: numbers[1] });

    expect([answer.status, check.status, check.attempts]).toEqual([202, 'pending', 0]);
    await service.attemptDueChecks();
    const sender = { key, sendRequest: async (question: never) => service.sendRequest(question) };
    expect(await getCheck(sender, check.id)).toMatchObject({ status: 'answered' });
  });

  it('are a quarter of the budget by default, and follow keys change', async () => {
    const service = await startService({ config: { viesCallsPerDay: 4 } });
    const { id, get, callsPerDay } = await createKey(service);
    expect((await get('/vatcheck/DE/999999901')).status).toBe(200);
    expect(formOf(await get('/vatcheck/DE/999999902'))).toEqual(spent);

    await runForJson(['keys', 'change', id, '--calls-per-day', 'none'], settingsBeside(service));
    service.passTime(2_000);

    expect((await get('/vatcheck/DE/999999902')).status).toBe(200);
    expect(await callsPerDay()).toMatchObject({ limit: null, used: 2, remaining: null });
  });

  it('are counted over replicas', async () => {
    const replicas = await startReplicas({});
    const caller = await createCaller(replicas, { callsPerDay: 2 });
    const answers = [];
    for (const [n, number] of numbers.entries()) {
      answers.push((await caller.get(replicas[n % 3]!, `/vatcheck/DE/${number}`)).status);
    }

    expect(answers).toEqual([200, 200, 429, 429]);
  });
});
