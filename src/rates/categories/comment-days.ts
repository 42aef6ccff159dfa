import { type IsoDate, parseIsoDate } from '../../platform/time/time.ts';
import type { CommentDays } from './category-row.ts';
import { readPercentages } from './odd-rates.ts';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const month = months.join('|');

/** The forms of a day in TEDB's comments, as regular expressions like all lists here. Letter case is ignored. */
const dayForms = [
  String.raw`(?<day>\d{1,2}) (?<month>${month}) (?<year>\d{4})`,
  String.raw`(?<month>${month}) (?<day>\d{1,2}), (?<year>\d{4})`,
  // The day comes first: "Until 31/8/2022".
  String.raw`(?<day>\d{1,2})/(?<month>\d{1,2})/(?<year>\d{4})`,
  String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})`,
];

/** The forms of a span. Two days come before one, because the first form that matches counts. */
const spanForms = ['(?:as )?from FROM (?:to|until) TO', '(?:as )?from FROM', 'until TO'];

/** Words behind a first date that make it a part of a condition or of a longer span. */
const conditions = [
  'if|unless|when|where|provided|or|and|but|to|not|exclusive',
  '(?:for )?(?:contracts|invoices|orders)',
];

/** Words with which a date is not the row's own, or may not be. */
const foreignWords = [
  // A history.
  'was|were|been|had|previous|previously|former|formerly|instead|then|thereafter|restored|replaced',
  'reduced (?:from|to)|increased|raised|decreased|lowered|changed|abolished|repealed|expired',
  // Another time.
  String.raw`until|till|since|before|after|afterwards|(?:from|to|in|by|of|during) (?:19|20)\d\d`,
  String.raw`\d{1,2}/\d{1,2}/\d{2,4}|\d{1,2}[.-]\d{1,2}[.-](?:19|20)\d\d|\d{4}-\d\d-\d\d`,
  String.raw`\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${month})|(?:${month}),? \d+`,
  // Another rate, or none.
  'per ?cent|(?:standard|ordinary|normal)[ -](?:VAT[ -]|tax[ -])?rated?',
  '(?:is|are|does|do|shall) not|no longer|excluded',
];

/** Words in front of a last date that make it, or may make it, the day of a contract, a law, a book or a sale. */
const ownersOfDate = [
  'contracts?|agreements?|invoices?|orders?|payments?|permits?|licences?|age',
  'subscriptions?|applications?|dates?|in case',
  'laws?|acts?|decrees?|codes?|regulations?',
  'concluded|signed|ordered|invoiced|paid|issued|registered|acquired|dating|takes? place',
  'born|published|produced|manufactured|built|constructed|started|begun|completed',
  'if|unless|provided that|when|where|who|whose|which|or|not|except',
];

/** Participles that say that the row is in force. Any other one in front of a last date may be about the goods. */
const ownParticiples = ['applied', 'taxed', 'exempted', 'rated', 'reduced', 'extended'];

const anyDay = dayForms.join('|').replaceAll(/\(\?<\w+>/g, '(?:');
const spans = spanForms.map((form) =>
  form.replace('FROM', `(?<from>${anyDay})`).replace('TO', `(?<to>${anyDay})`),
);
const days = dayForms.map((form) => new RegExp(`^(?:${form})$`, 'i'));
const atStart = spans.map((span) => new RegExp(String.raw`^\(?${span}(?![\p{L}\p{N}])`, 'iu'));
const atEnd = spans.map((span) => new RegExp(String.raw`(?<![\p{L}\p{N}])${span}[.)]{0,2}$`, 'iu'));

const isForeign = new RegExp(anyOf(foreignWords), 'i');
const isOwned = new RegExp(anyOf(ownersOfDate), 'i');
const isCondition = new RegExp(String.raw`^\W{0,9}${anyOf(conditions)}`, 'i');
/** A sentence in front of a last date that is about the row as a whole. */
const isOfRow =
  /^\W{0,9}(?:(?:(?:it|this|(?:the )?(?:reduced )?(?:VAT )?rate) )?(?:is )?(?:applies|applicable|valid|in force))?\W*$/i;
/** The end of a sentence, a line or an item of a list. */
const endOfPart = /[\n;]|\.\s+(?=\p{Lu}|$)/u;

/**
 * Reads the days that a row's comment names at its beginning or its end, if they are the row's own (rule G5b).
 *
 * `comment` is plain text, `rate` the row's rate in percentage points as a canonical decimal. Null if the comment names no
 * days, days that do not exist or are in the wrong order, days of something else than the row, or is not understood.
 */
export function readDays(comment: string | null, rate: string | null): CommentDays | null {
  const text = (comment ?? '').replaceAll(/[^\S\n]+/g, ' ').trim();
  const span = findSpan(text);
  if (span === undefined) return null;
  const { before, after } = span;
  if (isForeign.test(`${before}\n${after}`) || namesOtherRate(text, rate)) return null;
  return (before === '' ? ownsFirst(after) : ownsLast(before)) ? toDays(span) : null;
}

/** A span at one end of a comment, and the text before and after it, of which one is empty. */
type Span = {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly before: string;
  readonly after: string;
};

function findSpan(text: string): Span | undefined {
  const first = match(atStart, text);
  const found = first ?? match(atEnd, text);
  if (found === undefined) return undefined;
  const length = found[0].length;
  return {
    from: found.groups?.['from'],
    to: found.groups?.['to'],
    before: first === undefined ? text.slice(0, -length) : '',
    after: first === undefined ? '' : text.slice(length),
  };
}

/** Whether a first date is about all of the text behind it, not about the first of several sentences or items. */
function ownsFirst(after: string): boolean {
  const [own = '', ...others] = after.split(endOfPart);
  return !isCondition.test(after) && (isBlank(own) || others.every(isBlank));
}

/** Whether a last date is about all of the text in front of it, and about the row, not about a contract or a book. */
function ownsLast(before: string): boolean {
  const parts = before.split(endOfPart);
  const own = parts.at(-1) ?? '';
  if (parts.length > 1) return isOfRow.test(own);
  // In brackets behind a list, a date may be about the last item alone.
  const bracketAt = own.lastIndexOf('(');
  const isInBrackets = bracketAt > own.lastIndexOf(')');
  if (isInBrackets && /,|\band\b/.test(own.slice(0, bracketAt))) return false;
  if (isOwned.test(own)) return false;
  const participle = /(\p{L}+ed|made|sold|bought)\W*$/iu.exec(own.slice(-40))?.[1]?.toLowerCase();
  // Croatia writes "supply of natural gas, including fees related to that supply, made until".
  if (participle === 'made') return /\bsuppl(?:y|ies)\b/i.test(own);
  return participle === undefined || ownParticiples.includes(participle);
}

function namesOtherRate(text: string, rate: string | null): boolean {
  if (readPercentages(text).some((named) => named !== rate)) return true;
  if (rate !== '0' && /\b(?:zero|nil)[ -](?:VAT[ -]|tax[ -])?rat/i.test(text)) return true;
  return rate !== '0' && rate !== null && /\bexempt/i.test(text);
}

function toDays({ from, to }: Span): CommentDays | null {
  const first = from === undefined ? null : toDate(from);
  const last = to === undefined ? null : toDate(to);
  if (first === undefined || last === undefined) return null;
  return first !== null && last !== null && first > last ? null : { from: first, to: last };
}

/** Undefined for a day that does not exist. */
function toDate(text: string): IsoDate | undefined {
  const { day = '', month = '', year = '' } = match(days, text)?.groups ?? {};
  const at = months.findIndex((name) => name.toLowerCase() === month.toLowerCase());
  const number = at === -1 ? month : String(at + 1);
  return parseIsoDate(`${year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`);
}

function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text);
}

/** The match of the first form that matches. */
function match(forms: readonly RegExp[], text: string): RegExpExecArray | undefined {
  for (const form of forms) {
    const found = form.exec(text);
    if (found !== null) return found;
  }
  return undefined;
}

function anyOf(words: readonly string[]): string {
  return String.raw`\b(?:${words.join('|')})\b`;
}
