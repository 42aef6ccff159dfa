import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { hasCaptures, readCapture, unlessAbsent } from '../real-input/captures.ts';
import { Dice } from '../support/dice.ts';
import { countOf, isFull, seedOf, reportFigure } from '../support/proof.ts';
import { SettableClock } from '../support/settable-clock.ts';
import { openClients, readLeniently } from './support/xml-clients.ts';
import {
  approxDocument,
  ecbDocument,
  isAllowed,
  tedbDocument,
  viesDocument,
} from './support/xml-grammar.ts';
import { mutate, mutateEach } from './support/xml-mutants.ts';
import {
  queryTedb,
  fetchBytes,
  readCaptures,
  readSandbox,
  type Sample,
} from './support/xml-samples.ts';

/** Random mutants of each document; there are seven from the sandbox and seven captures. */
const mutantsOfEach = countOf({ full: 1_000, perCommit: 20 });
const seed = seedOf(20_261_121);
const schemas = {
  tedb: tedbDocument,
  ecb: ecbDocument,
  vies: viesDocument,
  approx: approxDocument,
} as const;

/** The promised bound in full runs. A commit shares its machine, so there the bound only finds quadratic time. */
const longestMs = isFull ? 100 : 2_000;
const patienceMs = isFull ? 600_000 : 60_000;

describe('a document that its schema forbids (reliability R12)', () => {
  it(
    'is never accepted, in the forms of the sandbox',
    async () => {
      const tried = await tryMutants(await readSandbox());

      tellOf('the sandbox', tried);
      expect(tried.forbidden.slice(0, 20)).toEqual([]);
      expectBothWays(tried);
    },
    patienceMs,
  );

  it.skipIf(!hasCaptures)(
    `is never accepted, in the forms of the real upstreams${unlessAbsent}`,
    async () => {
      const tried = await tryMutants(readCaptures());

      tellOf('the real upstreams', tried);
      expect(tried.forbidden.slice(0, 20)).toEqual([]);
      expectBothWays(tried);
    },
    patienceMs,
  );
});

describe('a lenient reader (reliability R12)', () => {
  it('fails this check', async () => {
    const tried = await tryMutants(await readSandbox(), readLeniently);

    expect(tried.forbidden.length).toBeGreaterThan(tried.refused);
  });
});

describe.skipIf(!hasCaptures)(
  `a real answer of TEDB that is cut (reliability R12)${unlessAbsent}`,
  () => {
    it(
      'is refused for every cut',
      async () => {
        const whole = readCapture('tedb/response_DE_2025-08-12.xml');
        const { tedb } = await openClients();
        const every = countOf({ full: 1, perCommit: 500 });
        // Near the end every byte is tried, because little is missing there.
        const near = whole.length - 50;
        const lengths = Array.from(whole.keys()).filter((at) => at % every === 0 || at > near);

        const accepted: number[] = [];
        for (const length of lengths) {
          if ((await tedb(whole.subarray(0, length))) === 'accepted') accepted.push(length);
        }

        reportFigure(
          'R12',
          `a real answer of TEDB of ${whole.length} bytes, cut at ${lengths.length} places: ` +
            `${accepted.length} accepted; a lenient reader accepts ` +
            `${lengths.filter((length) => readLeniently('tedb', whole.subarray(0, length)) === 'accepted').length}`,
        );
        expect(await tedb(whole)).toBe('accepted');
        expect(accepted).toEqual([]);
      },
      patienceMs,
    );
  },
);

