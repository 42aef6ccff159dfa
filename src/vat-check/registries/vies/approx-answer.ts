import { optionalText, type XmlNode } from '../../../platform/upstream/xml-shape.ts';
import { readVerdict } from './answer.ts';
import { type Match, readDisclosed, type RegistryAnswer } from '../outcome.ts';
import { type Trader, type TraderField, traderFields } from '../../numbers/trader.ts';
import { traderElement } from './document.ts';

const matches: Readonly<Record<string, Match>> = {
  '1': 'valid',
  '2': 'invalid',
  '3': 'not processed',
};

/**
 * Reads the answer about a number, for which the data of a trader may have been sent (rule K7).
 *
 * Spain sends back the texts that it received, in elements in which other Member States send data of their register. So
 * if the answer has matches, a name that equals the one sent is null, and so is an address that has only texts that were
 * sent. Matches of fields that were not sent mean nothing: the test service reports five. A missing match is one that was
 * not processed; an unreadable one has an empty text.
 */
export function readApproxAnswer(message: XmlNode, sent: Trader): RegistryAnswer {
  const read = (name: string): string | null => readDisclosed(optionalText(message, name));
  const matchOf = (field: TraderField) => optionalText(message, `${traderElement(field)}Match`);
  const mayEcho = traderFields.some((field) => matchOf(field) !== undefined);
  const name = read('traderName');
  const address = read('traderAddress') ?? readParts(read);
  return {
    ...readVerdict(message),
    name: mayEcho && isSentName(name, sent) ? null : name,
    address: mayEcho && isSentAddress(address, sent) ? null : address,
    consultationNumber: readDisclosed(optionalText(message, 'requestIdentifier')) ?? undefined,
    traderMatch: Object.fromEntries(
      traderFields
        .filter((field) => sent[field] !== undefined)
        .map((field) => [field, matches[matchOf(field) ?? '3']])
        .filter(([, match]) => match !== undefined),
    ),
  };
}

/** An address in parts, as an address of two lines; null if no part is disclosed. */
function readParts(read: (name: string) => string | null): string | null {
  const place = [read('traderPostcode'), read('traderCity')].filter((part) => part !== null);
  const lines = [read('traderStreet'), place.join(' ')].filter((line) => line !== null);
  return readDisclosed(lines.join('\n'));
}

function isSentName(name: string | null, sent: Trader): boolean {
  return withSingleBlanks(name ?? '') === withSingleBlanks(sent.name ?? '');
}

/** Whether an address has only texts that were sent; their order, signs and blanks between them do not matter. */
function isSentAddress(address: string | null, { street, postcode, city }: Trader): boolean {
  let rest = withSingleBlanks(address ?? '');
  const parts = [street, postcode, city].filter((part) => part !== undefined).map(withSingleBlanks);
  // The longest first, because the name of a street may have that of the city in it.
  for (const part of parts.toSorted((a, b) => b.length - a.length)) rest = rest.replace(part, ' ');
  return !/[\p{L}\p{N}]/u.test(rest);
}

function withSingleBlanks(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
