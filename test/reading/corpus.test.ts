import { describe, expect, it } from 'vitest';
import { findTable, guessColumns, readWritten } from '../../web/src/check/read-table.ts';
import { mails, type Sample } from './mails.ts';
import { tables } from './tables.ts';

/** What the reader says about a text, in the form of a sample; of the reasons those that the sample expects. */
function read({ text, country, named = [] }: Sample) {
  const table = findTable(text);
  const columns = table && guessColumns(table, country);
  const { numbers, unread } = readWritten({
    text,
    country,
    table: table && columns && { ...table, columns },
  });
  const faults = unread.map(({ fault }) => fault);
  return {
    numbers: numbers.map(({ countryCode, vatNumber }) => `${countryCode} ${vatNumber}`),
    named: named.filter((reason) => faults.some((fault) => fault.includes(reason))),
    untrue: unread.filter(
      ({ text, fault }) => fault.startsWith('the letters') && /\b[A-Z]{2}[ -]?\d/.test(text),
    ),
  };
}

const titleOf = ({ language, title }: Sample): string => `${language}: ${title}`;

/** Samples that the reader of today reads wrongly. */
const notYet: readonly string[] = [
  'de: two numbers in one sentence',
  'de: a list with one comma in each line',
  'de: a signature with telephone, tax number and account',
  'fr: three numbers with their groups',
  'fr: labels before numbers without letters',
  'es: labels in a sentence',
  'es: a number that is too short',
  'it: a label, and the code of a person',
  'it: numbers between commas',
  'pl: three registers in one line',
  'pl: two numbers in one sentence',
  'cs: numbers without letters',
  'el: two numbers in one sentence',
  'el: labels of two kinds',
  'en: a number of Great Britain among others',
  'en: quoted lines',
  'pt: a number of Switzerland among others',
  'ro: several codes in one line',
  'de: a label in each cell',
  'fr: no headings, and labels',
  'es: cells with and without a label',
  'it: postcodes beside numbers',
  'cs: both without letters',
  'el: telephones before numbers, with labels',
  'pt: an address beside numbers',
  'bg: the number of the company before that of the tax',
];
const samples = [...mails, ...tables].map((sample) => [titleOf(sample), sample] as const);

describe('the reader of e-mails and tables (rules K12, K19)', () => {
  it.each(samples.filter(([title]) => !notYet.includes(title)))(
    'reads each number, and names what is none: %s',
    (_, sample) => {
      const { numbers, named = [] } = sample;

      expect(read(sample)).toEqual({ numbers, named, untrue: [] });
    },
  );

  it.fails.each(samples.filter(([title]) => notYet.includes(title)))(
    'does not yet read each number, or names it wrongly: %s',
    (_, sample) => {
      const { numbers, named = [] } = sample;

      expect(read(sample)).toEqual({ numbers, named, untrue: [] });
    },
  );
});
