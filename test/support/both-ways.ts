import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { countGeneralRequests } from './general-requests.ts';
import { shareService, type StartOptions, type TestService } from './start-service.ts';
import { maskOwn, Wire } from './wire.ts';

/** The answers of one service, and its counts of them. */
export type Heard = { readonly bytes: string; readonly lines: readonly string[] };

/** Requests on one connection, in this order. */
export type Dialogue = {
  /** Requests; each is sent when the server has read the previous one. `{key}` is the service's ready key. */
  readonly writes: readonly string[];
  /** Splits the sent bytes into two chunks at this byte. */
  readonly cutAt?: number;
  /** Number of answers to wait for before the connection is ended; all that arrive by then count. */
  readonly answers?: number;
  readonly toHead?: boolean;
  /** Ends our direction right behind the last write. */
  readonly isHalfClosed?: boolean;
};

/** A last request, after which the server ends the connection. */
const farewell =
  'GET /rates HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n';

/** The compared metrics: without times, and without those of the process's own work. */
const counted =
  /^vatfx_(?:http_requests_total|http_request_duration_seconds_count|refused_keys_total)/;

/**
 * Two services with the same data in the same scripted time, one of them without the fast path; for the tests
 * of a file or of a `describe`.
 */
export class BothWays {
  readonly #fast: () => TestService;
  readonly #general: () => TestService;

  constructor(options: StartOptions = {}) {
    const { config } = options;
    this.#fast = shareService({ ...options, config: { ...config, fastPath: true } });
    this.#general = shareService({ ...options, config: { ...config, fastPath: false } });
  }

  /** The service with the fast path is the first. */
  get services(): readonly [fast: TestService, general: TestService] {
    return [this.#fast(), this.#general()];
  }

  /** Holds a dialogue with both, each with the ready key of its own or with one that is given. */
  async hold(
    dialogue: Dialogue,
    keys?: readonly [fast: string, general: string],
  ): Promise<{ readonly fast: Heard; readonly general: Heard }> {
    const [atFast, atGeneral] = this.services;
    const [fast, general] = await Promise.all([
      holdWith(atFast, dialogue, keys?.[0] ?? atFast.key),
      holdWith(atGeneral, dialogue, keys?.[1] ?? atGeneral.key),
    ]);
    return { fast, general };
  }

  /** Holds a dialogue with both, and returns the differences of their answers and logs, the fast path first. */
  async differences(...asked: Parameters<BothWays['hold']>): Promise<readonly unknown[]> {
    const { fast, general } = await this.hold(...asked);
    const all = [
      [fast.bytes, general.bytes],
      [fast.lines, general.lines],
    ];
    return all.filter(([one, other]) => !isDeepStrictEqual(one, other));
  }

  /** The printed counts of requests and refused keys. */
  async counts(): Promise<{
    readonly fast: readonly string[];
    readonly general: readonly string[];
  }> {
    const [fast = [], general = []] = await Promise.all(
      this.services.map(async (service) =>
        (await service.sendToOps('/metrics')).text
          .split('\n')
          .filter((line) => counted.test(line))
          .toSorted(),
      ),
    );
    return { fast, general };
  }

  /** Counts the requests that the fast path hands over to the framework, until the test ends. */
  countLeft(): () => number {
    return countGeneralRequests(() => this.#fast().apiUrl);
  }
}

/** Shares both services with the tests of a file or of a `describe`. */
export function shareBothWays(options?: StartOptions): BothWays {
  return new BothWays(options);
}

async function holdWith(service: TestService, dialogue: Dialogue, key: string): Promise<Heard> {
  const { cutAt, answers = 1, toHead = false, isHalfClosed = false } = dialogue;
  const texts = dialogue.writes.map((text) => text.replaceAll('{key}', key));
  const whole = texts.join('');
  const writes = cutAt === undefined ? texts : [whole.slice(0, cutAt), whole.slice(cutAt)];
  const linesBefore = service.logLines.length;
  const wire = await Wire.open(service.apiUrl);
  for (const text of writes.slice(0, -1)) await wire.sendApart(text);
  wire.send(writes.at(-1) ?? '');
  if (isHalfClosed) wire.socket.end();
  const first = await wire.answers(answers, { toHead });
  const { serverEnd } = wire;
  // A client that gets `connection: close` sends no further request.
  const isOver = isHalfClosed || wire.isEnded || /\r\nConnection: close\r\n/i.test(first);
  if (!isOver) wire.send(farewell.replaceAll('{key}', key));
  const bytes = await wire.until(() => wire.isEnded);
  wire.socket.end();
  // A line is written after its answer was sent; the client may receive the answer earlier.
  await expect.poll(() => serverEnd?.destroyed ?? true).toBe(true);
  return { bytes: maskOwn(bytes), lines: service.logLines.slice(linesBefore).map(maskLine) };
}

/** A line of the log without the fields that differ between two services. */
function maskLine(line: string): string {
  return line
    .replace(/"time":"[^"]+"/, '"time":"{time}"')
    .replace(/"requestId":"[^"]+"/, '"requestId":"{id}"')
    .replace(/"keyId":"[^"]+"/, '"keyId":"{keyId}"')
    .replace(/"durationMs":[\d.]+/, '"durationMs":{ms}');
}
