import { afterAll, describe, expect, it } from 'vitest';
import { transportFaults } from '../../src/sandbox/transport/faults.ts';
import { memberStateConditions } from '../../src/sandbox/scenario/vies-script.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { failToQuery } from './support/failing-query.ts';
import { print, RawRegistry } from './support/raw-registry.ts';
import { answerText, envelope, faultText } from './support/vies-texts.ts';
import { registerTraders, setMemberState, setViesFault } from '../support/sandbox/scripts.ts';

/** A number, a name and an address that occur in no other data; parts of them count as well. */
const canary = {
  country: 'AT',
  number: 'KANARI4711',
  name: 'Gelbvogel KG',
  address: 'Nestgasse 9',
};
const parts = /kanari|gelbvogel|nestgasse/i;

/** The lines of every output that could contain data of a check. */
async function tracesIn(service: TestService): Promise<readonly string[]> {
  const status = await service.sendToOps('/status');
  const metrics = await service.sendToOps('/metrics');
  expect([status.status, metrics.status]).toEqual([200, 200]);
  const lines = [...service.logLines, ...status.text.split('\n'), ...metrics.text.split('\n')];
  return lines.filter((line) => parts.test(line));
}

const paths = [
  '/vatcheck/AT/KANARI4711',
  '/vatcheck/at/kanari-4711',
  '/vatcheck/AT/K%41NARI%20471.1?vat=KANARI4711',
];

describe('numbers, names and addresses (style: Logs)', () => {
  it('are in no log line, no metric and not in /status after a valid answer', async () => {
    const service = await startService({ script: (scenario) => registerTraders(scenario, canary) });

    for (const path of [...paths, ...paths]) {
      expect((await service.get(path)).text).toContain('Gelbvogel');
    }

    expect(await tracesIn(service)).toEqual([]);
    expect(service.logLines.length).toBeGreaterThanOrEqual(6);
  });

  it.each([
    ['not on file', '/vatcheck/AT/KANARI4711', 200],
    ['not valid as a number', '/vatcheck/AT/KANARI4711KANARI', 422],
    ['of another country', '/vatcheck/GB/KANARI4711', 422],
    ['where a country belongs', '/vatcheck/KANARI4711/AT', 422],
    ['at a route that is none', '/vatcheck/AT/KANARI4711/more', 404],
    ['at a route that is none, twice', '/KANARI4711?vat=KANARI4711', 404],
    ['with broken escapes', '/vatcheck/AT/KANARI4711%zz', 422],
    ['too long', `/vatcheck/AT/${'KANARI4711'.repeat(1_000)}`, 414],
  ])('are in none of them if the request is %s', async (_, path, status) => {
    const service = await startService();

    expect((await service.get(path)).status).toBe(status);

    expect(await tracesIn(service)).toEqual([]);
  });

  it('are in none of them if the key or the method is wrong', async () => {
    const service = await startService();
    const headers = { authorization: `Bearer ${service.key}` };

    const [path] = paths as [string];
    const { status } = await service.sendRequest({ path });
    const other = await service.sendRequest({ method: 'POST', path, headers, body: 'KANARI4711' });

    expect([status, other.status]).toEqual([401, 405]);
    expect(await tracesIn(service)).toEqual([]);
  });
});

describe('numbers, names and addresses, if the registry fails (style: Logs)', () => {
  // The deadline leaves no time for a second call.
  const config = { viesTimeoutMs: 1_400 };
  const path = '/vatcheck/AT/KANARI4711';
  const neverAnswers = new Set<string>(['hang', 'stall', 'drip']);

  const faults = transportFaults.map(
    (fault) => [fault, (of: TestService) => setViesFault(of.scenario, fault)] as const,
  );
  const code = 'UNKNOWN: KANARI4711 of Gelbvogel KG';
  const states = memberStateConditions.map(
    (state) =>
      [
        `${state} AT`,
        (of: TestService) => setMemberState(of.scenario, 'AT', state, { code }),
      ] as const,
  );

  it.each([...faults, ...states])('are in none of them with %s', async (name, fail) => {
    const timers = new ManualTimers();
    const service = await startService({ config, timers });
    registerTraders(service.scenario, canary);
    fail(service);

    const [fault = ''] = name.split(' ');
    await (neverAnswers.has(fault) ? failToQuery(service, timers, path) : service.get(path));

    expect(service.sandbox.requests.vies.calls('AT')).toBe(1);
    expect(await tracesIn(service)).toEqual([]);
  });
});

