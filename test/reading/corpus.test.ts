import { describe, expect, it } from 'vitest';
import { readNumbers } from '../../src/vat-check/reading/read-numbers.ts';
import { findTable, readTable } from '../../src/vat-check/reading/read-table.ts';
import { mails, type Sample } from './mails.ts';
import { tables } from './tables.ts';

/** What the reader says about a text, in the form of a sample; of the reasons those that the sample expects. */
function read({ text, country, named = [] }: Sample) {
  const table = findTable(text, country);
  const { numbers, unread } =
    table === undefined ? readNumbers(text, country) : readTable(table, { chosen: country });
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

const samples = [...mails, ...tables].map((sample) => [titleOf(sample), sample] as const);

describe('the reader of e-mails and tables (rules K12, K19)', () => {
  it.each(samples)('reads each number, and names what is none: %s', (_, sample) => {
    const { numbers, named = [] } = sample;

    expect(read(sample)).toEqual({ numbers, named, untrue: [] });
  });
});
