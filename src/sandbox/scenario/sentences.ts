import { bankNames } from '../../platform/publication/data-set-kinds.ts';
import { parseDecimal } from '../../platform/values/decimal.ts';
import { memberStates, type RateField } from '../data/vat-rates.ts';
import { ratesInForce } from './rates-in-force.ts';
import { isObject } from '../../platform/fields/field.ts';
import type { Scenario } from './scenario.ts';
import { type ReadScript } from './script-forms.ts';

/**
 * Scripts as sentences: `{"say": "HU standard 27 → 25 from tomorrow"}`.
 *
 * Each sentence is turned into the JSON form, which `script.ts` then checks.
 */

/** Turns a body with a sentence into the JSON form; any other body is returned as it is. */
export function readSentence(body: unknown, scenario: Scenario): ReadScript<unknown> {
  if (!isObject(body) || !('say' in body)) return { kind: 'script', script: body };
  const read =
    Object.keys(body).length > 1
      ? 'expected no other field beside it'
      : readSay(body['say'], scenario);
  return typeof read === 'string'
    ? { kind: 'invalid', problems: [`say: ${read}`] }
    : { kind: 'script', script: read };
}

/** The script that a sentence stands for, or the problem with the sentence. */
function readSay(say: unknown, scenario: Scenario): object | string {
  if (typeof say !== 'string') return `expected a sentence, ${knownSentences}`;
  // Arrows are read as "to" and percent signs are ignored.
  const said = say
    .trim()
    .replace(/\s*(→|->|=>)\s*/g, ' to ')
    .replace(/%/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '');
  for (const { pattern, read } of sentences) {
    const match = pattern.exec(said);
    if (match !== null) return read(match.groups ?? {}, scenario);
  }
  return `got ${JSON.stringify(say)}, ${knownSentences}`;
}

/** The banks as alternatives of a pattern. */
const banks = ['ecb', ...bankNames].join('|');

type Groups = Readonly<Record<string, string | undefined>>;

interface Sentence {
  readonly example: string;
  readonly pattern: RegExp;
  /** The script that the sentence stands for, or the problem with it. */
  readonly read: (groups: Groups, scenario: Scenario) => object | string;
}

/** A sentence about one of the upstreams: `the ECB takes 800 ms`. */
function ofUpstream(
  example: string,
  predicate: string,
  read: (groups: Groups, upstream: string) => object,
): Sentence {
  return {
    example,
    pattern: new RegExp(`^(?:the )?(?<upstream>tedb|vies|${banks}) ${predicate}$`, 'i'),
    read: (groups) => {
      const upstream = groups['upstream']?.toLowerCase() ?? '';
      return { [upstream]: read(groups, upstream) };
    },
  };
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
    pattern: new RegExp(`^the (?<bank>${banks}) is (?<days>a|one|\\d+) days? late$`, 'i'),
    read: ({ bank = '', days }, { today }) => ({
      [bank.toLowerCase()]: {
        lateDays: /^\d+$/.test(days ?? '') ? Number(days) : 1,
        ...(/ecb/i.test(bank) ? {} : { lateFrom: today }),
      },
    }),
  },
  {
    example: 'the ECB is on time',
    pattern: new RegExp(`^the (?<bank>${banks}) is on time$`, 'i'),
    read: ({ bank = '' }) => ({ [bank.toLowerCase()]: { lateDays: 0 } }),
  },
  ofUpstream(
    'TEDB is down for 3 answers',
    'is down(?: for (?<times>\\d+) answers?)?',
    ({ times }, upstream) => ({
      // VIES reports its own outages as a SOAP fault.
      fault: upstream === 'vies' ? 'server-fault' : 'unavailable-503',
      times: times === undefined ? null : Number(times),
    }),
  ),
  ofUpstream('TEDB takes 800 ms', 'takes (?<latencyMs>\\d+) ?ms', ({ latencyMs }) => ({
    latencyMs: Number(latencyMs),
  })),
  ofUpstream('the ECB is back', 'is back', () => ({ fault: 'none' })),
  ofUpstream('VIES answers with a web page', 'answers with a web page', () => ({
    fault: 'html',
    times: null,
  })),
  {
    example: 'DE is down for 40 minutes',
    pattern:
      /^(?<country>[A-Z]{2}) is (?<state>down|throttled|back)(?: for (?<count>\d+) (?<unit>minute|answer)s?)?$/i,
    read: readStateSentence,
  },
  {
    example: 'DE is missing from TEDB',
    pattern: /^(?<country>[A-Z]{2}) is missing from TEDB$/i,
    read: ({ country = '' }) => ({ tedb: { missing: [country.toUpperCase()] } }),
  },
  {
    example: 'the ECB corrects NOK of 2025-10-23 to 11.5829',
    pattern: /^the ECB corrects (?<currency>[A-Z]{3}) of (?<date>[\d-]+) to (?<value>[\d.]+)$/i,
    read: ({ currency, date, value }) => ({
      ecb: { corrections: [{ currency: currency?.toUpperCase(), date, value }] },
    }),
  },
  {
    example: 'today is 2026-11-21',
    pattern: /^(?:today|it) is (?<today>tomorrow|[\d-]+)$/i,
    read: ({ today }) => ({ today }),
  },
];

const knownSentences = `expected a sentence like ${sentences
  .map(({ example }) => `"${example}"`)
  .join(', ')}`;

/** The values before the arrow must be those in force: otherwise the sentence rests on a mistake. */
function readRateSentence(groups: Groups, scenario: Scenario): object | string {
  const { country = '', field = '', before, after = '', from } = groups;
  const registryCode = country === 'GR' ? 'EL' : country;
  const inForce = ratesInForce(registryCode, scenario.today, scenario.state.rates);
  const now = inForce[field as RateField].toSorted(byNumber);
  const isWrong =
    before !== undefined && readValues(before).toSorted(byNumber).join() !== now.join();
  if (isWrong && memberStates.includes(registryCode)) {
    return `${country} ${field} is ${now.join(', ') || 'none'} today, not ${before}`;
  }
  return { rates: [{ country, field, values: readValues(after), from }] };
}

function readStateSentence({ country = '', state = '', count, unit }: Groups): object {
  const said = state.toLowerCase();
  const end = unit?.toLowerCase() === 'answer' ? 'times' : 'untilMinutes';
  const entry = {
    state: said === 'back' ? 'up' : said,
    ...(count === undefined ? {} : { [end]: Number(count) }),
  };
  return { vies: { memberStates: { [country.toUpperCase()]: entry } } };
}

function byNumber(a: string, b: string): number {
  return Number(a) - Number(b);
}

/** Values that are not decimals stay as they are written; the check of the script reports them. */
function readValues(said: string): readonly string[] {
  if (said === 'none') return [];
  return said.split(/[, ]+/).map((value) => parseDecimal(value) ?? value);
}
