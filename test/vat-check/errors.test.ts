import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/send-request.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { shareService, startService, type TestService } from '../support/start-service.ts';
import { setMemberState, setViesFault } from '../support/sandbox/scripts.ts';

const calls = (service: TestService): number => service.sandbox.requests.vies.calls();

/** The form of an error and its Retry-After, as one comparable value. */
const told = (answer: Answer) => [formOf(answer), answer.headers['retry-after']];

const unreadable = 'the registry answered with something that cannot be read';
const unreachable = 'the registry cannot be reached';
const webPage = 'the registry answered with a web page';
const refusesUs = 'the registry refuses requests from this service';

describe('422 INVALID_INPUT (interface 7, contract C21)', () => {
  const service = shareService();

  it.each([
    ['the United Kingdom', 'GB/123456789'],
    ['a country that is Latin only in upper case', '%C5%BFe/123456789'],
    ['no number', 'AT/'],
    ['a number of 1 character', 'AT/1'],
    ['a number of 8,000 characters', `AT/${'1'.repeat(8_000)}`],
    ['a percent sign, which was escaped twice', 'AT/U9999%252F9901'],
    ['broken escapes', 'AT/U9999%zz9901'],
    ['an escape that is no UTF-8', 'AT/U9999%ff9901'],
  ])('is the answer to %s, without a call', async (_, path) => {
    const before = calls(service());

    expect(told(await service().get(`/vatcheck/${path}`))).toEqual([
      errorForm(422, 'INVALID_INPUT'),
      undefined,
    ]);
    expect(calls(service())).toBe(before);
  });

  it.each([
    ['', { faultStatus: 200 }],
    [' under HTTP 500', { faultStatus: 500 }],
    [' with a sentence', { longFaults: true }],
  ] as const)('is the answer if the registry rejects the number%s', async (_, vies) => {
    const service = await startService({ script: (scenario) => scenario.apply({ vies }) });

    expect(told(await service.get('/vatcheck/AT/201'))).toEqual([
      errorForm(422, 'INVALID_INPUT'),
      undefined,
    ]);
    expect(calls(service)).toBe(1);
  });
});

describe('the reason of a 422 is in Vatfx-Hint (contract C4a)', () => {
  const service = shareService();
  const check = { countryCode: 'GB', vatNumber: '123456789' };

  it.each([
    ['GET', '/vatcheck/GB/123456789', undefined, 'no registry for GB'],
    ['GET', '/vatcheck/DE/%CE%A9123', undefined, 'letters of another script'],
    ['POST', '/vatchecks', check, 'no registry for GB'],
    ['POST', '/vatchecks', { ...check, vatNumber: '9'.repeat(65) }, 'longer than 64 characters'],
    ['PUT', '/vatwatches/DEU/1', undefined, 'not a country'],
    ['DELETE', '/vatwatches/DE/x', undefined, 'no digit'],
  ])('%s %s %j', async (method, path, body, reason) => {
    const answer = await service().sendRequest({
      method,
      path,
      headers: { authorization: `Bearer ${service().key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

    expect(formOf(answer)).toEqual(errorForm(422, 'INVALID_INPUT'));
    expect(answer.headers['vatfx-hint']).toBe(reason);
  });

  it('is the remark on the number if the registry refuses it, also to a target that is known', async () => {
    const answers = [
      await service().get('/vatcheck/AT/201'),
      await service().get('/vatcheck/AT/201'),
    ];

    for (const { status, headers } of answers) {
      expect([status, headers['vatfx-hint']]).toEqual([422, 'form: expected U and 8 digits']);
    }
  });
});

describe('the official test numbers (contract C22)', () => {
  const rows = [
    ['201', 422, 'INVALID_INPUT', undefined],
    ['202', 502, 'the registry answered with an unknown code', undefined],
    ['300', 503, 'SERVICE_UNAVAILABLE', '60'],
    ['301', 503, 'MS_UNAVAILABLE', '60'],
    ['302', 503, 'TIMEOUT', '30'],
    ['400', 502, 'the registry refuses requests for this VAT number', undefined],
    ['401', 502, refusesUs, undefined],
    ['500', 503, 'SERVICE_UNAVAILABLE', '10'],
    ['501', 503, 'SERVICE_UNAVAILABLE', '10'],
    ['600', 503, 'MS_UNAVAILABLE', '10'],
    ['601', 503, 'MS_UNAVAILABLE', '10'],
  ] as const;
  const plain = shareService();

  it.each(rows)('%s is %i "%s", with Retry-After %s', async (vat, status, error, retryAfter) => {
    const answer = await plain().get(`/vatcheck/PT/${vat}`);

    expect(told(answer)).toEqual([errorForm(status, error), retryAfter]);
  });

  it.each([
    ['100', true, 'John Doe', '123 Main St, Anytown, UK'],
    ['200', false, null, null],
  ])('%s is valid: %s', async (vat, valid, name, address) => {
    const { status, text } = await plain().get(`/vatcheck/PT/${vat}`);

    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ valid, name, address });
  });
});

describe('a Member State (interface 7, contract C22)', () => {
  it.each([
    ['down', 503, 'MS_UNAVAILABLE', '60'],
    ['throttled', 503, 'MS_UNAVAILABLE', '10'],
    ['html', 502, webPage, undefined],
  ] as const)('in the state %s gives %i "%s"', async (state, status, error, retryAfter) => {
    const service = await startService({
      timers: new ManualTimers(),
      script: (scenario) => setMemberState(scenario, 'DE', state),
    });

    const [answer, other] = await Promise.all([
      service.get('/vatcheck/DE/999999901'),
      service.get('/vatcheck/FR/00999999901'),
    ]);

    expect(told(answer)).toEqual([errorForm(status, error), retryAfter]);
    expect(other.status).toBe(200);
    expect(calls(service)).toBe(2);
  });

  it('is called again immediately after an error: only answers are cached (contract C23)', async () => {
    const service = await startService({
      script: (scenario) => setMemberState(scenario, 'DE', 'down', { times: 1 }),
    });

    const failed = await service.get('/vatcheck/DE/999999901');
    const answered = await service.get('/vatcheck/DE/999999901');

    expect([failed.status, answered.status, calls(service)]).toEqual([503, 200, 2]);
  });
});

/** Skips the pause before a second call. */
const pauseMs = 200;

describe('the registry itself (interface 7, contract C22)', () => {
  it.each([
    ['server-fault', 503, 'SERVICE_UNAVAILABLE', 1],
    ['html', 502, webPage, 1],
    ['unavailable-503', 502, webPage, 1],
    ['forbidden-403', 502, refusesUs, 1],
    ['too-many-429', 502, refusesUs, 1],
    ['redirect', 502, webPage, 1],
    ['empty-404', 502, unreachable, 1],
    ['empty-200', 502, unreadable, 1],
    ['truncated', 502, unreadable, 2],
    ['reset', 502, unreadable, 2],
    ['not-utf8', 502, unreadable, 1],
    ['doctype', 502, unreadable, 1],
    ['oversized', 502, unreadable, 1],
    ['gzip-bomb', 502, unreadable, 1],
  ] as const)(
    'with the fault %s gives %i "%s" after %i calls',
    async (fault, status, error, count) => {
      const service = await startService({
        timers: new ManualTimers({ skippedMs: pauseMs }),
        script: (scenario) => setViesFault(scenario, fault),
      });

      expect(formOf(await service.get('/vatcheck/AT/U99999901'))).toEqual(errorForm(status, error));
      expect(calls(service)).toBe(count);
    },
  );
});
