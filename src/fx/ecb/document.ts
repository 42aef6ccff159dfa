import { decimalPattern, parseDecimal } from '../../platform/values/decimal.ts';
import { isoDate, parseIsoDate } from '../../platform/time/time.ts';
import { anyText, type XmlNode, type XmlShape } from '../../platform/upstream/xml-shape.ts';
import { type CurrencyCode, type FxSnapshot, parseCurrencyCode } from '../snapshot.ts';

const gesmes = 'http://www.gesmes.org/xml/2002-08-01';
const eurofxref = 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref';

const rate: XmlShape = {
  namespace: eurofxref,
  name: 'Cube',
  attributes: [
    ['currency', /^[A-Z]{3}$/],
    // Not zero, and in plain notation, as every rate since 1999.
    ['rate', new RegExp(`(?=.*[1-9])${decimalPattern.source}`)],
  ],
  max: Infinity,
};

const day: XmlShape = {
  namespace: eurofxref,
  name: 'Cube',
  attributes: [['time', /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/]],
  children: [rate],
  max: Infinity,
  each: true,
};

/** The daily, 90-day and full-history files, which differ in layout and length only. */
export const fileShape: XmlShape = {
  namespace: gesmes,
  name: 'Envelope',
  children: [
    { namespace: gesmes, name: 'subject', text: anyText },
    {
      namespace: gesmes,
      name: 'Sender',
      children: [{ namespace: gesmes, name: 'name', text: anyText }],
    },
    { namespace: eurofxref, name: 'Cube', children: [day] },
  ],
};

/** Reads one day of a file; returns an error sentence if the shape is right and the content is not. */
export function readDay(node: XmlNode): FxSnapshot | string {
  const time = node.attributes['time'] ?? '';
  if (parseIsoDate(time) === undefined) return `the date ${time}, which does not exist`;

  const rates = new Map<CurrencyCode, string>();
  for (const { attributes } of node.children) {
    const currency = parseCurrencyCode(attributes['currency'] ?? '');
    const value = parseDecimal(attributes['rate'] ?? '');
    if (currency === undefined || value === undefined)
      return `${time} has a rate that cannot be read`;
    if (rates.has(currency)) return `${time} has ${currency} twice`;
    rates.set(currency, value);
  }
  return { date: isoDate(time), rates };
}
