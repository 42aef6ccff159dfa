import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** Time of the registry for each answer. */
const latencyMs = 10;

/** A registry in this process, in which every number is registered. */
export type BenchRegistry = {
  readonly url: string;
  /** Milliseconds from the receipt of the newest request about a country to the end of its answer. */
  readonly lastMsOf: (countryCode: string) => number;
  readonly close: () => void;
};

export async function startRegistry(): Promise<BenchRegistry> {
  const lastMs = new Map<string, number>();
  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedMs = performance.now();
    const { countryCode, type, body } = answerOf(incoming.url ?? '', await text(incoming));
    setTimeout(() => {
      response.writeHead(200, { 'content-type': type });
      response.end(body, () => lastMs.set(countryCode, performance.now() - startedMs));
    }, latencyMs);
  };
  const server = createServer((incoming, response) => void respond(incoming, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    lastMsOf: (countryCode) => lastMs.get(countryCode) ?? Number.NaN,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Answer = { readonly countryCode: string; readonly type: string; readonly body: string };

/** Answers as HMRC and its token service do at their paths, and as VIES at any other one. */
function answerOf(path: string, sent: string): Answer {
  const json = (countryCode: string, value: unknown): Answer => ({
    countryCode,
    type: 'application/json',
    body: JSON.stringify(value),
  });
  if (path === '/oauth/token') {
    const token = { access_token: 'token', token_type: 'bearer', expires_in: 14_400 };
    return json('token', { ...token, scope: 'read:vat' });
  }
  const [, british] = /^\/organisations\/vat\/check-vat-number\/lookup\/([0-9]+)$/.exec(path) ?? [];
  if (british !== undefined) {
    const address = { line1: '1 High Street', postcode: 'SW1A 1AA', countryCode: 'GB' };
    const target = { name: 'Benchmark Limited', vatNumber: british, address };
    return json('GB', { target, processingDate: '2026-11-20T16:00:00+00:00' });
  }
  const [, countryCode = ''] = /countryCode>(\w+)</u.exec(sent) ?? [];
  const [, vatNumber = ''] = /vatNumber>(\w+)</u.exec(sent) ?? [];
  return { countryCode, type: 'text/xml', body: printAnswer(countryCode, vatNumber) };
}

function printAnswer(countryCode: string, vatNumber: string): string {
  return (
    '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body>' +
    '<ns2:checkVatResponse xmlns:ns2="urn:ec.europa.eu:taxud:vies:services:checkVat:types">' +
    `<ns2:countryCode>${countryCode}</ns2:countryCode>` +
    `<ns2:vatNumber>${vatNumber}</ns2:vatNumber>` +
    '<ns2:requestDate>2026-11-20+01:00</ns2:requestDate><ns2:valid>true</ns2:valid>' +
    '<ns2:name>---</ns2:name><ns2:address>---</ns2:address>' +
    '</ns2:checkVatResponse></env:Body></env:Envelope>'
  );
}
