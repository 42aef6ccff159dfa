import { envelopeShape } from '../../../platform/upstream/soap.ts';
import type { ExchangeAnswer } from '../../../platform/upstream/exchange.ts';
import { readXml } from '../../../platform/upstream/strict-xml.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { anyText, leavesIn, type XmlShape } from '../../../platform/upstream/xml-shape.ts';
import { parseIsoDate } from '../../../platform/time/time.ts';
import type { TraderField } from '../../numbers/trader.ts';

export const typesNamespace = 'urn:ec.europa.eu:taxud:vies:services:checkVat:types';

const leaf = leavesIn(typesNamespace);

/** A leaf that may be missing or unreadable: the verdict does not depend on it (rule K7). */
function detail(name: string, text = anyText, min = 0): XmlShape {
  return { ...leaf(name, text, min), undecisive: true };
}

/** `xs:date`, or `xs:dateTime`, of which the time is left out. */
const requestDateForm =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?)?(Z|[+-][01][0-9]:[0-5][0-9])?$/;

/** Reads a date with its offset, as `2026-02-13+01:00`; undefined if it is no real date. */
export function readRequestDate(text: string): string | undefined {
  const [, date = '', offset = ''] = requestDateForm.exec(text) ?? [];
  return parseIsoDate(date) === undefined ? undefined : `${date}${offset}`;
}

/** The elements with which the answers to both operations begin. */
const verdict = [
  leaf('countryCode', anyText),
  // Empty in some answers for numbers that are not on file.
  leaf('vatNumber', anyText),
  leaf('requestDate', { test: (text) => readRequestDate(text) !== undefined }),
  leaf('valid', /^(true|false|1|0)$/),
];

/** A message whose elements that are not known are passed over. */
function messageOf(name: string, details: readonly XmlShape[]): XmlShape {
  const children = [...verdict, ...details];
  return envelopeShape({ namespace: typesNamespace, name, children, open: true });
}

/** The answer to `checkVat`, or a fault. Prefixes are free: they changed overnight in August 2022. */
export const answerShape = messageOf('checkVatResponse', [detail('name'), detail('address')]);

/** 1 is valid, 2 invalid, 3 not processed. */
const matchCode = /^[123]$/;

/** The answer to `checkVatApprox`, or a fault. */
export const approxAnswerShape = messageOf('checkVatApproxResponse', [
  detail('traderName'),
  // Real answers have the first three forms, which the schema of VIES forbids.
  detail('traderCompanyType', /^(|---|000|[A-Z]{2}-[1-9][0-9]?)$/),
  detail('traderAddress'),
  detail('traderStreet'),
  detail('traderPostcode'),
  detail('traderCity'),
  detail('traderNameMatch', matchCode),
  detail('traderCompanyTypeMatch', matchCode),
  detail('traderStreetMatch', matchCode),
  detail('traderPostcodeMatch', matchCode),
  detail('traderCityMatch', matchCode),
  // Empty without a requester, but never missing.
  detail('requestIdentifier', anyText, 1),
]);

/** The element of a trader's field, in requests and in answers: `traderCompanyType`. */
export function traderElement(field: TraderField): string {
  return `trader${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}

/** Failures of a document that may be readable but for a text that does not decide. */
const unreadableTexts: readonly string[] = ['encoding', 'malformed'];

/**
 * Reads an answer against one of the shapes. A document with a byte that is not UTF-8, or with a forbidden control
 * character, is read once more: if these are in details only, those are empty, and everything else is read (rule K7).
 */
export async function readAnswerDocument(
  answer: ExchangeAnswer,
  shape: XmlShape,
): ReturnType<typeof readXml> {
  const source = answer.chunks[Symbol.asyncIterator]();
  const kept: Uint8Array[] = [];
  const readFurther = async function* () {
    for (;;) {
      const { done, value } = await source.next();
      if (done === true) return;
      kept.push(value);
      yield value;
    }
  };
  try {
    return await readXml({ ...answer, chunks: readFurther() }, shape);
  } catch (error) {
    if (!(error instanceof UpstreamError && unreadableTexts.includes(error.kind))) throw error;
    const again = async function* () {
      yield* kept;
      yield* readFurther();
    };
    return await readXml({ ...answer, chunks: again() }, withLenientDetails(shape));
  } finally {
    await source.return?.();
  }
}

function withLenientDetails(shape: XmlShape): XmlShape {
  if (shape.undecisive === true) return { ...shape, lenient: true };
  const { children } = shape;
  return children === undefined ? shape : { ...shape, children: children.map(withLenientDetails) };
}
