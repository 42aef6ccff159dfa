import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/send-request.ts';
import { countOf, seedOf, reportFigure } from '../support/proof.ts';
import { shareService } from '../support/start-service.ts';
import { inParallel } from '../support/in-parallel.ts';
import { print, RawRegistry } from './support/raw-registry.ts';
import { answerText, faultText, knownCodes } from './support/vies-texts.ts';

/** Answers to the known codes that are not the 502 of an unknown one. */
const meant = new Map(
  Object.entries<readonly [status: number, error: string]>({
    INVALID_INPUT: [422, 'INVALID_INPUT'],
    SERVICE_UNAVAILABLE: [503, 'SERVICE_UNAVAILABLE'],
    SERVER_BUSY: [503, 'SERVICE_UNAVAILABLE'],
    GLOBAL_MAX_CONCURRENT_REQ: [503, 'SERVICE_UNAVAILABLE'],
    GLOBAL_MAX_CONCURRENT_REQ_TIME: [503, 'SERVICE_UNAVAILABLE'],
    MS_UNAVAILABLE: [503, 'MS_UNAVAILABLE'],
    MS_MAX_CONCURRENT_REQ: [503, 'MS_UNAVAILABLE'],
    MS_MAX_CONCURRENT_REQ_TIME: [503, 'MS_UNAVAILABLE'],
    TIMEOUT: [503, 'TIMEOUT'],
    IP_BLOCKED: [502, 'the registry refuses requests from this service'],
    VAT_BLOCKED: [502, 'the registry refuses requests for this VAT number'],
  }),
);
const unknown = [502, 'the registry answered with an unknown code'] as const;

/** Codes that are nearly known ones, and names of properties of every object. */
const mistaken = [
  ...knownCodes.flatMap((code) => [`${code}S`, `${code}_2`, `${code}2`, `X${code}`, `_${code}`]),
  'invalid_input',
  'CONSTRUCTOR',
  'constructor',
  '__proto__',
  'hasOwnProperty',
];

const unknownCodes = countOf({ full: 1_000, perCommit: 100 });
const seed = seedOf(20_261_120);
const madeUp = fc.sample(
  fc.uniqueArray(
    fc
      .oneof(
        fc.stringMatching(/^[A-Z][A-Z_]{0,30}$/),
        fc.stringMatching(/^(VALID|INVALID|MS|VAT|VOW-ERR)_[A-Z0-9_]{0,20}$/),
        fc.stringMatching(/^[A-Za-z0-9 _.:-]{0,60}$/),
      )
      .filter((code) => !knownCodes.some((known) => known === /\w*/.exec(code.trim())?.[0]))
      .filter((code) => !mistaken.includes(code)),
    { minLength: unknownCodes, maxLength: unknownCodes, size: 'max' },
  ),
  { numRuns: 1, seed },
)[0] as string[];

type Fault = { readonly code: string; readonly text: string; readonly status: 200 | 500 };

/** Each code under both statuses; every second one has a text behind it, and a result in its details. */
const faults: readonly Fault[] = ([200, 500] as const).flatMap((status) =>
  [...knownCodes, ...mistaken, ...madeUp].map((code, at) => {
    const sentence = at % 2 === 0 ? code : `${code}: not processed; valid is false`;
    const verdict = /<ns2:checkVatResponse.*<\/ns2:checkVatResponse>/s.exec(
      answerText({ valid: 'false' }),
    )?.[0];
    const fault = faultText(sentence);
    const detailed = fault.replace('</env:Fault>', `<detail>${verdict}</detail></env:Fault>`);
    return { code, text: at % 4 < 2 ? fault : detailed, status };
  }),
);

// The number of a check is the index of its fault.
const registry = await RawRegistry.start((socket, { vatNumber }) => {
  const { status, text } = faults[Number(vatNumber) - 1_000] as Fault;
  socket.write(print(status, text));
});
afterAll(async () => registry[Symbol.asyncDispose]());

describe('an outage is never an answer (R13, contract C22)', () => {
  const service = shareService({ config: { viesUrl: registry.url } });

  it('for any code of the registry, known or unknown, under HTTP 200 and 500', async () => {
    const states = ['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'EL', 'ES', 'FI', 'FR', 'HR'];
    const answers: { readonly code: string; readonly answer: Answer }[] = [];

    await inParallel(8, faults, async (fault, at) => {
      const path = `/vatcheck/${states[at % states.length]}/${1_000 + at}`;
      answers.push({ code: fault.code, answer: await service().get(path) });
    });

    const falselyInvalid = answers.filter(({ answer }) => answer.text.includes('"valid"'));
    const codes = new Set(answers.map(({ code }) => code));
    const known = knownCodes.filter((code) => codes.has(code)).length;
    reportFigure(
      'R13',
      `${falselyInvalid.length} false valid:false in ${answers.length} answers: ${known} known codes and ` +
        `${codes.size - known} unknown ones of seed ${seed}, each under HTTP 200 and 500`,
    );
    expect(codes.size).toBe(knownCodes.length + mistaken.length + unknownCodes);
    expect(falselyInvalid).toEqual([]);
    expect(registry.checks).toHaveLength(faults.length);
    const differing = answers.filter(({ code, answer }) => {
      const [status, error] = meant.get(code) ?? unknown;
      return answer.status !== status || answer.text !== JSON.stringify({ error });
    });
    expect(differing).toEqual([]);
  });
});
