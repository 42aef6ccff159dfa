import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { expect, describe, it } from 'vitest';
import { openLimited } from '../../../test/support/open-limited.ts';
import { nextTurn, Wire } from '../../../test/support/wire.ts';

const requestText = (name: number | string): string => `GET /${name} HTTP/1.1\r\nHost: x\r\n\r\n`;
const numbersOf = (received: string): number[] =>
  [...received.matchAll(/answer (\d+)/g)].map(([, number]) => Number(number));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** A listener whose answers the test sends, and which counts the requests under way. */
function holdAnswers() {
  const held: (() => void)[] = [];
  const answers = { most: 0, begun: 0, isOpen: false, open: () => {} };
  const listener: RequestListener = (request, response) => {
    const answer = (): unknown => response.end(`answer ${request.url?.slice(1)}`);
    answers.begun += 1;
    if (answers.isOpen) return void answer();
    held.push(answer);
    answers.most = Math.max(answers.most, held.length);
  };
  answers.open = () => {
    answers.isOpen = true;
    for (const answer of held) answer();
  };
  return { answers, listener };
}

describe('requests that are sent ahead (RFC 9112 §9.3.2)', () => {
  it('are begun 16 at a time, and all are answered in order', async () => {
    const { answers, listener } = holdAnswers();
    const { port } = await openLimited(listener);
    const wire = await Wire.open(`http://127.0.0.1:${port}`);

    await wire.sendApart(upTo(100).map(requestText).join(''));
    await expect.poll(() => answers.begun).toBeGreaterThanOrEqual(16);
    // Each turn of the event loop would begin another one.
    for (const _ of upTo(200)) await nextTurn();
    answers.open();
    await wire.answers(100);

    expect(answers.most).toBe(16);
    expect(numbersOf(wire.received)).toEqual(upTo(100));
  });

  it('are read while fewer are under way, and so are later ones', async () => {
    const { answers, listener } = holdAnswers();
    const { port } = await openLimited(listener);
    const wire = await Wire.open(`http://127.0.0.1:${port}`);

    for (const number of upTo(20)) wire.send(requestText(number));
    await expect.poll(() => answers.begun).toBe(16);
    wire.send(requestText(20));
    answers.open();
    await wire.answers(21);

    expect(numbersOf(wire.received)).toEqual(upTo(21));
  });

  it('are answered if the client ends its side after them', async () => {
    const { answers, listener } = holdAnswers();
    const { port } = await openLimited(listener);
    const wire = await Wire.open(`http://127.0.0.1:${port}`);

    wire.send(upTo(40).map(requestText).join(''));
    wire.socket.end();
    await expect.poll(() => answers.begun).toBe(16);
    answers.open();
    await wire.until(() => wire.isEnded);

    expect(numbersOf(wire.received)).toEqual(upTo(40));
  });

  it('may have bodies, with empty lines in them', async () => {
    const bodies: string[] = [];
    const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      let body = '';
      for await (const part of request) body += String(part);
      bodies.push(body);
      response.end(`answer ${bodies.length - 1}`);
    };
    const { port } = await openLimited((...asked) => void listener(...asked));
    const wire = await Wire.open(`http://127.0.0.1:${port}`);
    const body = `a\r\n\r\n${requestText('not')}b\r\n\r\n`;
    const post = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

    wire.send(post.repeat(30));
    await wire.answers(30);

    expect(bodies).toEqual(Array(30).fill(body));
  });

  it('do not delay the body of a request that is the only one under way', async () => {
    const limits = { underWayInAllMax: 0 };
    const { port } = await openLimited(
      (request, response) => {
        request.resume().once('end', () => response.end('answer 1'));
      },
      { limits },
    );
    const wire = await Wire.open(`http://127.0.0.1:${port}`);

    await wire.sendApart('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab');
    wire.send(`cd${requestText(2)}`);
    await wire.answers(2);

    expect(numbersOf(wire.received)).toEqual([1, 1]);
  });

  it('are begun one by one while too many are under way on all connections', async () => {
    const { answers, listener } = holdAnswers();
    const { port } = await openLimited(listener, { limits: { underWayInAllMax: 20 } });
    const wires = await Promise.all(
      upTo(10).map(async () => Wire.open(`http://127.0.0.1:${port}`)),
    );

    await Promise.all(
      wires.map(async (wire) => wire.sendApart(upTo(10).map(requestText).join(''))),
    );
    await expect.poll(() => answers.begun).toBeGreaterThanOrEqual(20);
    const mostAtFirst = answers.most;
    answers.open();
    await Promise.all(wires.map(async (wire) => wire.answers(10)));

    expect(mostAtFirst).toBeLessThanOrEqual(20 + wires.length);
    for (const wire of wires) expect(numbersOf(wire.received)).toEqual(upTo(10));
  });

  it('are not begun while answers are unsent, and are when the client reads', async () => {
    let begun = 0;
    const { port, dial } = await openLimited((_request, response) => {
      begun += 1;
      response.end(Buffer.alloc(1_000_000));
    });
    const { client } = await dial();
    client.pause();

    client.write(requestText(1).repeat(60));
    await expect.poll(() => begun).toBeGreaterThan(1);
    const other = await Wire.open(`http://127.0.0.1:${port}`);
    other.send(requestText(2));
    await other.answers(1);
    const begunUnread = begun;
    client.resume();
    await expect.poll(() => begun, { timeout: 20_000 }).toBe(61);

    expect(begunUnread).toBeLessThan(40);
  });
});
