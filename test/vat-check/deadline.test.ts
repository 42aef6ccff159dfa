import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Answer } from '../support/send-request.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { systemTimers } from '../../src/platform/time/timers.ts';
import { isPending, ManualTimers } from '../support/manual-timers.ts';
import { countOf, expectWithin, isFull, reportFigure } from '../support/proof.ts';
import { shareService, type TestService } from '../support/start-service.ts';
import { DeafListener } from './support/deaf-listener.ts';
import { print, printHead, RawRegistry } from './support/raw-registry.ts';
import { answerText } from './support/vies-texts.ts';
import { patienceMs } from '../support/eventually.ts';

/** 10 s in a full run; otherwise less, because a connection that does not open fails a second of real time later. */
const timeoutMs = countOf({ full: 10_000, perCommit: 6_000 });
/** Tolerance: timers count from the beginning of their turn of the event loop, which is a little earlier. */
const earlyMs = 20;
/** A full run uses real time and measures it; otherwise time passes only when the test advances it. */
const manual = isFull ? undefined : new ManualTimers();

const whole = print(200, answerText());
const bodyAt = whole.indexOf('\r\n\r\n') + 4;

/** The point where an answer stalls, by Member State, because each has its own queue and its own breaker. */
const stalls: Readonly<Record<string, (socket: Socket) => void>> = {
  AT: () => {},
  BE: (socket) => socket.write(whole.subarray(0, 10)),
  BG: (socket) => socket.write(whole.subarray(0, 30)),
  CY: (socket) => socket.write(whole.subarray(0, bodyAt)),
  CZ: (socket) => socket.write(whole.subarray(0, bodyAt + 1)),
  DK: (socket) => socket.write(whole.subarray(0, bodyAt + 200)),
  EE: (socket) => {
    socket.write(whole.subarray(0, bodyAt));
    let at = bodyAt;
    const timer = setInterval(() => socket.write(whole.subarray(at, (at += 1))), timeoutMs / 10);
    socket.once('close', () => clearInterval(timer));
  },
  ES: (socket) => {
    const body = whole.subarray(bodyAt);
    socket.write(printHead(200, { 'Transfer-Encoding': 'chunked' }));
    socket.write(`${body.length.toString(16)}\r\n${body.toString()}\r\n`);
  },
};

const registry = await RawRegistry.start((socket, check) => stalls[check.countryCode]?.(socket));
const silent = await RawRegistry.start();
const deaf = await DeafListener.start();
afterAll(async () => {
  await Promise.all([registry, silent, deaf].map(async (one) => one[Symbol.asyncDispose]()));
});

const connecting = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'ConnectWrap').length;

