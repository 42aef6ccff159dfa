import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addCaller } from '../api/support/caller.ts';
import type { Answer } from '../support/send-request.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { shareService, startService } from '../support/start-service.ts';
import { shareWebhooks } from '../webhooks/support/start-webhooks.ts';
import { addSubscriber, type Subscriber } from '../webhooks/support/subscriber.ts';
import { refusedCategoryReads } from './support/category-questions.ts';
import { eventReads } from './support/event-questions.ts';
import { problemsOf } from './support/answer-check.ts';
import { Document, type Part } from './support/document.ts';
import { Judge } from './support/judge.ts';
import { testStoredChecks } from './support/stored-check-answers.ts';
import { testWatches } from './support/watch-answers.ts';
import {
  checks,
  publicOperations,
  questionOf,
  reads,
  readsWithoutData,
  validated,
  webhookCalls,
  ofBanks,
  banksEnabled,
} from './support/questions.ts';
import { print, RawRegistry } from '../vat-check/support/raw-registry.ts';
import { answerText } from '../vat-check/support/vies-texts.ts';
import { changeRate, setViesFault } from '../support/sandbox/scripts.ts';

const document = new Document();
const lived = ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'];

const judged = new Judge(document);
const judge: Judge['judge'] = (...answer) => judged.judge(...answer);

describe('an answer of a service with data is as in openapi.json', () => {
  const service = shareService({
    lived,
    config: banksEnabled,
    script: (scenario) => changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-20'),
  });

  it.each([...reads, ...eventReads])('%i to %s', async (status, path) => {
    expect(judge('GET', path, await service().get(path))).toEqual([status, []]);
  });

  it.each(validated)('304 to %s', async (path) => {
    const answer = await service().get(path, { 'if-none-match': '*' });

    expect(judge('GET', path, answer)).toEqual([304, []]);
  });

  it.each(checks)('%i to /vatcheck/%s', async (status, number) => {
    const path = `/vatcheck/${number}`;

    expect(judge('GET', path, await service().get(path))).toEqual([status, []]);
  });

  it.each(['html', 'reset', 'truncated'] as const)(
    '502 to a check whose answer is %s',
    async (fault) => {
      setViesFault(service().scenario, fault);
      const path = '/vatcheck/FI/99999901';

      const answer = await service().get(path);
      setViesFault(service().scenario, 'none');

      expect(judge('GET', path, answer)).toEqual([502, []]);
    },
  );

  it('502 to a check that the registry does not answer', async () => {
    const path = '/vatcheck/FI/99999901';
    const alone = await startService({ config: { viesUrl: 'http://127.0.0.1:1/' } });

    expect(judge('GET', path, await alone.get(path))).toEqual([502, []]);
  });

  it('502 to a check whose answer is about another number', async () => {
    const path = '/vatcheck/FI/99999901';
    const answer = answerText({ countryCode: 'FI', vatNumber: '99999902' });
    const registry = await RawRegistry.start((socket) => socket.end(print(200, answer)));
    onTestFinished(async () => registry[Symbol.asyncDispose]());
    const other = await startService({ config: { viesUrl: registry.url } });

    expect(judge('GET', path, await other.get(path))).toEqual([502, []]);
  });

  it('410 to a cursor whose events are deleted', async () => {
    const old = await startService({ lived });
    const { text } = await old.get('/events?after=now');
    const { nextCursor } = JSON.parse(text) as { readonly nextCursor: string };
    await old.core.db.updateTable('event_log').set({ deleted_position: 1_000 }).execute();
    const path = `/events?after=${nextCursor}`;

    expect(judge('GET', path, await old.get(path))).toEqual([410, []]);
  });

  it('400 to a subscription with a URL that is not https', async () => {
    const subscriber = await addSubscriber(service());
    const answer = await subscriber.send('POST', '/webhooks', { url: 'http://shop.example/' });

    expect(judge('POST', '/webhooks', answer)).toEqual([400, []]);
  });

  it('405 and 404 are in its description, errors of the HTTP parser among its components', async () => {
    const { responses } = document.whole['components'] as { readonly responses: Part };
    const put = await service().sendRequest({
      method: 'PUT',
      path: '/rates',
      headers: { authorization: `Bearer ${service().key}` },
    });
    const nowhere = await service().get('/nowhere');
    const long = await service().get(`/rates?${'x'.repeat(8_200)}`);
    const large = await service().get('/rates', { 'x-large': 'x'.repeat(20_000) });

    for (const answer of [put, nowhere]) {
      expect(problemsOf(document, document.unknownRouteResponses, answer)).toEqual([]);
    }
    for (const [answer, name] of [
      [long, 'UrlTooLong'],
      [large, 'HeadersTooLarge'],
    ] as const) {
      expect(problemsOf(document, { [answer.status]: responses[name] }, answer)).toEqual([]);
    }
  });
});

