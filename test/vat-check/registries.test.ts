import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/platform/config/secret.ts';
import { setNow } from '../support/sandbox/scripts.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { readPublishedKeys } from '../../src/vat-check/stored/evidence/published-keys.ts';
import type { PrintedCheck } from '../../src/vat-check/stored/print-check.ts';
import { startService, type StartOptions, type TestService } from '../support/start-service.ts';
import { getCheck, postBatch, postCheck, sendToChecks } from './support/stored-checks-api.ts';

const config = {
  registries: ['vies', 'hmrc', 'bzst'],
  hmrcClientId: 'app',
  hmrcClientSecret: new Secret('s3cret-of-hmrc', '(set)'),
  hmrcControl: 'GB948561936944',
  requesters: 'NL854265259B01,DE123456789',
} as const;
const example = { countryCode: 'GB', vatNumber: '553557881' };
const exampleRequester = { countryCode: 'GB', vatNumber: '146295999727' };
const unknown = { countryCode: 'GB', vatNumber: '123456789' };
const austrian = { countryCode: 'AT', vatNumber: 'U99999901', registry: 'bzst' };
const trader = { name: 'Test GmbH', city: 'Stadt' };

async function start(more: StartOptions = {}): Promise<TestService> {
  return startService({ ...more, config: { ...config, ...more.config } });
}

/** The evidence of a check, verified offline; the text of its file. */
async function verify(service: TestService, { id }: PrintedCheck) {
  const { text } = await sendToChecks(service, 'GET', `/${id}/evidence`);
  const keys = await service.get('/evidence/keys');
  const published = readPublishedKeys(Buffer.from(keys.text));
  return { text, verification: await verifyEvidence(Buffer.from(text), published) };
}

const requestsTo = (service: TestService, name: 'hmrc' | 'bzst' | 'vies') =>
  service.sandbox.requests.of(name === 'vies' ? 'vies' : `${name}-registry`);

describe('a check at HMRC (rules M3 to M10)', () => {
  it('has name, address and the consultation number for a British requester', async () => {
    const service = await start();

    const { answer, check } = await postCheck(service, { ...example, requester: exampleRequester });

    expect(answer.status).toBe(201);
    expect(check).toMatchObject({
      registry: 'hmrc',
      valid: true,
      name: 'Credite Sberger Donal Inc.',
      address: '131B Barton Hamlet\nSW97 5CK\nGB',
      consultationNumber: expect.stringMatching(/^[A-Za-z]{9}$/),
      requestDate: '2026-11-20+00:00',
      queriedNumber: 'GB553557881',
      validFrom: null,
      validTo: null,
      error: null,
    });
    const { verification, text } = await verify(service, check);
    expect(verification).toMatchObject({ faults: [], isKeyPublished: true });
    const secrets = /Bearer|s3cret-of-hmrc/;
    expect([text, atob(JSON.parse(text).request), ...service.logLines].join('\n')).not.toMatch(
      secrets,
    );
  });

  it('answers “no” without a requester only after a control question, which the evidence has', async () => {
    const service = await start();

    const { check } = await postCheck(service, unknown);

    expect(check).toMatchObject({ status: 'answered', valid: false, consultationNumber: null });
    const paths = requestsTo(service, 'hmrc').map(({ file = '' }) => file.split('/').at(-1));
    expect(paths).toEqual(['token', '123456789', '948561936944']);
    const { verification, text } = await verify(service, check);
    expect(verification.faults).toEqual([]);
    const file = JSON.parse(text) as { readonly control?: unknown };
    const { control: _, ...withoutControl } = file;
    const cut = await verifyEvidence(Buffer.from(JSON.stringify(withoutControl)));
    expect(cut.faults).toContain('the answer is false only with a control question, and has none');
  });

  it('is pending while HMRC’s back end is down, with and without a requester, and never false', async () => {
    const service = await start();
    service.scenario.apply({ registries: { hmrc: { backEnd: 'down' } } });

    const checks = [
      (await postCheck(service, unknown)).check,
      (await postCheck(service, { ...unknown, requester: exampleRequester })).check,
    ];
    const looked = await service.get('/vatcheck/GB/123456789');

    for (const check of checks) {
      expect(check).toMatchObject({ status: 'pending', valid: null, error: 'SERVICE_UNAVAILABLE' });
    }
    expect([looked.status, JSON.parse(looked.text)]).toEqual([
      503,
      { error: 'SERVICE_UNAVAILABLE' },
    ]);
  });

  it('says that HMRC refuses the application, and no other registry is asked', async () => {
    const service = await start({ config: { hmrcClientId: 'refused' } });

    const { check } = await postCheck(service, example);
    const looked = await service.get('/vatcheck/GB/553557881');
    const austria = await postCheck(service, { countryCode: 'AT', vatNumber: 'U99999901' });

    expect(check).toMatchObject({ status: 'pending', error: 'INVALID_CREDENTIALS', valid: null });
    expect(looked.status).toBe(503);
    expect(austria.check).toMatchObject({ registry: 'vies', valid: true });
    expect(requestsTo(service, 'hmrc')).toHaveLength(1);
  });

  it('is looked up by /vatcheck without a requester, from the cache the second time', async () => {
    const service = await start();

    const first = await service.get('/vatcheck/gb/GB%20553%205578%2081');
    const second = await service.get('/vatcheck/UK/553557881');

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(JSON.parse(second.text)).toMatchObject({
      valid: true,
      name: 'Credite Sberger Donal Inc.',
    });
    expect(requestsTo(service, 'hmrc')).toHaveLength(2);
  });

  it('spreads calls at 3 a second, and leaves to the worker what would wait for more than 2 s', async () => {
    const service = await start();
    const numbers = ['146295999727', '948561936944', '166804280212', '711954454070'];
    const all = Array.from({ length: 12 }, (_, at) => numbers[at % 4]);

    const made = await Promise.all(
      all.map(async (vatNumber) => postCheck(service, { ...example, vatNumber, waitSeconds: 5 })),
    );

    const states = made.map(({ check }) => check.status);
    expect(states.filter((one) => one === 'answered').length).toBeGreaterThanOrEqual(6);
    expect(made.every(({ check: { valid, error } }) => valid !== false && error === null)).toBe(
      true,
    );
  });
});

