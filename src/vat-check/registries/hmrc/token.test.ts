import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { ManualTimers } from '../../../../test/support/manual-timers.ts';
import { SettableClock } from '../../../../test/support/settable-clock.ts';
import { Secret } from '../../../platform/config/secret.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { Upstream } from '../../../platform/upstream/upstream.ts';
import { RegistryClient } from '../registry-client.ts';
import { alone } from '../registry.ts';
import { hmrc } from './hmrc.ts';
import { HmrcToken } from './token.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const json =
  (status: number, body: object): Answer =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
const refusal = json(401, { error: 'invalid_client' });

/** HMRC as far as tokens go: token `t1`, then `t2`, …; a question is answered if its token is accepted. */
async function open(tokens: readonly Answer[] = [], clientSecret = new Secret('s3cret', '(set)')) {
  let issued = 0;
  const state = {
    accepted: (token: string) => token === `Bearer t${issued}`,
    forms: [] as string[],
  };
  const server = createServer((request, response) => {
    if (request.url !== '/oauth/token') {
      const isAccepted = state.accepted(request.headers.authorization ?? '');
      const found = { target: { vatNumber: '553557881' }, processingDate: '2026-11-20T16:00:00Z' };
      const answer = isAccepted ? json(200, found) : json(401, { code: 'INVALID_CREDENTIALS' });
      answer(response, request);
      return;
    }
    request.setEncoding('utf8').once('data', (form: string) => state.forms.push(form));
    issued += 1;
    const token = { access_token: `t${issued}`, token_type: 'bearer', expires_in: 14_400 };
    (tokens[issued - 1] ?? json(200, token))(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const timers = new ManualTimers();
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const upstream = new Upstream('hmrc', { clock, metrics: createMetrics() });
  const token = new HmrcToken({ upstream, url, clientId: 'app', clientSecret, timers });
  const client = new RegistryClient(hmrc, upstream, { url, authorization: token });
  onTestFinished(async () => {
    await upstream.close();
    await server[Symbol.asyncDispose]();
  });
  const ask = async () => {
    const signal = new AbortController().signal;
    const question = alone({ registryCode: 'GB', number: '553557881' });
    return (await client.ask(question, { deadlineMs: 5_000, signal })).outcome;
  };
  return { ask, timers, upstream, token, state, issued: () => issued };
}

const valid = { kind: 'answered', answer: { valid: true } };
const refused = { kind: 'failed', failure: 'credentialsRefused' };
const down = { kind: 'serviceUnavailable', because: 'down' };

describe('the token of HMRC (rule M8)', () => {
  it('is one for 200 questions at a time, and is renewed once at 80 % of its time', async () => {
    const { ask, timers, issued, state } = await open();
    const askAll = async () => Promise.all(Array.from({ length: 200 }, ask));

    const first = await askAll();
    timers.advance(14_400_000 * 0.8 - 1);
    await ask();
    const before = issued();
    timers.advance(1);
    const second = await askAll();

    expect([...first, ...second].every(({ kind }) => kind === 'answered')).toBe(true);
    expect([before, issued()]).toEqual([1, 2]);
    expect(Object.fromEntries(new URLSearchParams(state.forms[0]))).toEqual({
      grant_type: 'client_credentials',
      scope: 'read:vat',
      client_id: 'app',
      client_secret: 's3cret',
    });
  });

  it('is renewed once after a 401 in the middle, for all who are refused', async () => {
    const { ask, timers, issued, state } = await open();
    await ask();
    timers.advance(60_000);
    state.accepted = (token) => token === 'Bearer t2';

    const outcomes = await Promise.all(Array.from({ length: 200 }, ask));

    expect(outcomes.every(({ kind }) => kind === 'answered')).toBe(true);
    expect(issued()).toBe(2);
  });

  it('is not asked for more than once in a minute if HMRC refuses every token', async () => {
    const { ask, timers, issued, state } = await open();
    state.accepted = () => false;

    const outcomes = [await ask(), await ask()];
    const within = issued();
    timers.advance(60_000);
    await ask();

    expect(outcomes).toEqual([refused, refused]);
    expect([within, issued()]).toEqual([1, 2]);
  });

  it.each<[string, Answer, object]>([
    ['a refused client', refusal, refused],
    ['another 4xx', json(400, {}), refused],
    ['too many requests', json(429, {}), down],
    ['an error', json(503, {}), down],
    [
      'a token of another type',
      json(200, { access_token: 'x', token_type: 'mac', expires_in: 9 }),
      down,
    ],
    ['no time', json(200, { access_token: 'x', token_type: 'bearer' }), down],
    ['a line feed', json(200, { access_token: 'x\ny', token_type: 'bearer', expires_in: 9 }), down],
    ['a broken connection', (response) => void response.destroy(), down],
  ])('is none for a minute after %s, and then asked for again', async (_, answer, outcome) => {
    const { ask, timers, issued } = await open([answer]);

    const during = [await ask(), await ask()];
    timers.advance(60_000);

    expect(during).toEqual([outcome, outcome]);
    expect(await ask()).toMatchObject(valid);
    expect(issued()).toBe(2);
  });

  it('still serves until its end if it cannot be renewed', async () => {
    const fine = json(200, { access_token: 't2', token_type: 'bearer', expires_in: 14_400 });
    const { ask, timers, state } = await open([fine, json(503, {}), json(503, {})]);
    state.accepted = (token) => token === 'Bearer t2';
    await ask();
    timers.advance(14_400_000 * 0.9);

    expect(await ask()).toMatchObject(valid);
    timers.advance(14_400_000 * 0.1);
    expect(await ask()).toEqual(down);
  });

  it('holds while it is renewed, and a question that waits for it has its own time', async () => {
    const held: ServerResponse[] = [];
    const hold: Answer = (response) => void held.push(response);
    const { timers, token, issued } = await open([
      json(200, { access_token: 't1', token_type: 'bearer', expires_in: 14_400 }),
      hold,
    ]);
    const headers = async (signal = new AbortController().signal) =>
      token.headers({ deadlineMs: 5_000, signal });
    const first = await headers();
    timers.advance(14_400_000 * 0.9);

    expect(await headers()).toBe(first);
    await eventually(() => held.length === 1);
    timers.advance(14_400_000 * 0.1);
    const stopped = new AbortController();
    const [patient, cut] = [headers(), headers(stopped.signal)];
    stopped.abort();
    expect(await cut).toEqual({ kind: 'failed', failure: 'unreachable' });
    timers.advance(5_000);
    expect(await patient).toEqual({ kind: 'timedOut' });

    const last = headers();
    held[0]?.end('{"access_token":"t2","token_type":"bearer","expires_in":14400}');
    expect(await last).toEqual({ authorization: 'Bearer t2' });
    expect(issued()).toBe(2);
  });

  it('is a failure of HMRC in /status if it is refused, without token and secret', async () => {
    const body = { access_token: 's3cret', token_type: 'mac', expires_in: 9 };
    const { ask, timers, upstream } = await open([refusal, json(200, body)]);

    await ask();
    expect(upstream.health.lastFailure).toEqual({
      kind: 'refused',
      message: 'hmrc: token: HTTP 401; check HMRC_CLIENT_ID and HMRC_CLIENT_SECRET',
    });
    timers.advance(60_000);
    await ask();
    expect(upstream.health).toMatchObject({ lastFailure: { kind: 'schema' }, failures: 2 });
    expect(JSON.stringify(upstream.health)).not.toContain('s3cret');
  });

  it('is requested with the secret that its file has now', async () => {
    const files = ['first', 'second'];
    const read = () => new Secret(files.shift() ?? '', '(set)');
    const { ask, timers, state } = await open(
      [refusal, refusal],
      new Secret('', '(set)').ofFile(read),
    );

    await ask();
    timers.advance(60_000);
    await ask();

    const sent = state.forms.map((form) => new URLSearchParams(form).get('client_secret'));
    expect(sent).toEqual(['first', 'second']);
  });
});
