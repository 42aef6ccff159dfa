import { describe, expect, it } from 'vitest';
import { unlimitedCaller, requestFor, OpenFastPath } from '../../../test/support/open-fast-path.ts';
import type { Admitted } from './admission.ts';
import { publicResult } from '../http/responses/prepared-response.ts';
import { ApiError } from '../http/responses/api-errors.ts';
import { createRepresentation } from '../http/responses/representation.ts';

const thing = (name: string) => publicResult(createRepresentation(`"${name}"`), 'changes');
const bodiesOf = (bytes: string): string[] => bytes.match(/(?<=\r\n\r\n)[^\r]*?(?=HTTP|$)/g) ?? [];

/** A promise that a test resolves, and the number of callers that wait for it. */
function held<T>(): {
  readonly give: (value: T) => void;
  readonly get: () => Promise<T>;
  asked: number;
} {
  const { promise, resolve } = Promise.withResolvers<T>();
  const it = { give: resolve, asked: 0, get: async () => ((it.asked += 1), promise) };
  return it;
}

describe('a connection of the fast path', () => {
  it('answers one request after the other, without node:http', async () => {
    const path = await OpenFastPath.open({ find: thing });
    const wire = await path.connect();

    wire.send(requestFor('one'));
    await wire.answers(1);
    wire.send(requestFor('two'));
    await wire.answers(2);

    expect(bodiesOf(wire.received)).toEqual(['"one"', '"two"']);
    expect([path.left, path.fastPath.arrived]).toEqual([[], 2]);
  });

  it.each([
    ['half a request', requestFor('one').slice(0, -2), '\r\n'],
    ['two requests in one chunk', requestFor('one'), requestFor('two')],
  ])('hands over %s to node:http, with all later requests', async (_what, begin, end) => {
    const path = await OpenFastPath.open({ find: thing });
    const wire = await path.connect();

    if (begin.endsWith('\r\n\r\n')) wire.send(begin + end);
    else {
      await wire.sendApart(begin);
      wire.send(end);
    }
    await wire.until((received) => received.includes('general'));
    wire.send(requestFor('last'));
    await wire.until((received) => received.includes('/things/last'));

    expect(path.left[0]).toBe('/things/one');
    expect(path.left.at(-1)).toBe('/things/last');
    expect(path.logLines).toEqual([]);
  });

  it('answers the pending request before requests that were sent ahead, and hands those over to node:http', async () => {
    const found = held<ReturnType<typeof thing>>();
    const path = await OpenFastPath.open({ find: found.get });
    const wire = await path.connect();

    wire.send(requestFor('slow'));
    await expect.poll(() => found.asked).toBe(1);
    await wire.sendApart(requestFor('ahead'));
    await wire.sendApart(requestFor('further'));
    found.give(thing('slow'));
    await wire.until((received) => received.includes('general /things/further'));

    expect(wire.received.match(/"slow"|general \/things\/[a-z]+/g)).toEqual([
      '"slow"',
      'general /things/ahead',
      'general /things/further',
    ]);
  });

  it('answers an error of the route, and then the next request', async () => {
    const path = await OpenFastPath.open({
      find: (name) => {
        if (name === 'bad') throw new ApiError('invalidDate');
        return thing(name);
      },
    });
    const wire = await path.connect();

    wire.send(requestFor('bad'));
    await wire.answers(1);
    wire.send(requestFor('good'));
    await wire.answers(2);

    expect(wire.received).toContain('HTTP/1.1 400 Bad Request\r\n');
    expect(wire.received.endsWith('"good"')).toBe(true);
  });

  it('does not reveal the cause of a fault to the caller, and logs it', async () => {
    const path = await OpenFastPath.open({ find: async () => Promise.reject(new Error('a bug')) });
    const wire = await path.connect();

    wire.send(requestFor('one'));
    const received = await wire.answers(1);

    expect(received).toContain('{"error":"internal error"}');
    expect(received).not.toContain('a bug');
    expect(path.logLines.filter((line) => line.includes('a bug'))).toHaveLength(1);
  });
});