describe('an answer of a service without data is as in openapi.json', () => {
  const service = shareService({ config: banksEnabled });

  it.each(readsWithoutData)('%i to %s', async (status, path) => {
    expect(judge('GET', path, await service().get(path))).toEqual([status, []]);
  });
});

describe('an answer of a service without goods categories and banks is as in openapi.json', () => {
  const service = shareService({ lived });
  beforeAll(async () => {
    await service().core.db.deleteFrom('rate_categories').execute();
  });

  it.each([...refusedCategoryReads, ...ofBanks])('404 to %s', async (path) => {
    expect(judge('GET', path, await service().get(path))).toEqual([404, []]);
  });
});

describe('an answer about webhooks is as in openapi.json', () => {
  const service = shareWebhooks({ lived });
  let subscriber: Subscriber;
  let path = '';
  let delivery = '';
  beforeAll(async () => {
    subscriber = await addSubscriber(service());
    const { id } = await subscriber.subscribe('shop');
    path = `/webhooks/${id}`;
    const sent = await subscriber.done<{ id: string }>('POST', `${path}/test`);
    delivery = sent.id;
  });

  it.each(webhookCalls)('$status to $method $target $body', async (call) => {
    const { status, method, target, body } = call;
    const filled = target.replace('{id}', path.slice(10)).replace('{deliveryId}', delivery);

    expect(judge(method, filled, await subscriber.send(method, filled, body))).toEqual([
      status,
      [],
    ]);
  });

  it('409 to one subscription too many', async () => {
    const url = 'https://198.100.0.1/';
    const other = await addSubscriber(service());
    for (let made = 0; made < 10; made += 1) await other.done('POST', '/webhooks', { url });

    expect(judge('POST', '/webhooks', await other.send('POST', '/webhooks', { url }))).toEqual([
      409,
      [],
    ]);
  });

  it.each(document.operations.filter(({ method }) => method !== 'GET'))(
    '400, 413 and 415 to a body that $id does not accept',
    async ({ id, method, path }) => {
      const target = path.replace('{country}/{vat}', 'AT/U99999901').replaceAll(/\{\w+\}/g, 'x');
      const tooLong = id === 'createBatch' ? 1_048_577 : 65_537;
      for (const [status, body, charset] of [
        [400, '{', 'utf-8'],
        [413, ' '.repeat(tooLong), 'utf-8'],
        [415, '{}', 'iso-8859-1'],
      ] as const) {
        const headers = { 'content-type': `application/json; charset=${charset}` };
        const answer = await subscriber.sendRequest({ method, path: target, headers, body });

        expect(judge(method, target, answer)).toEqual([status, []]);
      }
    },
  );
});

testStoredChecks(judge);
testWatches(judge);