const text = 'KANARI4711 Gelbvogel KG, Nestgasse 9';
const answers: readonly (readonly [string, Buffer])[] = [
  ['in the place of the verdict', print(200, answerText({ valid: text }))],
  ['in the place of the date', print(200, answerText({ requestDate: text }))],
  ['in front of the envelope', print(200, text + answerText())],
  ['behind the envelope', print(200, answerText() + text)],
  ['between the elements', print(200, answerText().replace('<ns2:valid>', `${text}<ns2:valid>`))],
  ['in an element that is never closed', print(200, answerText({ name: `${text}<b>` }))],
  ['as an element in the name', print(200, answerText({ name: 'x <Gelbvogel>KG</Gelbvogel>' }))],
  ['with a bare &', print(200, answerText({ name: 'Gelbvogel & KANARI4711 KG' }))],
  ['as an entity', print(200, answerText({ name: '&KANARI4711;' }))],
  ['with a bare <', print(200, answerText({ name: 'KANARI <4711> Gelbvogel' }))],
  [
    'in an attribute',
    print(200, answerText().replace('<ns2:valid>', `<ns2:valid x="${text}" x="">`)),
  ],
  ['as the prefix of an element', print(200, answerText({ valid: '<Gelbvogel:x/>' }))],
  ['in a fault', print(200, faultText(text))],
  ['in the code of a fault', print(500, faultText('KANARI_GELBVOGEL'))],
  [
    'in the details of a fault',
    print(500, envelope(`<env:Fault><faultstring>${text}</faultstring></env:Fault>`)),
  ],
  ['in a DOCTYPE', print(200, `<!DOCTYPE x [<!ENTITY y "${text}">]>${answerText()}`)],
  [
    'in a web page',
    print(503, `<html><title>${text}</title></html>`, { 'Content-Type': 'text/html' }),
  ],
  ['in plain text', print(400, text, { 'Content-Type': 'text/plain' })],
  ['in the type of the content', print(404, text, { 'Content-Type': `x/KANARI4711` })],
  ['in the encoding of the content', print(200, text, { 'Content-Encoding': 'KANARI4711' })],
  [
    'in the encoding of the document',
    print(200, `<?xml version="1.0" encoding="KANARI4711"?>${answerText()}`),
  ],
  ['in half of an answer', print(200, answerText({ name: text }).slice(0, -80))],
  ['in half of a body', print(200, answerText({ name: text })).subarray(0, -80)],
  ['in what is no HTTP', Buffer.from(`HTTP/1.1 2${text}\r\n\r\n`)],
];

// The number of a check is the index of its answer.
const registry = await RawRegistry.start((socket, { vatNumber }) => {
  socket.end(answers[Number(vatNumber.slice(-2))]?.[1] ?? '');
});
afterAll(async () => registry[Symbol.asyncDispose]());

describe('numbers, names and addresses in an answer of the registry (style: Logs)', () => {
  it.each(answers.map(([where], at) => [where, at] as const))(
    'are in none of them %s',
    async (where, at) => {
      const service = await startService({
        timers: new ManualTimers(),
        config: { viesUrl: registry.url, viesTimeoutMs: 1_400 },
      });
      const before = registry.checks.length;

      const number = `KANARI4711${String(at).padStart(2, '0')}`;
      const answer = await service.get(`/vatcheck/AT/${number}`);

      expect(registry.checks.length).toBeGreaterThan(before);
      // A name that cannot be read is null (rule K7); the answer then repeats the number as it was sent.
      const isRead = where === 'as an element in the name';
      expect(answer.status).toBe(isRead ? 200 : 502);
      expect(answer.text.replace(isRead ? number : '', '')).not.toMatch(parts);
      expect(await tracesIn(service)).toEqual([]);
    },
  );
});