describe('a confirmation of the BZSt (rules M3 and M11)', () => {
  it('has its id and the comparison for a German requester', async () => {
    const service = await start();
    const body = { countryCode: 'AT', vatNumber: 'ATU12345678', registry: 'bzst', trader };

    const { check } = await postCheck(service, body);

    expect(check).toMatchObject({
      registry: 'bzst',
      valid: true,
      name: null,
      consultationNumber: expect.stringMatching(/^[0-9a-f]{16}$/),
      requester: { countryCode: 'DE', vatNumber: '123456789' },
      traderMatch: { name: 'valid', city: 'valid', street: null },
      requestDate: '2026-11-20+01:00',
    });
    expect((await verify(service, check)).verification.faults).toEqual([]);
    expect(requestsTo(service, 'vies')).toEqual([]);
  });

  it.each([
    ['2001', { valid: false, status: 'answered' }],
    ['2005', { status: 'rejected', error: 'INVALID_REQUESTER', valid: null }],
    ['2006', { valid: false, validFrom: '2024-01-01', validTo: '2024-12-31' }],
    ['0005', { status: 'rejected', error: 'INVALID_INPUT', valid: null }],
  ])('with the status %s ends as the table says, with evidence', async (status, expected) => {
    const service = await start();
    const statuses = [{ number: 'ATU99999901', status }];
    service.scenario.apply({ registries: { bzst: { statuses } } });

    const { check } = await postCheck(service, austrian);

    expect(check).toMatchObject({ registry: 'bzst', ...expected });
    expect((await verify(service, check)).verification.faults).toEqual([]);
  });

  it.each([
    ['0003', 'UNEXPECTED_ANSWER'],
    ['1002', 'SERVICE_UNAVAILABLE'],
  ])('with the status %s is pending for 5 minutes: %s', async (status, error) => {
    const service = await start();
    const statuses = [{ number: 'ATU99999901', status }];
    service.scenario.apply({ registries: { bzst: { statuses } } });

    const { check } = await postCheck(service, austrian);

    expect(check).toMatchObject({ registry: 'bzst', status: 'pending', valid: null, error });
    const waitMs = Date.parse(check.nextAttemptAt ?? '') - Date.parse(check.createdAt);
    expect(waitMs).toBeGreaterThan(4 * 60_000);
  });

  it('is another check and another watch than that of VIES', async () => {
    const service = await start();
    const number = { countryCode: 'AT', vatNumber: 'U99999901', maxAgeSeconds: 3_600 };
    const send = async (method: string, query = '', body?: object) =>
      service.sendRequest({
        method,
        path: `/vatwatches/AT/U99999901${query}`,
        headers: { authorization: `Bearer ${service.key}` },
        ...(body && { body: JSON.stringify(body) }),
      });

    const checks = [
      (await postCheck(service, number)).check,
      (await postCheck(service, { ...number, registry: 'bzst' })).check,
      (await postCheck(service, { ...number, registry: 'bzst' })).check,
    ];
    await send('PUT');
    await send('PUT', '', { registry: 'bzst' });
    const deleted = await send('DELETE', '?registry=bzst');

    expect(checks.map(({ registry }) => registry)).toEqual(['vies', 'bzst', 'bzst']);
    expect(checks[2]?.id).toBe(checks[1]?.id);
    expect(deleted.status).toBe(204);
    expect((await send('GET', '?registry=bzst')).status).toBe(404);
    expect(JSON.parse((await send('GET')).text)).toMatchObject({ registry: 'vies' });
    const listed = await sendToChecks(service, 'GET', '?countryCode=AT&vatNumber=U99999901');
    expect(JSON.parse(listed.text)).toMatchObject({ count: 2 });
  });
});