describe('a client that ends its side directly after its request', () => {
  it.each([false, true])(
    'gets its answer, and the connection ends; with an asynchronous result: %s',
    async (isLater) => {
      const found = held<ReturnType<typeof thing>>();
      const path = await OpenFastPath.open({ find: isLater ? found.get : thing });
      const wire = await path.connect();

      wire.send(requestFor('one'));
      wire.socket.end();
      await expect.poll(() => wire.serverEnd?.readableEnded ?? true).toBe(true);
      found.give(thing('one'));
      await wire.until(() => wire.isEnded);

      expect(bodiesOf(wire.received)).toEqual(['"one"']);
    },
  );

  it('gets its answer if its key is read after that, and the connection ends', async () => {
    const key = held<Admitted | undefined>();
    const path = await OpenFastPath.open({ find: thing, admit: key.get });
    const wire = await path.connect();

    wire.send(requestFor('one'));
    wire.socket.end();
    await expect.poll(() => key.asked).toBe(1);
    await expect.poll(() => wire.socket.writableFinished).toBe(true);
    key.give(unlimitedCaller);
    await wire.until(() => wire.isEnded);

    expect(bodiesOf(wire.received)).toEqual(['"one"']);
  });

  it('is answered by node:http if its key is unknown', async () => {
    const key = held<Admitted | undefined>();
    const path = await OpenFastPath.open({ find: thing, admit: key.get });
    const wire = await path.connect();

    wire.send(requestFor('one'));
    wire.socket.end();
    await expect.poll(() => key.asked).toBe(1);
    await expect.poll(() => wire.socket.writableFinished).toBe(true);
    key.give(undefined);
    await wire.until(() => wire.isEnded);

    expect(bodiesOf(wire.received)).toEqual(['general /things/one']);
    await expect.poll(() => wire.serverEnd).toBe(undefined);
  });

  it('gets the answer to another request that it sent ahead', async () => {
    const found = held<ReturnType<typeof thing>>();
    const path = await OpenFastPath.open({ find: found.get });
    const wire = await path.connect();

    wire.send(requestFor('one'));
    await expect.poll(() => found.asked).toBe(1);
    await wire.sendApart(requestFor('ahead'));
    wire.socket.end();
    await expect.poll(() => wire.socket.writableFinished).toBe(true);
    found.give(thing('one'));
    await wire.until(() => wire.isEnded);

    expect(bodiesOf(wire.received)).toEqual(['"one"', 'general /things/ahead']);
    await expect.poll(() => wire.serverEnd).toBe(undefined);
  });
});

describe('a key that has to be read from the database', () => {
  it('holds later requests until it is read, and hands all of them over if it is unknown', async () => {
    const key = held<Admitted | undefined>();
    const path = await OpenFastPath.open({ find: thing, admit: key.get });
    const wire = await path.connect();

    await wire.sendApart(requestFor('one'));
    await wire.sendApart(requestFor('two'));
    key.give(undefined);
    await wire.until((received) => received.includes('general /things/two'));

    expect(path.left).toEqual(['/things/one', '/things/two']);
  });

  it('makes node:http answer if it cannot be read', async () => {
    const admit = async (): Promise<never> => Promise.reject(new Error('the database is away'));
    const path = await OpenFastPath.open({ find: thing, admit });
    const wire = await path.connect();

    wire.send(requestFor('one'));
    await wire.until((received) => received.includes('general'));

    expect(path.left).toEqual(['/things/one']);
  });

  it('is checked again when it may no longer work', async () => {
    let works = true;
    let asked = 0;
    const admit = (): Admitted | undefined => {
      asked += 1;
      return works ? { ...unlimitedCaller, isStillAdmitted: () => works } : undefined;
    };
    const path = await OpenFastPath.open({ find: thing, admit });
    const wire = await path.connect();
    wire.send(requestFor('one'));
    await wire.answers(1);
    wire.send(requestFor('one'));
    await wire.answers(2);
    const requestsBefore = asked;

    works = false;
    wire.send(requestFor('one'));
    await wire.until((received) => received.includes('general'));

    expect([requestsBefore, asked, path.left]).toEqual([1, 2, ['/things/one']]);
  });
});

describe('a client that resets its connection before its answer', () => {
  it('does not disturb other connections, and its request is logged', async () => {
    const found = held<ReturnType<typeof thing>>();
    const path = await OpenFastPath.open({ find: found.get });
    const wire = await path.connect();
    wire.send(requestFor('one'));
    await expect.poll(() => found.asked).toBe(1);

    wire.socket.resetAndDestroy();
    await expect.poll(() => wire.serverEnd).toBe(undefined);
    found.give(thing('one'));
    const other = await path.connect();
    other.send(requestFor('two'));
    await other.answers(1);

    expect(path.logLines.filter((line) => line.includes('"msg":"request"'))).toHaveLength(2);
  });
});
