import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../test/support/answer-of.ts';
import { printFile } from '../../../test/support/print-ecb-file.ts';
import { readXml } from '../../platform/upstream/strict-xml.ts';
import type { XmlNode } from '../../platform/upstream/xml-shape.ts';
import { fileShape, readDay } from './document.ts';

async function read(xml: string) {
  const days: XmlNode[] = [];
  await readXml(answerOf(xml), fileShape, (node) => days.push(node));
  return days.map(readDay);
}

const file = printFile([['2026-11-20', { USD: '1.1790', JPY: '184.50' }]]);

describe('fileShape and readDay', () => {
  it.each([
    ['an unknown currency code', ['currency="USD"', 'currency="usd"']],
    ['a rate of zero', ['1.1790', '0.0000']],
    ['a negative rate', ['1.1790', '-1.1790']],
    ['a rate that is missing', ['1.1790', 'N/A']],
    ['a rate in exponents', ['1.1790', '1.1E3']],
    ['a rate with a comma', ['1.1790', '1,179']],
    ['an empty rate', ['1.1790', '']],
    ['a day without a date', [' time="2026-11-20"', '']],
    ['a date of another form', ['2026-11-20', '20 November 2026']],
    ['another namespace', ['http://www.ecb.int/vocabulary/2002-08-01/eurofxref', 'urn:x']],
    ['no sender', [/<gesmes:Sender>.*<\/gesmes:Sender>/, '']],
    ['a day without rates', [/<Cube currency=.*?\/><Cube currency=.*?\/>/, '']],
    ['a second list', [/(<Cube>.*<\/Cube>)/s, '$1$1']],
  ] as const)('refuse %s', async (_, [from, to]) => {
    const wrong = file.replace(from, to);
    expect(wrong).not.toBe(file);

    await expect(read(wrong)).rejects.toMatchObject({ kind: 'schema' });
  });
});

it.each([
  ['2026-11-20', '2026-11-31', 'the date 2026-11-31, which does not exist'],
  ['JPY', 'USD', '2026-11-20 has USD twice'],
])('readDay names what is wrong if %s is %s', async (from, to, wrong) => {
  expect(await read(file.replace(from, to))).toEqual([wrong]);
});

it('readDay reports the date of a rate that cannot be read', () => {
  const node = (attributes: Record<string, string>, children: XmlNode[] = []): XmlNode => {
    return { name: 'Cube', text: '', attributes, children };
  };
  const wrong = '2026-11-20 has a rate that cannot be read';

  for (const own of [{ currency: 'USD' }, { rate: '1' }]) {
    expect(readDay(node({ time: '2026-11-20' }, [node(own)]))).toBe(wrong);
  }
  expect(readDay(node({}))).toBe('the date , which does not exist');
});