describe('a document that is large, deep or hostile (reliability R12)', () => {
  const tedbOf = (rows: string): string =>
    '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>' +
    '<m:retrieveVatRatesRespMsg xmlns:m="urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService"' +
    ` xmlns="urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService:types">${rows}`;
  const tedbEnd = '</m:retrieveVatRatesRespMsg></env:Body></env:Envelope>';
  const fault =
    '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><env:Fault>' +
    '<faultcode>x</faultcode><faultstring>x</faultstring><detail>';
  const faultEnd = '</detail></env:Fault></env:Body></env:Envelope>';
  const waits: number[] = [];
  afterAll(() => {
    reportFigure(
      'R12',
      `${waits.length} documents that are large, deep or hostile, or only long: ` +
        `the event loop waited ${Math.max(...waits).toFixed(0)} ms at most`,
    );
  });
  const entities = Array.from(
    { length: 20 },
    (_, at) => `<!ENTITY l${at + 1} "&l${at};&l${at};&l${at};">`,
  );
  const mega = 1_000_000;

  it.each<[what: string, body: string]>([
    ['500,000 levels', '<a>'.repeat(500_000)],
    ['500,000 levels in an answer', `${tedbOf('')}${'<a>'.repeat(500_000)}`],
    ['500,000 levels in a fault', `${fault}${'<a>'.repeat(500_000)}`],
    ['30 levels in a fault', `${fault}${'<a>'.repeat(30)}${'</a>'.repeat(30)}${faultEnd}`],
    [
      'a text of 300,000',
      tedbOf(`<additionalInformation>${'x'.repeat(300_000)}</additionalInformation>${tedbEnd}`),
    ],
    ['a text of 300,000 in a fault', `${fault}${'x'.repeat(300_000)}${faultEnd}`],
    ['a DOCTYPE in a good answer', `<!DOCTYPE x>${tedbOf(`<additionalInformation/>${tedbEnd}`)}`],
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
  ])('is refused and does not block the event loop: %s', async (_what, body) => {
    const { tedb } = await openClients();

    const { outcome, blockedMs } = await measured(async () => tedb(Buffer.from(body)));

    waits.push(blockedMs);
    expect(outcome).toMatch(/^(malformed|schema|too-large|truncated)$/);
    expectShort(blockedMs);
  });

  it('is read in slices if it is valid and long: all of TEDB, and 27 years of the ECB', async () => {
    const clients = await openClients();
    const clock = new SettableClock('2026-11-20T16:00:00Z');
    await using parts = new AsyncDisposableStack();
    const sandbox = await startSandbox({ clock });
    parts.defer(async () => sandbox.close());
    const states =
      'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';
    const rows = await queryTedb(sandbox.tedbUrl, states.split(' '));
    const history = await fetchBytes(`${sandbox.ecbUrl}eurofxref-hist.xml`);

    const tedb = await measured(async () => clients.tedb(rows));
    const ecb = await measured(async () => clients.ecb(history));

    waits.push(tedb.blockedMs, ecb.blockedMs);
    expect([tedb.outcome, ecb.outcome]).toEqual(['accepted', 'accepted']);
    expectShort(tedb.blockedMs);
    expectShort(ecb.blockedMs);
  });
});

type Tried = {
  readonly refused: number;
  readonly accepted: number;
  /** Documents that were accepted against the schema. */
  readonly forbidden: readonly string[];
};

/** Lets the real clients or a lenient reader read mutants. */
async function tryMutants(
  samples: readonly Sample[],
  broken?: (kind: Sample['kind'], body: Uint8Array) => string,
): Promise<Tried> {
  const clients = await openClients();
  const read = async (kind: Sample['kind'], bytes: string): Promise<string> => {
    const body = Buffer.from(bytes, 'latin1');
    return broken?.(kind, body) ?? clients[kind](body);
  };
  const dice = new Dice(seed);
  const forbidden: string[] = [];
  let [accepted, refused] = [0, 0];

  for (const { kind, bytes } of samples) {
    const outcome = await read(kind, bytes);
    expect([isAllowed(schemas[kind], bytes), outcome]).toEqual([true, 'accepted']);
    const random = Array.from({ length: mutantsOfEach }, () => mutate(dice, bytes));
    for (const [made, mutant] of [...mutateEach(bytes), ...random].entries()) {
      const became = await read(kind, mutant);
      if (became !== 'accepted') refused += 1;
      else if (isAllowed(schemas[kind], mutant)) accepted += 1;
      else
        forbidden.push(`${kind}, mutant ${made} of seed ${seed}: ${differenceOf(bytes, mutant)}`);
    }
  }
  return { refused, accepted, forbidden };
}

function tellOf(origin: string, { refused, accepted, forbidden }: Tried): void {
  reportFigure(
    'R12',
    `${refused + accepted + forbidden.length} mutants of documents of ${origin} (seed ${seed}): ` +
      `${refused} refused, ${accepted} accepted that the schema allows, ${forbidden.length} that it forbids`,
  );
}

/** Some mutants must be accepted and some refused; otherwise the check shows nothing. */
function expectBothWays({ refused, accepted, forbidden }: Tried): void {
  const all = refused + accepted + forbidden.length;
  expect(accepted).toBeGreaterThan(all * 0.02);
  expect(refused).toBeGreaterThan(all * 0.3);
}

/** The mutant from the first to the last byte that differs. */
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

/** The outcome, and the longest wait of the event loop. */
async function measured<T>(
  run: () => Promise<T>,
): Promise<{ readonly outcome: T; readonly blockedMs: number }> {
  using delay = Object.assign(monitorEventLoopDelay({ resolution: 1 }), {
    [Symbol.dispose](this: { disable(): void }) {
      this.disable();
    },
  });
  delay.enable();
  let outcome = await run();
  let blockedMs = delay.max / 1e6;
  // Others on the machine can make it late as well, but hardly three times.
  for (let again = 0; again < 2 && blockedMs >= longestMs; again += 1) {
    delay.reset();
    outcome = await run();
    blockedMs = Math.min(blockedMs, delay.max / 1e6);
  }
  return { outcome, blockedMs };
}

function expectShort(blockedMs: number): void {
  expect(blockedMs).toBeLessThan(longestMs);
}
