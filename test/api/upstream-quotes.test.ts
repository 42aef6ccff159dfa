import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { serveHttp } from '../support/loopback-server.ts';
import { startService, type TestService } from '../support/start-service.ts';

const friday = '2026-11-20T16:00:00Z';
const megabytes = 3_500_000;
/** A text that forges a line, turns the direction of writing, and colours a terminal. */
const forged = '\n    at forged (line:1:1)\r\n{"level":"info"}\u202E\u001B[31m\u2028';
const long = 'y'.repeat(250_000);
const soap = 'http://schemas.xmlsoap.org/soap/envelope/';
const faultOf = (text: string): string =>
  `<e:Envelope xmlns:e="${soap}"><e:Body><e:Fault><faultcode>e:Server</faultcode>` +
  `<faultstring>${text}</faultstring></e:Fault></e:Body></e:Envelope>`;
const inXml = (text: string): string => text.replaceAll('\u001B', '');

/** Answers that every upstream gives, to every request. */
const answers: readonly (readonly [what: string, listener: RequestListener])[] = [
  ['a redirect to 15,000 characters', head(302, { location: `/\u009B31m${'x'.repeat(15_000)}` })],
  [
    'a coding of 15,000 characters',
    head(200, { 'content-encoding': `\u0085${long.slice(6e4, 75e3)}` }),
  ],
  ['a root with a name of 250,000 characters', body(`<${long}/>`)],
  [
    'an unknown prefix of 250,000 characters',
    body(`<e:Envelope xmlns:e="${soap}"><e:Header><${long}:b/>`),
  ],
  ['an encoding of 250,000 characters', body(`<?xml version="1.0" encoding="${long}"?><a/>`)],
  ['a fault with a forged line', body(faultOf(inXml(forged + long)))],
  ['a text of no element with a forged line', body(`<a>${inXml(forged)}</a>`)],
  ['a tag with a forged line', body(`<a><b ${inXml(forged)}="">${long}</a>`)],
  ['no JSON', body(`${forged}{`)],
  [
    'a table with a number of 250,000 characters',
    body(JSON.stringify([{ table: 'A', no: forged + long }])),
  ],
  [
    'a day of 3.5 MB',
    body(JSON.stringify({ rates: [{ validFor: forged + 'z'.repeat(megabytes) }] })),
  ],
];

function head(status: number, headers: Record<string, string>): RequestListener {
  return (_, response) => void undated(response).writeHead(status, headers).end();
}

function body(text: string): RequestListener {
  return (_, response) =>
    void undated(response).writeHead(200, { 'content-type': 'text/xml' }).end(text);
}

/** Without its clock, which is not that of the service. */
function undated(response: ServerResponse): ServerResponse {
  response.sendDate = false;
  return response;
}

/** A service all of whose upstreams are this address. */
async function startAt(url: string): Promise<TestService> {
  const urls = { tedbUrl: url, ecbUrl: url, viesUrl: url, nbpUrl: url, cnbUrl: url };
  return startService({ config: { ...urls, fxBanks: ['nbp', 'cnb'] } });
}

/** All texts of a value of JSON, and their keys. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [key, ...textsOf(one)]);
}

/** The texts that a terminal would not print as they are; those of a stack by its lines. */
function unprintable(value: unknown): string[] {
  return textsOf(value)
    .flatMap((text) => (/\n +at /.test(text) ? text.split('\n') : [text]))
    .filter((text) => /[\p{C}\p{Zl}\p{Zp}]/u.test(text) || text.includes('at forged (line:1:1)\n'));
}

/** What operators see: the log, `/status` of both ports, and the runs. */
async function seenOf(service: TestService): Promise<Record<string, string>> {
  const runs = await service.core.runs.list(100);
  return {
    log: `[${service.logLines.join(',')}]`,
    runs: JSON.stringify(runs),
    status: (await service.sendToOps('/status')).text,
    callers: (await service.get('/status')).text,
  };
}

describe('what an upstream wrote, in logs, runs and /status (operator.md O19)', () => {
  it.each(answers)('is quoted with at most 80 characters, escaped: %s', async (_what, listener) => {
    const service = await startAt(await serveHttp(listener));

    await service.liveAt(friday);
    await service.get('/vatcheck/AT/U99999901');

    const seen = await seenOf(service);
    const runs = JSON.parse(seen['runs'] ?? '') as { outcome: string; detail: string }[];
    expect(runs.map(({ outcome }) => outcome)).toEqual(Array(4).fill('failed'));
    // The sentence around a quotation has fewer than 220 characters.
    expect(runs.filter(({ detail }) => detail.length > 300)).toEqual([]);
    for (const [place, shown] of Object.entries(seen)) {
      expect([place, shown.length < 20_000, unprintable(JSON.parse(shown))]).toEqual([
        place,
        true,
        [],
      ]);
    }
    const frames = runs.length * 40;
    const lines = service.logLines.join('\n').split('\\n');
    expect(lines.filter((line) => /^ +at forged/.test(line))).toEqual([]);
    expect(lines.length).toBeLessThan(frames * 2);
  });

  it('is quoted in the remarks on what is published: 20 unknown elements of 200,000 characters', async () => {
    let tedbUrl = '';
    const unknown = Array.from({ length: 20 }, (_, at) => `<z${at}${'y'.repeat(200_000)}/>`);
    const pass = async (request: IncomingMessage): Promise<string> => {
      const { 'content-type': type = '', soapaction } = request.headers;
      const headers = { 'content-type': type, soapaction: String(soapaction) };
      const answer = await fetch(tedbUrl, { method: 'POST', headers, body: await text(request) });
      return answer.text();
    };
    const url = await serveHttp((request, response) => {
      undated(response).setHeader('content-type', 'text/xml');
      void pass(request).then((answer) =>
        response.end(
          answer.replace(/<\/(?:\w+:)?vatRateResults>/, (end) => unknown.join('') + end),
        ),
      );
    });
    const service = await startService({ config: { tedbUrl: url } });
    ({ tedbUrl } = service.sandbox.settings);

    await service.liveAt(friday);

    const seen = await seenOf(service);
    const [, remark = ''] = /"remark":"([^"]*)"/.exec(seen['callers'] ?? '') ?? [];
    expect(remark).toContain('elements of TEDB that are not known: z0yyy');
    expect(remark.length).toBeLessThan(20 * 90 + 100);
    for (const [place, shown] of Object.entries(seen)) {
      expect([place, shown.length < 30_000]).toEqual([place, true]);
    }
  });

  it('is cut in runs that an earlier version stored', async () => {
    const service = await startService({ lived: [friday] });
    const detail = forged.repeat(megabytes / forged.length);
    await service.core.db.updateTable('runs').set({ detail }).execute();

    const { runs, status, callers } = await seenOf(service);

    for (const text of [runs, status, callers]) {
      expect([(text ?? '').length < 40_000, unprintable(JSON.parse(text ?? ''))]).toEqual([
        true,
        [],
      ]);
    }
  });
});
