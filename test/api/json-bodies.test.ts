import { describe, expect, it } from 'vitest';
import { errorForm, formOf } from '../support/error-form.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { shareService } from '../support/start-service.ts';
import { addSubscriber } from '../webhooks/support/subscriber.ts';
import { addCaller } from './support/caller.ts';

const url = 'https://198.100.0.1/';
const valid = JSON.stringify({ url });
const bodyBytesMax = 65_536;

describe('a JSON body (contract C2)', () => {
  const service = shareService();

  /** Creates a subscription with exactly this body. */
  async function post(body?: string | Uint8Array, headers: Record<string, string> = {}) {
    const caller = await addCaller(service());
    const question = { method: 'POST', path: '/webhooks', headers };
    return caller.sendRequest(body === undefined ? question : { ...question, body });
  }

  it.each([
    ['cut off', '{"url":"https://198.100.0.1/"'],
    ['followed by something', `${valid}x`],
    ['two documents', `${valid}${valid}`],
    ['with a comma too many', `{"url":"${url}",}`],
    ['in single quotes', `{'url':'${url}'}`],
    ['a form', `url=${encodeURIComponent(url)}`],
    ['XML', '<url/>'],
    ['behind two byte order marks', `\uFEFF\uFEFF${valid}`],
    ['NaN', 'NaN'],
    ['blank', ' \n'],
    ['with a raw control character in a text', `{"url":"${url}\n"}`],
  ])('that is not JSON is 400: %s', async (_what, body) => {
    expect(formOf(await post(body))).toEqual(errorForm(400, 'invalid JSON body'));
  });

  it.each([
    ['empty', ''],
    ['not there', undefined],
    ['null', 'null'],
    ['a list', `[${valid}]`],
    ['a text', JSON.stringify(url)],
    ['a deep list', '['.repeat(30_000) + ']'.repeat(30_000)],
  ])('that is not an object is 400: %s', async (_what, body) => {
    expect(formOf(await post(body))).toEqual(
      errorForm(400, "invalid 'body' — expected a JSON object"),
    );
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'with the field %s has an unknown field, and changes no prototype',
    async (name) => {
      const answer = await post(`{"url":"${url}","${name}":{"description":"x"}}`);

      expect(formOf(answer)).toEqual(errorForm(400, `unknown field '${name}'`));
      expect((await post(valid)).text).toContain('"description":null');
    },
  );

  it('that names a field twice is read with the last value', async () => {
    const answer = await post(`{"url":1,"description":"a","url":"${url}","description":"b"}`);
    const refused = await post(`{"url":"${url}","url":1}`);

    expect(JSON.parse(answer.text)).toMatchObject({ url, description: 'b' });
    expect(formOf(refused)).toEqual(errorForm(400, "invalid 'url' — expected an https URL"));
  });

  it.each<Record<string, string>>([
    {},
    ...[
      'application/json',
      'application/json; charset=utf-8',
      'application/json;CHARSET="UTF8"',
      `application/json; charset='Utf-8'; x="; charset=latin1"`,
      'application/json; charset=',
      'text/plain',
      'text/csv',
      '',
      '/',
      'json',
    ].map((type) => ({ 'content-type': type })),
  ])('is read with any Content-Type: %j', async (headers) => {
    expect((await post(valid, headers)).status).toBe(201);
  });

  it('behind a byte order mark is read', async () => {
    expect((await post(`\uFEFF${valid}`)).status).toBe(201);
  });

  it('of exactly 64 KB is read, and one more byte is 413', async () => {
    const full = await post(valid.padEnd(bodyBytesMax));
    const more = await post(valid.padEnd(bodyBytesMax + 1));
    // Measured in bytes, not in letters.
    const letters = await post(JSON.stringify('é'.repeat(bodyBytesMax / 2)));

    expect(full.status).toBe(201);
    expect(formOf(more)).toEqual(errorForm(413, 'body too large'));
    expect(letters.status).toBe(413);
  });

  it.each([
    ['of 64 KB', bodyBytesMax, 201],
    ['of one more byte', bodyBytesMax + 1, 413],
    ['of none', 0, 400],
  ])('in chunks %s is answered: %i bytes, %i', async (_what, bytes, status) => {
    const { key } = await addCaller(service());
    const connection = await RawConnection.open(service().apiUrl);
    const chunk = bytes === 0 ? '' : `${bytes.toString(16)}\r\n${valid.padEnd(bytes)}\r\n`;

    connection.send(
      `POST /webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`,
    );

    expect((await connection.read())?.status).toBe(status);
  });

  it('that is not announced is none, whatever Content-Type stands beside it', async () => {
    const { key, ...caller } = await addSubscriber(service());
    const { id } = await caller.done<{ id: string }>('POST', '/webhooks', { url });
    const connection = await RawConnection.open(service().apiUrl);

    for (const [line, status] of [
      ['POST /webhooks', 400],
      [`POST /webhooks/${id}/test`, 202],
      [`DELETE /webhooks/${id}`, 204],
    ] as const) {
      connection.send(
        `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
          'Content-Type: application/json\r\n\r\n',
      );
      expect([line, (await connection.read())?.status]).toEqual([line, status]);
    }
  });

  it('that is broken is 400 also on a route that reads no body', async () => {
    const subscriber = await addSubscriber(service());
    const { id } = await subscriber.done<{ id: string }>('POST', '/webhooks', { url });

    const answers = [
      await subscriber.sendRequest({ method: 'POST', path: `/webhooks/${id}/test`, body: '{' }),
      await subscriber.sendRequest({ method: 'DELETE', path: `/webhooks/${id}`, body: '{' }),
    ];

    expect(answers.map(formOf)).toEqual(Array(2).fill(errorForm(400, 'invalid JSON body')));
  });

  it.each([
    ['half a surrogate pair', '\\ud800'],
    ['a NUL', '\\u0000'],
    ['letters of all kinds', 'é 漢 🧾 \\u202e'],
  ])('keeps a text in its answer as it was sent: %s', async (_what, text) => {
    const subscriber = await addSubscriber(service());
    const body = `{"url":"${url}","description":"${text}"}`;

    const created = await subscriber.sendRequest({ method: 'POST', path: '/webhooks', body });
    const found = await subscriber.get(String(created.headers['location']));

    const { secret: _secret, ...shown } = JSON.parse(created.text) as { secret: string };
    expect(JSON.parse(found.text)).toEqual(shown);
  });
});

describe('the bytes of a body, on each route that takes one (rule K4)', () => {
  const service = shareService();
  const check = { countryCode: 'AT', vatNumber: 'U99999901', reference: 'Müller' };
  const subscription = { url, description: 'Müller' };
  /** Each route with a body that it accepts. */
  const routes: readonly (readonly [method: string, path: string, body: object])[] = [
    ['POST', '/vatchecks', check],
    ['POST', '/vatchecks/batch', { checks: [check] }],
    ['PUT', '/vatwatches/AT/U99999901', { reference: 'Müller' }],
    ['POST', '/webhooks', subscription],
    ['PATCH', '/webhooks/{id}', { description: 'Müller' }],
    ['POST', '/webhooks/{id}/rotate-secret', { overlapHours: 1 }],
    ['POST', '/webhooks/{id}/test', { note: 'Müller' }],
    ['DELETE', '/webhooks/{id}', { note: 'Müller' }],
  ];

  /** Sends bytes to a route, with a subscription of a caller of its own. */
  async function send(method: string, path: string, body: Uint8Array, type?: string) {
    const caller = await addSubscriber(service(), { scopes: ['webhooks', 'checks'] });
    const { id } = await caller.done<{ id: string }>('POST', '/webhooks', { url });
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await caller.sendRequest({
      method,
      path: path.replace('{id}', id),
      headers,
      body,
    });
    return { answer, caller };
  }
  /** In a batch the error names its line. */
  const invalid = (path: string) =>
    errorForm(400, `${path === '/vatchecks/batch' ? 'line 1: ' : ''}invalid JSON body`);

  it.each(routes)('%s %s refuses those that are not UTF-8', async (method, path, body) => {
    const text = JSON.stringify({ ...body, x: 'Müller' });
    const bytes = ['latin1', 'utf16le'].map((encoding) => Buffer.from(text, encoding as 'latin1'));
    // Half of a pair of surrogates, and a character that is cut off.
    const odd = ['\xed\xa0\x80', '\xc3'].map((one) => Buffer.from(`{"x":"${one}"}`, 'latin1'));

    for (const refused of [...bytes, ...odd]) {
      const { answer } = await send(method, path, refused, 'application/json; charset=utf-8');
      // UTF-16 is UTF-8 as well if it has ASCII alone, and then no JSON.
      expect(formOf(answer)).toEqual(invalid(path));
    }
  });

  it.each(routes)('%s %s refuses another charset before it reads them', async (...of) => {
    const [method, path, body] = of;
    const whole = Buffer.from(JSON.stringify(body));
    const types = ['iso-8859-1', '"windows-1252"', 'US-ASCII', 'utf-16', 'utf-8; charset=latin1'];

    for (const charset of types) {
      const type = `application/json; charset=${charset}`;
      const answers = [
        await send(method, path, whole, type),
        await send(method, path, Buffer.from('{"x":"\xfc', 'latin1'), type),
      ];
      expect(answers.map(({ answer }) => formOf(answer))).toEqual(
        Array(2).fill(errorForm(415, 'unsupported charset — expected UTF-8')),
      );
    }
  });

  it.each(routes)('%s %s keeps those that are', async (method, path, body) => {
    const { answer } = await send(method, path, Buffer.from(`\uFEFF${JSON.stringify(body)}`));

    expect(answer.status).toBeLessThan(300);
  });
});

describe('two bodies with one Idempotency-Key (rule K4)', () => {
  const service = shareService();
  const headers = { 'idempotency-key': 'order 1' };
  const check = { countryCode: 'AT', vatNumber: 'U99999901' };
  const named = (name: string) => JSON.stringify({ ...check, trader: { name } });

  it('are never one check because their bytes cannot be read', async () => {
    const caller = await addCaller(service());
    const post = async (body: string | Uint8Array) =>
      caller.sendRequest({ method: 'POST', path: '/vatchecks', headers, body });

    const broken = [
      await post(Buffer.from(named('Müller'), 'latin1')),
      await post(Buffer.from(named('Möller'), 'latin1')),
    ];
    const right = [await post(named('Müller')), await post(named('Möller'))];

    expect(broken.map(({ status }) => status)).toEqual([400, 400]);
    expect(right.map(({ status }) => status)).toEqual([201, 409]);
  });

  it.each([
    ['/vatchecks', named('Müller')],
    ['/vatchecks/batch', `{"checks":[${named('Müller')}]}`],
  ])('are one if they have the same values: %s', async (path, body) => {
    const caller = await addCaller(service());
    const post = async (sent: string) =>
      caller.sendRequest({ method: 'POST', path, headers, body: sent });
    const spelled = body.replace('ü', '\\u00fc').replaceAll(':', ' : ');
    const turned = body.replace('"countryCode":"AT","vatNumber":"U99999901"', (both) =>
      both.split(',').toReversed().join(','),
    );

    const [first, ...same] = [
      await post(body),
      await post(`\uFEFF${body}`),
      await post(spelled),
      await post(turned),
    ];
    const other = await post(body.replace('ü', '\uFFFD'));

    const location = first.headers['location'];
    expect(location).toMatch(/^\/vatchecks\/./);
    expect(same.map((answer) => answer.headers['location'])).toEqual(Array(3).fill(location));
    expect(other.status).toBe(409);
  });
});
