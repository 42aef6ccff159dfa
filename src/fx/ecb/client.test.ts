import type { IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveHttp } from '../../../test/support/loopback-server.ts';
import { printFile } from '../../../test/support/print-ecb-file.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { sha256 } from '../../platform/values/digest.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { Upstream } from '../../platform/upstream/upstream.ts';
import { EcbClient, type EcbFile } from './client.ts';

type Answer = { status?: number; body?: string; headers?: Readonly<Record<string, string>> };

const metrics = createMetrics();
const friday = ['2026-11-20', { USD: '1.1790', JPY: '184.5' }] as const;
const thursday = ['2026-11-19', { USD: '1.1801' }] as const;
const wednesday = ['2026-11-18', { USD: '1.18' }] as const;

/** A client of a server that sends these answers in turn, and the last one to all later requests. */
async function openClient(...answers: readonly Answer[]) {
  const asked: IncomingMessage[] = [];
  const url = await serveHttp((request, response) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? {};
    asked.push(request);
    const headers = { 'Content-Type': 'text/xml', ...answer.headers };
    response.writeHead(answer.status ?? 200, headers).end(answer.body);
  });
  const upstream = new Upstream('ecb', { clock: new SettableClock('2026-11-20'), metrics });
  onTestFinished(async () => upstream.close());
  const retry = { attempts: 2, firstDelayMs: 1 };
  const client = new EcbClient(upstream, { folderUrl: `${url}/stats/eurofxref`, retry });
  const { signal } = new AbortController();
  const fetch = async (file: EcbFile = 'daily', ifModifiedSince?: string) =>
    client.fetchFile(file, { ifModifiedSince, signal });
  return { asked, fetch };
}

describe('EcbClient.fetchFile', () => {
  it.each([
    ['daily', 'eurofxref-daily.xml'],
    ['ninetyDays', 'eurofxref-hist-90d.xml'],
    ['history', 'eurofxref-hist.xml'],
  ] as const)('requests the %s file at %s', async (file, path) => {
    const { asked, fetch } = await openClient({ body: printFile([friday]) });

    await fetch(file);

    expect(asked).toMatchObject([{ method: 'GET', url: `/stats/eurofxref/${path}` }]);
    expect(asked[0]?.headers).toMatchObject({ accept: 'text/xml' });
    expect(asked[0]?.headers).not.toHaveProperty('if-modified-since');
  });

  it('returns the publications, the oldest first, with digest and validator', async () => {
    const body = printFile([thursday, friday, wednesday]);
    const { fetch } = await openClient({ body, headers: { 'Last-Modified': 'then' } });

    expect(await fetch()).toEqual({
      kind: 'publications',
      publications: [
        { date: '2026-11-18', rates: new Map([['USD', '1.18']]) },
        { date: '2026-11-19', rates: new Map([['USD', '1.1801']]) },
        {
          date: '2026-11-20',
          rates: new Map([
            ['USD', '1.179'],
            ['JPY', '184.5'],
          ]),
        },
      ],
      inputDigest: sha256(body),
      lastModified: 'then',
    });
  });

  it('sends the validator of a known file, and returns none if the file has none', async () => {
    const { asked, fetch } = await openClient({ status: 304 }, { body: printFile([friday]) });

    expect(await fetch('daily', 'Fri, 20 Nov 2026 14:56:32 GMT')).toEqual({ kind: 'unmodified' });
    expect(asked[0]?.headers['if-modified-since']).toBe('Fri, 20 Nov 2026 14:56:32 GMT');
    expect(await fetch()).toMatchObject({ lastModified: undefined });
  });

  it.each<[string, Answer]>([
    ['is forbidden, as a firewall does', { status: 403, body: 'captcha' }],
    ['is cut', { body: printFile([friday]).slice(0, -20) }],
    ['has a date twice', { body: printFile([friday, friday]) }],
  ])('sends the request again if the answer %s', async (_, failing) => {
    const { asked, fetch } = await openClient(failing, { body: printFile([friday]) });

    expect(await fetch()).toMatchObject({ kind: 'publications' });

    expect(asked).toHaveLength(2);
  });

  const file = printFile([friday]);
  const location = { Location: 'https://x.example/' };
  it.each<[string, Answer, string]>([
    ['schema', { body: printFile([friday, friday]) }, '2026-11-20 twice'],
    ['schema', { body: file.replace('JPY', 'USD') }, '2026-11-20 has USD twice'],
    [
      'redirected',
      { status: 301, headers: location },
      'HTTP 301 to https://x.example/; set ECB_URL',
    ],
    [
      'too-large',
      { body: file.replace('Reference', 'x'.repeat(100_000)) },
      'the answer has more than 100000 bytes',
    ],
  ])('refuses an answer with a clear message: %s', async (kind, answer, message) => {
    const { fetch } = await openClient(answer);

    await expect(fetch()).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(`ecb: eurofxref-daily.xml: ${message}`),
    });
  });
});