describe('the hard timeout (R10, interface 8, contract C22)', () => {
  const serviceFor = (viesUrl: string) =>
    shareService({ timers: manual ?? systemTimers, config: { viesUrl, viesTimeoutMs: timeoutMs } });
  const stalled = serviceFor(registry.url);
  const overTls = serviceFor(silent.url.replace('http:', 'https:'));
  const unconnected = serviceFor(`http://127.0.0.1:${deaf.port}/vies`);

  type Timed = { readonly answer: Answer; readonly tookMs: number };
  const timed = new Map<string, Timed>();
  let connectingBefore = 0;

  async function time(point: string, service: TestService, number: string): Promise<void> {
    const startedMs = performance.now();
    const answer = await service.get(`/vatcheck/${number}`);
    timed.set(point, { answer, tookMs: performance.now() - startedMs });
  }

  const calledFor = (state: string): number =>
    registry.checks.filter(({ countryCode }) => countryCode === state).length;

  async function timeWithBusyState(point: string): Promise<void> {
    const busy = ['1', '2', '3', '4'].map(async (n) => stalled().get(`/vatcheck/DE/99999990${n}`));
    await vi.waitFor(() => expect(calledFor('DE')).toBe(4), patienceMs);
    await time(point, stalled(), 'DE/999999905');
    await Promise.all(busy);
  }

  async function timeWithLeader(point: string): Promise<void> {
    const leader = stalled().get('/vatcheck/GR/999999901');
    await time(point, stalled(), 'EL/999999901');
    await leader;
  }

  const points: Readonly<Record<string, (point: string) => Promise<void>>> = {
    'in the connection': async (point) => time(point, unconnected(), 'AT/99'),
    'in the TLS handshake': async (point) => time(point, overTls(), 'AT/99'),
    'after the connection': async (point) => time(point, stalled(), 'AT/99'),
    'in the status line': async (point) => time(point, stalled(), 'BE/99'),
    'in the headers': async (point) => time(point, stalled(), 'BG/99'),
    'after the headers': async (point) => time(point, stalled(), 'CY/99'),
    'after the first byte of the body': async (point) => time(point, stalled(), 'CZ/99'),
    'in the middle of the body': async (point) => time(point, stalled(), 'DK/99'),
    'with a byte now and then for ever': async (point) => time(point, stalled(), 'EE/99'),
    'after a whole body without an end': async (point) => time(point, stalled(), 'ES/99'),
    'in the queue of a Member State': timeWithBusyState,
    'behind an equal check': timeWithLeader,
  };

  beforeAll(async () => {
    // The first request loads and compiles code, which is not part of the measurement.
    for (const service of [stalled, overTls, unconnected]) await service().get('/vatcheck/ZZ/99');
    connectingBefore = connecting();
    const running = Promise.all(Object.entries(points).map(async ([point, run]) => run(point)));
    if (manual !== undefined) await runOutOfTime(manual, running);
    await running;
  });

  /** Ends the time as soon as every request stalls at its point. */
  async function runOutOfTime(timers: ManualTimers, running: Promise<unknown>): Promise<void> {
    await vi.waitFor(() => {
      expect(connecting()).toBeGreaterThan(connectingBefore);
      expect(silent.openSockets).toBe(1);
      for (const state of [...Object.keys(stalls), 'EL']) expect(calledFor(state)).toBe(1);
      expect(calledFor('DE')).toBe(4);
    }, patienceMs);
    expect(timed.size).toBe(0);
    timers.advance(timeoutMs);
    // The start of the two that wait behind others cannot be observed: it may be a moment later.
    await vi.waitFor(() => expect(timed.size).toBeGreaterThanOrEqual(10), patienceMs);
    while (await isPending(running)) {
      timers.advance(timeoutMs);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  it.each(Object.keys(points))(
    'answers 503 "TIMEOUT" on time if the registry stalls %s',
    (point) => {
      const { answer, tookMs } = timed.get(point) as Timed;

      expect(formOf(answer)).toEqual(errorForm(503, 'TIMEOUT'));
      expect(answer.headers['retry-after']).toBe('30');
      // A figure is printed only in a full run, which uses real time.
      expect(tookMs).toBeGreaterThanOrEqual(isFull ? timeoutMs - earlyMs : 0);
      expectWithin(tookMs, timeoutMs + 500);
    },
  );

  it('makes no second call for callers that waited for an equal check', () => {
    expect(calledFor('EL')).toBe(1);
  });

  it('leaves no socket open', async () => {
    await vi.waitFor(() => {
      expect([registry.openSockets, silent.openSockets]).toEqual([0, 0]);
      expect(connecting()).toBe(connectingBefore);
    }, patienceMs);

    const right = [...timed.values()].filter(({ answer }) => isTimeout(answer));
    const took = right.map(({ tookMs }) => Math.round(tookMs));
    const measured = isFull
      ? `${Math.min(...took)} to ${Math.max(...took)} ms after the request (at most 500 ms late)`
      : 'when the time was up';
    reportFigure(
      'R10',
      `${right.length} of 12 stalls ended with 503 TIMEOUT ${measured}, hard timeout ${timeoutMs} ms; ` +
        `${registry.openSockets + silent.openSockets} sockets left`,
    );
  });
});

function isTimeout({ status, text }: Answer): boolean {
  return status === 503 && text === '{"error":"TIMEOUT"}';
}
