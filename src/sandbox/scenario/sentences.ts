import { parseDecimal } from '../../platform/decimal.ts';
import type { Scenario } from './scenario.ts';
import type { ReadScript } from './shape.ts';
import { memberStates, type RateField } from '../data/vat-rates.ts';
import { ratesInForce } from './rates-in-force.ts';

/**
 * Sentences for people: `{"say": "HU standard 27 → 25 from tomorrow"}`.
 *
 * Each is another spelling of the JSON form, which `scenario-script.ts` then checks as usual.
 */

type ReadSentence = ReadScript<unknown>;

/** Turns a body with a sentence into the JSON form; any other body comes back as it is. */
export function readSentence(input: unknown, scenario: Scenario): ReadSentence {
  if (typeof input !== 'object' || input === null || !('say' in input)) {
    return { kind: 'script', script: input };
  }
  if (Object.keys(input).length > 1) return invalid('say: expected no other field beside it');
  if (typeof input.say !== 'string') return invalid(`say: expected a sentence, ${knownSentences}`);

  // Arrow, "to" and percent signs are one spelling; case matters in codes only.
  const said = input.say
    .trim()
    .replace(/\s*(→|->|=>)\s*/g, ' to ')
    .replace(/%/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '');
  for (const { pattern, read } of sentences) {
    const match = pattern.exec(said);
    if (match !== null) return read(match.groups ?? {}, scenario);
  }
  return invalid(`say: got ${JSON.stringify(input.say)}, ${knownSentences}`);
}

type Groups = Readonly<Record<string, string | undefined>>;

interface Sentence {
  readonly example: string;
  readonly pattern: RegExp;
  readonly read: (groups: Groups, scenario: Scenario) => ReadSentence;
}

const sentences: readonly Sentence[] = [
  {
    example: 'HU standard 27 → 25 from tomorrow',
    pattern:
      /^(?<country>[A-Z]{2}) (?<field>standard|reduced|super_reduced|parking) (?:(?<before>none|[\d., ]+?) to )?(?<after>none|[\d., ]+?) from (?<from>today|tomorrow|[\d-]+)$/,
    read: readRateSentence,
  },
  {
    example: 'the ECB is a day late',
    pattern: /^the ECB is (?<days>a|one|\d+) days? late$/i,
    read: ({ days }) => script({ ecb: { lateDays: /^\d+$/.test(days ?? '') ? Number(days) : 1 } }),
  },
  {
    example: 'the ECB is on time',
    pattern: /^the ECB is on time$/i,
    read: () => script({ ecb: { lateDays: 0 } }),
  },
  {
    example: 'TEDB is down for 3 answers',
    pattern: /^(?:the )?(?<upstream>TEDB|ECB|VIES) is down(?: for (?<times>\d+) answers?)?$/i,
    read: ({ upstream = '', times }) =>
      script({
        [upstream.toLowerCase()]: {
          // What VIES says when it is down is a SOAP fault.
          fault: /vies/i.test(upstream) ? 'server-fault' : 'unavailable-503',
          times: times === undefined ? null : Number(times),
        },
      }),
  },
  {
    example: 'TEDB takes 800 ms',
    pattern: /^(?:the )?(?<upstream>TEDB|ECB|VIES) takes (?<latencyMs>\d+) ?ms$/i,
    read: ({ upstream = '', latencyMs }) =>
      script({ [upstream.toLowerCase()]: { latencyMs: Number(latencyMs) } }),
  },
  {
    example: 'the ECB is back',
    pattern: /^(?:the )?(?<upstream>TEDB|ECB|VIES) is back$/i,
    read: ({ upstream = '' }) => script({ [upstream.toLowerCase()]: { fault: 'none' } }),
  },
  {
    example: 'VIES answers with a web page',
    pattern: /^(?:the )?(?<upstream>TEDB|ECB|VIES) answers with a web page$/i,
    read: ({ upstream = '' }) =>
      script({ [upstream.toLowerCase()]: { fault: 'html', times: null } }),
  },
  {
    example: 'DE is down for 40 minutes',
    pattern:
      /^(?<country>[A-Z]{2}) is (?<state>down|throttled|back)(?: for (?<count>\d+) (?<unit>minute|answer)s?)?$/i,
    read: readStateSentence,
  },
  {
    example: 'DE is missing from TEDB',
    pattern: /^(?<country>[A-Z]{2}) is missing from TEDB$/i,
    read: ({ country = '' }) => script({ tedb: { missing: [country.toUpperCase()] } }),
  },
  {
    example: 'the ECB corrects NOK of 2025-10-23 to 11.5829',
    pattern: /^the ECB corrects (?<currency>[A-Z]{3}) of (?<date>[\d-]+) to (?<value>[\d.]+)$/i,
    read: ({ currency, date, value }) =>
      script({ ecb: { corrections: [{ currency: currency?.toUpperCase(), date, value }] } }),
  },
  {
    example: 'today is 2026-11-21',
    pattern: /^(?:today|it) is (?<today>tomorrow|[\d-]+)$/i,
    read: ({ today }) => script({ today }),
  },
];

const knownSentences = `expected a sentence like ${sentences
  .map(({ example }) => `"${example}"`)
  .join(', ')}`;

/** The values before the arrow must be the ones in force: a wrong one is a misunderstanding. */
function readRateSentence(groups: Groups, scenario: Scenario): ReadSentence {
  const { country = '', field = '', before, after = '', from } = groups;
  const registryCode = country === 'GR' ? 'EL' : country;
  const inForce = ratesInForce(registryCode, scenario.today, scenario.state.rates);
  const now = inForce[field as RateField].toSorted(byNumber);
  const misunderstood =
    before !== undefined && readValues(before).toSorted(byNumber).join() !== now.join();
  if (misunderstood && memberStates.includes(registryCode)) {
    return invalid(`say: ${country} ${field} is ${now.join(', ') || 'none'} today, not ${before}`);
  }
  return script({ rates: [{ country, field, values: readValues(after), from }] });
}

function readStateSentence({ country = '', state = '', count, unit }: Groups): ReadSentence {
  const said = state.toLowerCase();
  const entry = {
    state: said === 'back' ? 'up' : said,
    ...(count === undefined
      ? {}
      : { [unit?.toLowerCase() === 'answer' ? 'times' : 'untilMinutes']: Number(count) }),
  };
  return script({ vies: { memberStates: { [country.toUpperCase()]: entry } } });
}

function byNumber(a: string, b: string): number {
  return Number(a) - Number(b);
}

/** A value that is no decimal stays as it was said, and the check of the script names it. */
function readValues(said: string): readonly string[] {
  if (said === 'none') return [];
  return said.split(/[, ]+/).map((value) => parseDecimal(value) ?? value);
}

function script(value: object): ReadSentence {
  return { kind: 'script', script: value };
}

function invalid(problem: string): ReadSentence {
  return { kind: 'invalid', problems: [problem] };
}
