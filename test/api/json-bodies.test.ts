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
  async function post(body?: string, headers: Record<string, string> = {}) {
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
    ['behind a byte order mark', `\uFEFF${valid}`],
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
      'application/json; charset=iso-8859-1',
      'text/plain',
      '',
      '/',
      'json',
    ].map((type) => ({ 'content-type': type })),
  ])('is read with any Content-Type: %j', async (headers) => {
    expect((await post(valid, headers)).status).toBe(201);
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
