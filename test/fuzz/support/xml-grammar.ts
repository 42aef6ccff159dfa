/**
 * Whether a schema allows these bytes, one for each character. In the comments of TEDB any byte may stand (rule G10a), and in an
 * answer of VIES outside of what decides (rule K7).
 */
export function isAllowed(schema: RegExp, bytes: string): boolean {
  const decoded = new TextDecoder().decode(Buffer.from(bytes, 'latin1'));
  const isVies = schema === viesDocument || schema === approxDocument;
  const document =
    schema === tedbDocument
      ? withoutUnreadable(decoded)
      : isVies
        ? withoutUndecisive(decoded)
        : decoded;
  // No document has the character itself, so it stands for a byte that is not UTF-8.
  return !document.includes('\u{FFFD}') && schema.test(withoutRemarks(document));
}

function withoutUnreadable(document: string): string {
  return document.replaceAll(/(?<=<comment\s*>)[^<]*(?=<\/comment\s*>)/g, (comment) =>
    // oxlint-disable-next-line no-control-regex -- the characters that a comment may have against the schema of XML
    comment.replaceAll(/[\u{FFFD}\u{0}-\u{8}\u{B}\u{C}\u{E}-\u{1F}]|&#(?:0+|x0+);/gu, ' '),
  );
}

function withoutUndecisive(document: string): string {
  return document.replaceAll(
    // oxlint-disable-next-line no-control-regex -- the characters that a name may have against the schema of XML
    /(<ns2:(countryCode|vatNumber|requestDate|valid)\s*>[^<]*<\/ns2:\2\s*>)|[\u{FFFD}\u{0}-\u{8}\u{B}\u{C}\u{E}-\u{1F}]|&#(?:0+|x0+);/gu,
    (found, decisive: string | undefined) => (decisive === undefined ? ' ' : found),
  );
}

/**
 * The document without comments and instructions, and with text in place of CDATA. The document is
 * returned unchanged if one of these is malformed.
 */
function withoutRemarks(document: string): string {
  const token =
    /<!--((?:(?!--)[^])*)-->|<\?(?!xml[ ?])[a-z][^]*?\?>|<!\[CDATA\[([^]*?)\]\]>|<[^<>]*>|[^<]+/y;
  let kept = '';
  while (token.lastIndex < document.length) {
    const found = token.exec(document);
    if (found === null) return document;
    const [all, , data] = found;
    if (data !== undefined)
      kept += data.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    else if (!/^<(?:!--|\?(?!xml[ ?]))/.test(all)) kept += all;
  }
  return kept;
}

/**
 * The allowed documents of the upstreams, as one regular expression for each kind, taken from their
 * schemas and captures. It shares no code with the parser that it judges: it has the exact prefixes of a
 * document and no namespaces, so it forbids more than a schema does and never less.
 */

/** Blanks between elements. */
const gap = String.raw`[ \t\r\n]*`;
const entity = '&(?:amp|lt|gt|quot|apos|#[1-9][0-9]{1,4}|#x[1-9a-fA-F][0-9a-fA-F]{1,3});';
/** Characters of a text: no markup, and no control characters. */
const plain = String.raw`[^<&\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]`;
const text = String.raw`(?:(?!\]\]>)${plain}|${entity})*`;
const declaration =
  String.raw`(?:<\?xml version=(?:"1\.\d"|'1\.\d')(?:[ \t\r\n]+encoding=(?:"[Uu][Tt][Ff]-8"|'[Uu][Tt][Ff]-8'))?` +
  String.raw`${gap}\?>)?`;

const date = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const xmlDate = String.raw`${date}(?:Z|[+-]\d\d:\d\d)?`;

/** An element without attributes, with blanks in all allowed places. */
function element(name: string, content: string): string {
  return `<${name}${gap}>${content}</${name}${gap}>`;
}

function empty(name: string): string {
  return `(?:<${name}${gap}/>|${element(name, gap)})`;
}

/** A leaf; its blank edges do not matter. */
function leaf(name: string, content: string): string {
  return content === text
    ? `(?:${element(name, text)}|<${name}${gap}/>)`
    : element(name, `${gap}${content}${gap}`);
}

function sequence(...parts: readonly string[]): string {
  return parts.join(gap);
}

const optional = (part: string): string => `(?:${part}${gap})?`;
const many = (part: string): string => `(?:${part}${gap})*`;

function attribute(name: string, value: string): string {
  return String.raw`[ \t\r\n]+${name}${gap}=${gap}(?:"${value}"|'${value}')`;
}

function escape(value: string): string {
  return value.replaceAll('.', String.raw`\.`);
}

function whole(document: string): RegExp {
  return new RegExp(`^${declaration}${gap}${document}${gap}$`, 'u');
}

const soap = escape('http://schemas.xmlsoap.org/soap/envelope/');

function envelope(content: string): RegExp {
  const body = sequence(
    `(?:${empty('env:Header')})?`,
    element('env:Body', `${gap}${content}${gap}`),
  );
  return whole(
    `<env:Envelope${attribute('xmlns:env', soap)}${gap}>${gap}${body}${gap}</env:Envelope${gap}>`,
  );
}

const viesTypes = 'urn:ec.europa.eu:taxud:vies:services:checkVat:types';
const viesResponse = (operation: string): RegExp =>
  envelope(
    `<ns2:${operation}Response${attribute('xmlns:ns2', escape(viesTypes))}${gap}>${gap}` +
      `${others}${viesVerdict.join(others)}${others}</ns2:${operation}Response${gap}>`,
  );
/** Everything else in an answer decides nothing (rule K7): whatever stands there, but not a second verdict. */
const others = String.raw`(?:<(?!/?(?:ns2:(?:countryCode|vatNumber|requestDate|valid|checkVat)|env:))[^<>]*>|[^<])*`;
const viesVerdict = [
  leaf('ns2:countryCode', text),
  leaf('ns2:vatNumber', text),
  leaf('ns2:requestDate', String.raw`${date}(?:T[\d:.]+)?(?:Z|[+-]\d\d:\d\d)?`),
  leaf('ns2:valid', '(?:true|false|1|0)'),
];
/** An answer of VIES to checkVat. */
export const viesDocument = viesResponse('checkVat');
/** An answer of VIES to checkVatApprox. */
export const approxDocument = viesResponse('checkVatApprox');

const tedb = 'urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService';
const code = element('code', sequence('', leaf('value', text), leaf('description', text), ''));
const codes = (name: string): string => optional(element(name, `${gap}${code}${gap}${many(code)}`));
const rateTypes =
  '(?:DEFAULT|REDUCED_RATE|SUPER_REDUCED_RATE|PARKING_RATE|NOT_APPLICABLE|OUT_OF_SCOPE|EXEMPTED)';
/** Elements that the schema does not know may stand between the children of a row. */
const unknown = `(?:${['x', 'value', 'description', 'identifier'].map((name) => leaf(name, text)).join('|')})`;
const rowGap = `${gap}(?:${unknown}${gap})*`;
const row = element(
  'vatRateResults',
  [
    '',
    leaf('memberState', '[A-Z]{2}'),
    leaf('type', '(?:STANDARD|REDUCED)'),
    element(
      'rate',
      sequence('', leaf('type', rateTypes), optional(leaf('value', String.raw`\d+(?:\.\d+)?`))),
    ),
    leaf('situationOn', xmlDate),
    codes('cnCodes') +
      rowGap +
      codes('cpaCodes') +
      rowGap +
      optional(
        element('category', sequence('', leaf('identifier', text), leaf('description', text), '')),
      ) +
      rowGap +
      optional(leaf('comment', text)),
    '',
  ].join(rowGap),
);
/** An answer of TEDB. */
export const tedbDocument = envelope(
  `<ns0:retrieveVatRatesRespMsg(?:${attribute('xmlns', escape(`${tedb}:types`))}` +
    `|${attribute('xmlns:ns0', escape(tedb))}){2}${gap}>${gap}${empty('additionalInformation')}` +
    `${gap}${many(row)}</ns0:retrieveVatRatesRespMsg${gap}>`,
);

const rate =
  `<Cube${attribute('currency', '[A-Z]{3}')}` +
  `${attribute('rate', String.raw`(?=[0-9.]*[1-9])\d+(?:\.\d+)?`)}${gap}(?:/>|>${gap}</Cube${gap}>)`;
const day = `<Cube${attribute('time', date)}${gap}>${gap}${rate}${gap}${many(rate)}</Cube${gap}>`;
/** A file of the ECB. */
export const ecbDocument = whole(
  `<gesmes:Envelope(?:${attribute('xmlns:gesmes', escape('http://www.gesmes.org/xml/2002-08-01'))}` +
    `|${attribute('xmlns', escape('http://www.ecb.int/vocabulary/2002-08-01/eurofxref'))}){2}${gap}>` +
    `${gap}${leaf('gesmes:subject', text)}${gap}` +
    `${element('gesmes:Sender', `${gap}${leaf('gesmes:name', text)}${gap}`)}${gap}` +
    `<Cube${gap}>${gap}${day}${gap}${many(day)}</Cube${gap}>${gap}</gesmes:Envelope${gap}>`,
);