describe('the answer to a refused request is as in openapi.json', () => {
  const service = shareService({ lived, config: { failedAuthPerMinute: 1_000 } });
  const keyed = document.operations.filter(({ id }) => !publicOperations.includes(id));
  const charged = keyed.filter(({ id }) => id !== 'getUsage');
  it.each(keyed)('401 from $id', async (operation) => {
    const question = questionOf(operation);

    expect(judge(question.method, question.path, await service().sendRequest(question))).toEqual([
      401,
      [],
    ]);
  });

  it.each(keyed)('403 from $id, to a key without its scope', async (operation) => {
    const question = questionOf(operation);
    // Operations of stored checks and of watches need `checks`, all others another one.
    const scopes = /^\/vat(checks|watches)/.test(operation.path)
      ? (['read'] as const)
      : (['checks'] as const);
    const caller = await addCaller(service(), { scopes });

    expect(judge(question.method, question.path, await caller.sendRequest(question))).toEqual([
      403,
      [],
    ]);
  });

  const takesQuota = ({ part }: { readonly part: Part }): boolean => {
    const refusals = document.errorsOf((part['responses'] as Part)['429']);
    return refusals.includes('QUOTA_EXCEEDED');
  };
  const takes = (part: Part, error: string): boolean =>
    JSON.stringify(document.resolve((part['responses'] as Part)['400'])).includes(error);
  const strict = keyed.filter(({ part }) => takes(part, 'unknown parameter'));
  const withFields = keyed.filter(({ part }) => takes(part, 'unknown field'));

  it.each(strict)('400 from $id to an unknown parameter', async (operation) => {
    const { method, path } = questionOf(operation);
    const target = `${path}${path.includes('?') ? '&' : '?'}x=1`;
    const headers = { authorization: `Bearer ${service().key}` };

    expect(
      judge(method, target, await service().sendRequest({ method, path: target, headers })),
    ).toEqual([400, []]);
  });

  it.each(withFields)('400 from $id to an unknown field', async (operation) => {
    const { method, path } = questionOf(operation);
    const headers = { authorization: `Bearer ${service().key}` };
    const answer = await service().sendRequest({ method, path, headers, body: '{"x":1}' });

    expect(judge(method, path, answer)).toEqual([400, []]);
  });

  it.each(charged)('429 from $id, for either limit', async (operation) => {
    const question = questionOf(operation);
    // Some operations count against the rate limit only.
    const both = [{ rateLimit: 1 }, { rateLimit: 'none', quota: 1 }] as const;
    for (const limits of takesQuota(operation) ? both : both.slice(0, 1)) {
      const caller = await addCaller(service(), limits);
      await caller.get('/rates');

      expect(judge(question.method, question.path, await caller.sendRequest(question))).toEqual([
        429,
        [],
      ]);
    }
  });

  const limited = { '/usage': 1, '/evidence/keys': 600, '/openapi.json': 600 };
  it.each(Object.entries(limited))('429 from %s, after %i without a key', async (path, times) => {
    const strict = await startService({ config: { failedAuthPerMinute: 1 } });
    for (let count = 0; count < times; count += 1) await strict.sendRequest({ path });

    expect(judge('GET', path, await strict.sendRequest({ path }))).toEqual([429, []]);
  });

  it.each(document.operations)('400 from $id to malformed HTTP', async (operation) => {
    const { method, path } = questionOf(operation);
    const connection = await RawConnection.open(service().apiUrl);
    connection.send(`${method} ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`);

    const { status, headers, text } = (await connection.read()) ?? { headers: new Map() };
    const answer = { status: Number(status), headers: Object.fromEntries(headers), text };

    expect(judge(method, path, answer as Answer)).toEqual([400, []]);
  });
});

describe('openapi.json', () => {
  /** Answers that need a failure of the parser or of the machine; other suites test them. */
  const elsewhere = / (408|414|417|431|500) | temporarily unavailable$| not decidable$/;

  it('documents only answers that these tests received', () => {
    expect(judged.unseen.filter((one) => !elsewhere.test(one))).toEqual([]);
  });
});
