import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { createKey } from './p3-cached-check.ts';
import { serverCore } from './load.ts';
import { quantile, type Result, startServe, temporaryFolder } from './measure.ts';

/**
 * P7: the time that the service adds to the registry's own time for a check that is not cached.
 *
 * A registry in this process records when it receives a request and when it has sent its answer. The rest of the
 * caller's wait is the service's, the HTTP of the caller included. Checks are sent one after the other, each for
 * another number.
 */
export async function measureColdCheck(checks: number): Promise<Result[]> {
  using folder = temporaryFolder();
  const registry = await startRegistry();
  const environment = {
    DATABASE_URL: `file:${join(folder.path, 'vatfx.db')}`,
    VIES_URL: registry.url,
    JOBS: 'off',
    LOG_LEVEL: 'info',
  };
  const key = createKey(environment);
  const logFile = join(folder.path, 'access.log');
  await using serve = await startServe(environment, { core: serverCore, logFile });
  const dispatcher = new Agent({ connections: 1 });

  const added: number[] = [];
  const warmUp = 200;
  for (let n = 0; n < checks + warmUp; n += 1) {
    const startedMs = performance.now();
    const response = await request(`${serve.apiUrl}/vatcheck/FR/${100_000 + n}`, {
      dispatcher,
      headers: { authorization: `Bearer ${key}` },
    });
    await response.body.text();
    if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
    if (n >= warmUp) added.push(performance.now() - startedMs - registry.lastMs);
  }
  await dispatcher.close();
  registry.close();
  return [
    { name: 'P7 cold check adds, p50', rounds: [quantile(added, 0.5)], unit: 'ms', goal: '≤ 1' },
    { name: 'P7 cold check adds, p99', rounds: [quantile(added, 0.99)], unit: 'ms', goal: '≤ 5' },
  ];
}

const answer = (vatNumber: string): string =>
  '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body>' +
  '<ns2:checkVatResponse xmlns:ns2="urn:ec.europa.eu:taxud:vies:services:checkVat:types">' +
  '<ns2:countryCode>FR</ns2:countryCode>' +
  `<ns2:vatNumber>${vatNumber}</ns2:vatNumber>` +
  '<ns2:requestDate>2026-11-20+01:00</ns2:requestDate><ns2:valid>true</ns2:valid>' +
  '<ns2:name>---</ns2:name><ns2:address>---</ns2:address>' +
  '</ns2:checkVatResponse></env:Body></env:Envelope>';

async function startRegistry() {
  const state = { url: '', lastMs: 0, close: (): void => {} };
  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedMs = performance.now();
    const [, vatNumber = ''] = /vatNumber>(\w+)</u.exec(await text(incoming)) ?? [];
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.end(answer(vatNumber), () => {
        state.lastMs = performance.now() - startedMs;
      });
    }, 10);
  };
  const server = createServer((incoming, response) => void respond(incoming, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  state.url = `http://127.0.0.1:${address.port}/`;
  state.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return state;
}
