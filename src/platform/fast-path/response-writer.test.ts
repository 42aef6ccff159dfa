import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { PreparedResponse } from '../http/responses/prepared-response.ts';
import { ApiError } from '../http/responses/api-errors.ts';
import { formatRequestId } from '../http/server/request-id.ts';
import { createRepresentation, withoutValidator } from '../http/responses/representation.ts';
import { ResponseWriter } from './response-writer.ts';

/** A socket without a connection, and the text that is written to it. */
function openSocket(): { readonly socket: Socket; readonly taken: () => string } {
  const socket = new Socket();
  let text = '';
  socket.write = (bytes: string | Buffer) => {
    text += typeof bytes === 'string' ? bytes : bytes.toString('latin1');
    return true;
  };
  return { socket, taken: () => text };
}

const open = (): { readonly clock: SettableClock; readonly writer: ResponseWriter } => {
  const clock = new SettableClock('2026-11-20T16:00:00.999Z');
  return { clock, writer: new ResponseWriter({ clock, keepAliveSeconds: 65, fixedFields: {} }) };
};
const found = { representation: createRepresentation('"é"'), cacheControl: 'public' };
const { etag } = found.representation;

const head = (line: string, id: number, fields: string, date = 'Fri, 20 Nov 2026 16:00:00 GMT') =>
  `HTTP/1.1 ${line}\r\nx-request-id: ${formatRequestId(id)}\r\n${fields}Date: ${date}\r\n` +
  'Connection: keep-alive\r\nKeep-Alive: timeout=65\r\n\r\n';
const own = `etag: ${etag}\r\ncache-control: public\r\n`;
const ofBody = 'content-type: application/json; charset=utf-8\r\ncontent-length: 4\r\n';

describe.each(['writeAgain', 'writeOnce'] as const)('ResponseWriter.%s', (write) => {
  it('writes head and body as bytes, each time with the current id and date', () => {
    const { clock, writer } = open();
    const answer = new PreparedResponse('/x', found);
    const { socket, taken } = openSocket();

    const statuses = [writer[write](socket, answer, { number: 1, ifNoneMatch: undefined })];
    clock.set('2026-12-01T00:00:00Z');
    statuses.push(writer[write](socket, answer, { number: 46_655, ifNoneMatch: '"other"' }));

    const body = Buffer.from('"é"').toString('latin1');
    expect(statuses).toEqual([200, 200]);
    expect(taken()).toBe(
      head('200 OK', 1, own + ofBody) +
        body +
        head('200 OK', 46_655, own + ofBody, 'Tue, 01 Dec 2026 00:00:00 GMT') +
        body,
    );
  });

  it('writes a 304 to a caller that has the body, and a 200 to the next one', () => {
    const { writer } = open();
    const answer = new PreparedResponse('/x', found);
    const { socket, taken } = openSocket();

    const statuses = [etag, undefined, '*'].map((ifNoneMatch, at) =>
      writer[write](socket, answer, { number: at, ifNoneMatch }),
    );

    expect(statuses).toEqual([304, 200, 304]);
    const body = Buffer.from('"é"').toString('latin1');
    expect(taken()).toBe(
      head('304 Not Modified', 0, own) +
        head('200 OK', 1, own + ofBody) +
        body +
        head('304 Not Modified', 2, own),
    );
  });

  it('never writes a 304 for a body without a validator', () => {
    const { writer } = open();
    const answer = new PreparedResponse('/x', { ...found, representation: withoutValidator('{}') });
    const { socket, taken } = openSocket();

    const status = writer[write](socket, answer, { number: 0, ifNoneMatch: '*' });

    expect([status, taken().includes('etag')]).toEqual([200, false]);
  });
});

describe('ResponseWriter.writeError', () => {
  it('writes status, headers and text of the error', () => {
    const { writer } = open();
    const { socket, taken } = openSocket();

    writer.writeError(socket, new ApiError('invalidDate', { link: '</x>' }), 7);

    const body = Buffer.from('{"error":"invalid \'date\' — expected YYYY-MM-DD"}').toString(
      'latin1',
    );
    expect(taken()).toBe(
      head(
        '400 Bad Request',
        7,
        'link: </x>\r\ncache-control: no-store\r\n' +
          `content-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\n`,
      ) + body,
    );
  });
});
