import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isoDate } from '../../src/platform/time.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { hasCaptures, readCapture, unlessAbsent } from '../real-input/captures.ts';
import { Dice } from '../support/dice.ts';
import { SettableClock } from '../support/settable-clock.ts';
import { type Kind, openClients } from './support/xml-clients.ts';
import { ecbDocument, isAllowed, tedbDocument, viesDocument } from './support/xml-grammar.ts';
import { mutate, mutateEach } from './support/xml-mutants.ts';

const isFull = process.env['R12'] === 'full';
/** Of each document, at random; there are five from the sandbox and five captures. */
const mutantsOfEach = isFull ? 1_000 : 50;
const seed = Number(process.env['R12_SEED'] ?? (isFull ? Date.now() % 1_000_000 : 20_261_121));
const schemas = { tedb: tedbDocument, ecb: ecbDocument, vies: viesDocument } as const;

type Sample = { readonly kind: Kind; readonly bytes: string };

const captured = [
  ['tedb', 'tedb/response_DE_2025-08-12.xml'],
  ['ecb', 'ecb/eurofxref-daily_2026-01-02.xml'],
  ['ecb', 'ecb/eurofxref-hist-90d_2026-01-30.xml'],
  ['vies', 'vies/checkVat_valid_NL_2023-01-25.xml'],
  ['vies', 'vies/checkVat_invalid_CZ_empty-strings_2022-09-09.xml'],
] as const;

describe('a document that its schema forbids (reliability R12)', () => {
  const patienceMs = isFull ? 600_000 : 60_000;

  it(
    'is never accepted, in the forms of the sandbox',
    async () => {
      const tried = await tryMutants(await readSandbox(), 'the sandbox');

      expect(tried.forbidden.slice(0, 20)).toEqual([]);
      expectBothWays(tried);
    },
    patienceMs,
  );

  it.skipIf(!hasCaptures)(
    `is never accepted, in the forms of the real upstreams${unlessAbsent}`,
    async () => {
      const tried = await tryMutants(readCaptures(), 'captures');

      expect(tried.forbidden.slice(0, 20)).toEqual([]);
      expectBothWays(tried);
    },
    patienceMs,
  );
});

describe('a document that is large, deep or hostile (reliability R12)', () => {
  const tedbOf = (rows: string): string =>
    '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>' +
    '<m:retrieveVatRatesRespMsg xmlns:m="urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService"' +
    ` xmlns="urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService:types">${rows}`;
  const entities = Array.from(
    { length: 20 },
    (_, at) => `<!ENTITY l${at + 1} "&l${at};&l${at};&l${at};">`,
  );
  const mega = 1_000_000;

  it.each<[what: string, body: string]>([
    ['500,000 levels', '<a>'.repeat(500_000)],
    ['500,000 levels in a fault', `${tedbOf('')}${'<a>'.repeat(500_000)}`],
    ['a text of 5 MB', tedbOf(`<additionalInformation>${'x'.repeat(5 * mega)}`)],
    ['a name of 5 MB', `<${'a'.repeat(5 * mega)}/>`],
    ['an attribute of 5 MB', tedbOf(`<additionalInformation a="${'x'.repeat(5 * mega)}"/>`)],
    [
      '200,000 attributes',
      tedbOf(`<a ${Array.from({ length: 200_000 }, (_, at) => `a${at}=""`).join(' ')}/>`),
    ],
    ['a comment of 5 MB', `<!--${'x'.repeat(5 * mega)}`],
    ['an instruction of 5 MB', `<?x ${'x'.repeat(5 * mega)}`],
    ['CDATA of 5 MB', tedbOf(`<additionalInformation><![CDATA[${'x'.repeat(5 * mega)}`)],
    ['5 MB of blanks', ' '.repeat(5 * mega)],
    ['a million character references', tedbOf(`<additionalInformation>${'&#120;'.repeat(mega)}`)],
    ['entities in entities', `<!DOCTYPE x [<!ENTITY l0 "lol">${entities.join('')}]><x>&l20;</x>`],
    ['a DOCTYPE of 5 MB', `<!DOCTYPE x [${'<!ENTITY a "b">'.repeat(mega / 3)}`],
  ])('is refused and blocks nobody: %s', async (what, body) => {
    const { tedb } = await openClients();

    const { outcome, blockedMs } = await measured(async () => tedb(Buffer.from(body)));

    console.log(`R12: the event loop waited ${blockedMs.toFixed(0)} ms for ${what} (${outcome})`);
    expect(outcome).toMatch(/^(malformed|schema|too-large|truncated)$/);
    expectShort(blockedMs);
  });

  it('is read in slices when it is only long: all of TEDB, and 27 years of the ECB', async () => {
    const clients = await openClients();
    const clock = new SettableClock('2026-11-20T16:00:00Z');
    await using parts = new AsyncDisposableStack();
    const sandbox = await startSandbox({ clock });
    parts.defer(async () => sandbox.close());
    const states =
      'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';
    const rows = await askTedb(sandbox.tedbUrl, states.split(' '));
    const history = await fetchBytes(`${sandbox.ecbUrl}eurofxref-hist.xml`);

    const tedb = await measured(async () => clients.tedb(rows));
    const ecb = await measured(async () => clients.ecb(history));

    console.log(
      `R12: the event loop waited ${tedb.blockedMs.toFixed(0)} ms for ${rows.length} bytes of TEDB ` +
        `and ${ecb.blockedMs.toFixed(0)} ms for ${history.length} of the ECB`,
    );
    expect([tedb.outcome, ecb.outcome]).toEqual(['accepted', 'accepted']);
    expectShort(tedb.blockedMs);
    expectShort(ecb.blockedMs);
  });
});