describe('a batch with several registries (rules M3 and M12)', () => {
  it('asks each row at its registry, and names the rows that none answers for', async () => {
    const service = await start();
    const csv = [
      'countryCode,vatNumber,registry,reference',
      'AT,U99999901,,vies',
      'AT,U99999901,bzst,bzst',
      'GB,553557881,,hmrc',
      'GB,553557881,vies,wrong',
    ].join('\n');

    const { batch, answer } = await postBatch(service, csv, { 'content-type': 'text/csv' });
    for (let pass = 0; pass < 4; pass += 1) {
      await service.core.watch.poll();
      await service.attemptDueChecks();
    }

    expect(answer.status).toBe(202);
    expect(batch).toMatchObject({
      count: 3,
      skipped: [{ line: 5, reason: "invalid 'registry' — expected hmrc" }],
    });
    const list = await sendToChecks(service, 'GET', `?batchId=${batch.batchId}`);
    const { checks } = JSON.parse(list.text) as { readonly checks: readonly PrintedCheck[] };
    expect(checks.map(({ registry, reference, valid }) => [registry, reference, valid])).toEqual(
      expect.arrayContaining([
        ['vies', 'vies', true],
        ['bzst', 'bzst', true],
        ['hmrc', 'hmrc', true],
      ]),
    );
  });
});

describe('a registry that is away (rule M7)', () => {
  it('delays no other one, and its checks are answered when it is back', async () => {
    const service = await start();
    service.scenario.apply({ registries: { hmrc: { api: 'down' }, bzst: { api: 'down' } } });

    const away = [
      (await postCheck(service, example)).check,
      (await postCheck(service, austrian)).check,
    ];
    const other = await postCheck(service, { countryCode: 'AT', vatNumber: 'U99999901' });
    service.scenario.apply({ registries: { hmrc: { api: 'up' }, bzst: { api: 'up' } } });
    setNow(service.scenario, '2026-11-20T16:10:00Z');
    for (let pass = 0; pass < 3; pass += 1) await service.attemptDueChecks();

    expect(away.map(({ error, valid }) => [error, valid])).toEqual([
      ['SERVICE_UNAVAILABLE', null],
      ['SERVICE_UNAVAILABLE', null],
    ]);
    expect(other.check.valid).toBe(true);
    const ended = await Promise.all(away.map(async ({ id }) => getCheck(service, id)));
    expect(ended.map(({ valid }) => valid)).toEqual([true, true]);
    const status = await fetch(`${service.opsUrl}/status`).then(async (answer) => answer.json());
    expect(status).toMatchObject({
      upstreams: { hmrc: { breaker: 'closed', blockedUntil: null }, bzst: { breaker: 'closed' } },
      registry: { others: { hmrc: { waitingChecks: 0 }, bzst: { callsToday: { callers: 1 } } } },
    });
  });
});
