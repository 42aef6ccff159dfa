import { expect, it } from 'vitest';
import { serveHttp } from '../support/loopback-server.ts';
import { runCommand } from '../support/run-cli.ts';
import { startService } from '../support/start-service.ts';
import { databaseSettings } from '../support/temporary-database.ts';

const thursday = '2026-11-19T16:00:00Z';
const friday = '2026-11-20T16:00:00Z';

/** Serves what the sandbox says, with an answer that `spoil` changes. */
async function serveSpoiled(spoil: (body: string) => string) {
  const to = { url: '', isSpoiled: false };
  const url = await serveHttp((request, response) => {
    void (async () => {
      const body = await Array.fromAsync(request);
      const headers = { soapaction: String(request.headers['soapaction']) };
      const answer = await fetch(to.url, { method: 'POST', headers, body: Buffer.concat(body) });
      // One character for each byte, so that a byte can be one that is not UTF-8.
      const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
      response
        // The clock of the sandbox, with which the job compares its own.
        .writeHead(answer.status, {
          'content-type': 'text/xml; charset=utf-8',
          date: answer.headers.get('date') ?? '',
        })
        .end(Buffer.from(to.isSpoiled ? spoil(text) : text, 'latin1'));
    })();
  });
  return { url, to };
}

/** A German row has another rate than its comment names, and a byte that is not UTF-8 in the comment. */
function spoilGermany(body: string): string {
  return body.replace(
    /(<memberState>DE<\/memberState>(?:(?!<\/vatRateResults>)[^])*?<value>)7\.0(<\/value>(?:(?!<\/vatRateResults>)[^])*?LOAN_LIBRARIES(?:(?!<\/vatRateResults>)[^])*?<comment>)/,
    '$18.0$2\u{96}',
  );
}

it('what TEDB has wrong in a row is published, and reported in the run, the status, doctor and the command (rules G10, G10a)', async () => {
  const { url, to } = await serveSpoiled(spoilGermany);
  const service = await startService({ config: { tedbUrl: `${url}/` } });
  to.url = service.sandbox.settings.tedbUrl;
  await service.liveAt(thursday);
  const remarkIn = (text: string): unknown =>
    (JSON.parse(text) as { dataSets: { rates: { remark: unknown } } }).dataSets.rates.remark;
  expect(remarkIn((await service.get('/status')).text)).toBeNull();

  to.isSpoiled = true;
  await service.liveAt(friday);

  const remark =
    '1 unreadable characters in comments of TEDB; ' +
    'DE LOAN_LIBRARIES: no other row has the rate 8, and its comment names 7 %';
  expect(JSON.parse((await service.get('/rates')).text)).toMatchObject({
    version: '2026-11-20',
    rates: { DE: { reduced: [7, 8] } },
  });
  expect(remarkIn((await service.get('/status')).text)).toBe(remark);
  expect(remarkIn((await service.sendToOps('/status')).text)).toBe(remark);
  expect(service.logLines.filter((line) => line.includes('published with remarks'))).toHaveLength(
    1,
  );
  const env = { ...databaseSettings(service.config.databaseUrl) };
  const held = await runCommand(['snapshots', 'held'], env);
  expect([held.code, held.stderr]).toEqual([0, `Published rates, not held: ${remark}\n`]);
  expect((await runCommand(['doctor'], env)).stdout).toContain(remark);
});