type Tried = {
  readonly refused: number;
  readonly accepted: number;
  /** What was accepted and should not have been. */
  readonly forbidden: readonly string[];
};

async function tryMutants(samples: readonly Sample[], origin: string): Promise<Tried> {
  const clients = await openClients();
  const dice = new Dice(seed);
  const forbidden: string[] = [];
  let [accepted, refused] = [0, 0];

  for (const { kind, bytes } of samples) {
    const outcome = await clients[kind](Buffer.from(bytes, 'latin1'));
    expect([isAllowed(schemas[kind], bytes), outcome]).toEqual([true, 'accepted']);
    const random = Array.from({ length: mutantsOfEach }, () => mutate(dice, bytes));
    for (const [made, mutant] of [...mutateEach(bytes), ...random].entries()) {
      const became = await clients[kind](Buffer.from(mutant, 'latin1'));
      if (became !== 'accepted') refused += 1;
      else if (isAllowed(schemas[kind], mutant)) accepted += 1;
      else
        forbidden.push(`${kind}, mutant ${made} of seed ${seed}: ${differenceOf(bytes, mutant)}`);
    }
  }
  console.log(
    `R12: ${refused + accepted + forbidden.length} mutants of ${origin} (seed ${seed}): ${refused} refused, ` +
      `${accepted} accepted that the schema allows, ${forbidden.length} that it forbids`,
  );
  return { refused, accepted, forbidden };
}

/** Who refuses everything accepts nothing that is forbidden; and mutants should not be too tame. */
function expectBothWays({ refused, accepted, forbidden }: Tried): void {
  const all = refused + accepted + forbidden.length;
  expect(accepted).toBeGreaterThan(all * 0.02);
  expect(refused).toBeGreaterThan(all * 0.3);
}

/** What stands in the mutant from the first to the last byte that differs. */
function differenceOf(original: string, mutant: string): string {
  let start = 0;
  while (start < mutant.length && original[start] === mutant[start]) start += 1;
  let end = 0;
  const most = Math.min(original.length, mutant.length) - start;
  while (end < most && original.at(-1 - end) === mutant.at(-1 - end)) end += 1;
  const was = original.slice(Math.max(0, start - 20), original.length - end + 20);
  const is = mutant.slice(Math.max(0, start - 20), mutant.length - end + 20);
  return `${JSON.stringify(was.slice(0, 300))} → ${JSON.stringify(is.slice(0, 300))}`;
}

function readCaptures(): readonly Sample[] {
  return captured.map(([kind, file]) => ({ kind, bytes: readCapture(file).toString('latin1') }));
}

async function readSandbox(): Promise<readonly Sample[]> {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const sandbox = await startSandbox({ clock, brief: true, historyFrom: isoDate('2026-09-01') });
  onTestFinished(async () => sandbox.close());
  const vies = async (number: string): Promise<Buffer> =>
    fetchBytes(sandbox.viesUrl, {
      'content-type': 'text/xml',
      body:
        '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
        '<checkVat xmlns="urn:ec.europa.eu:taxud:vies:services:checkVat:types">' +
        `<countryCode>AT</countryCode><vatNumber>${number}</vatNumber></checkVat></s:Body></s:Envelope>`,
    });
  const all: readonly (readonly [Kind, Buffer])[] = [
    ['tedb', await askTedb(sandbox.tedbUrl, ['MT', 'CY'])],
    ['ecb', await fetchBytes(`${sandbox.ecbUrl}eurofxref-daily.xml`)],
    ['ecb', await fetchBytes(`${sandbox.ecbUrl}eurofxref-hist-90d.xml`)],
    ['vies', await vies('U99999901')],
    ['vies', await vies('U00000000')],
  ];
  return all.map(([kind, bytes]) => ({ kind, bytes: bytes.toString('latin1') }));
}

async function askTedb(url: string, states: readonly string[]): Promise<Buffer> {
  const codes = states.map((code) => `<t:isoCode>${code}</t:isoCode>`).join('');
  const service = 'urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService';
  return fetchBytes(url, {
    'content-type': 'text/xml; charset=utf-8',
    soapaction: `"urn:ec.europa.eu:taxud:tedb:services:v1:VatRetrievalService/RetrieveVatRates"`,
    body:
      `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:m="${service}" xmlns:t="${service}:types">` +
      `<s:Body><m:retrieveVatRatesReqMsg><t:memberStates>${codes}</t:memberStates>` +
      '<t:situationOn>2026-11-20</t:situationOn></m:retrieveVatRatesReqMsg></s:Body></s:Envelope>',
  });
}

async function fetchBytes(
  url: string,
  sent?: Readonly<Record<string, string>> & { readonly body: string },
): Promise<Buffer> {
  const { body, ...headers } = sent ?? { body: undefined };
  const answer = await fetch(url, body === undefined ? {} : { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

async function measured<T>(
  run: () => Promise<T>,
): Promise<{ readonly outcome: T; readonly blockedMs: number }> {
  using delay = Object.assign(monitorEventLoopDelay({ resolution: 1 }), {
    [Symbol.dispose](this: { disable(): void }) {
      this.disable();
    },
  });
  delay.enable();
  const outcome = await run();
  return { outcome, blockedMs: delay.max / 1e6 };
}

/** The promise is 100 ms on a machine of one's own; on a shared one only what grows with its square shows. */
function expectShort(blockedMs: number): void {
  expect(blockedMs).toBeLessThan(isFull ? 100 : 2_000);
}
