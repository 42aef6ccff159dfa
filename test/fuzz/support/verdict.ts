import { problemsOf } from '../../openapi/support/answer-check.ts';
import type { Document, Part } from '../../openapi/support/document.ts';
import type { Answer } from '../../support/send-request.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { expectedOf } from './oracle.ts';
import { type FuzzQuestion, variantOf } from './question.ts';
import { newestRates, type World } from './world.ts';

/** The faults that R23 counts; each count has to be 0. */
export type Fault =
  | 'unexpected 5xx'
  | 'undocumented'
  | 'invalid input accepted'
  | 'unauthenticated 2xx'
  | 'other than the contract says';

export type Problem = readonly [fault: Fault, detail: string];

/** The faults of an answer; none if it agrees with document and contract. */
export function judge(
  question: FuzzQuestion,
  answer: Answer,
  parts: { readonly world: World; readonly document: Document },
): readonly Problem[] {
  const { world, document } = parts;
  const problems = [
    ...documentProblems(question, answer, document),
    ...bodyProblems(question, answer, world),
  ];
  const expected = expectedOf(question, world, document);
  const got =
    answer.status < 400 || question.method === 'HEAD'
      ? `${answer.status}`
      : `${answer.status} ${errorOf(answer)}`;
  const isExpected = expected.some(
    (one) => got.startsWith(one) || (question.method === 'HEAD' && one.startsWith(got)),
  );
  if (!isExpected)
    problems.unshift([
      faultOf(question, answer, expected),
      `${got}, expected ${expected.join(' or ')}`,
    ]);
  return problems;
}

function faultOf(
  { credential }: FuzzQuestion,
  { status }: Answer,
  expected: readonly string[],
): Fault {
  if (status >= 500) return 'unexpected 5xx';
  if (status >= 400) return 'other than the contract says';
  if (credential.kind === 'refused' && expected.some((one) => one.startsWith('401')))
    return 'unauthenticated 2xx';
  return expected.every((one) => one.startsWith('4'))
    ? 'invalid input accepted'
    : 'other than the contract says';
}

/** The error's text if it has the form of contract C2; else the whole body. */
function errorOf({ text }: Answer): string {
  const error = /^\{"error":("(?:[^"\\]|\\.)*")\}$/.exec(text)?.[1];
  return error === undefined ? `no error but ${text.slice(0, 200)}` : (JSON.parse(error) as string);
}

function documentProblems(question: FuzzQuestion, answer: Answer, document: Document): Problem[] {
  const { method, target, ids } = question;
  const { responses } = document.whole['components'] as { readonly responses: Part };
  // The oracle accepts an empty segment as a part of the operation's path; the document does not.
  const path = Object.values(ids).includes('') ? question.operation?.path : undefined;
  const operation = document.find(method === 'HEAD' ? 'GET' : method, path ?? target);
  const others: Part = {
    ...unknownRouteResponsesOf(document),
    401: responses['InvalidKey'],
    414: responses['UrlTooLong'],
    417: responses['ExpectationFailed'],
    431: responses['HeadersTooLarge'],
  };
  const all = (operation?.part['responses'] as Part | undefined) ?? others;
  const response = document.resolve(all[answer.status] ?? {});
  const documented =
    method === 'HEAD' && 'content' in response
      ? { ...all, [answer.status]: withoutBody(response) }
      : all;
  return problemsOf(document, documented, answer).map((detail) => [
    'undocumented',
    detail.slice(0, 500),
  ]);
}

/** One object for each document, because validators are kept by their schemas. */
const unknownRouteResponses = new WeakMap<Document, Part>();
function unknownRouteResponsesOf(document: Document): Part {
  const known = unknownRouteResponses.get(document) ?? document.unknownRouteResponses;
  unknownRouteResponses.set(document, known);
  return known;
}

/** One object for each response, because validators are kept by it. */
const bodiless = new Map<Part, Part>();
function withoutBody(response: Part): Part {
  const { content: _, ...rest } = response;
  const known = bodiless.get(response) ?? rest;
  bodiless.set(response, known);
  return known;
}

/** Checks beyond the schema: the cache policy, the echo, and equal answers to equal requests. */
function bodyProblems(question: FuzzQuestion, answer: Answer, world: World): Problem[] {
  const { status, headers, text } = answer;
  const { operation, ids, target, method } = question;
  const variant = variantOf(target, question.headers);
  const problems: Problem[] = [];
  const expect = (isSo: boolean, detail: string): void => {
    if (!isSo) problems.push(['other than the contract says', detail]);
  };
  const policy = String(headers['cache-control']);
  if (status !== 200 && status !== 304) {
    expect(
      policy.endsWith('no-store') && headers.etag === undefined,
      `${status} may be kept: ${policy}`,
    );
  }
  if (status === 304)
    expect(
      headers.etag === world.read.get(variant)?.etag || !world.read.has(variant),
      '304 of another ETag',
    );
  if (status !== 200 || operation === undefined) return problems;

  if (operation.id.startsWith('listChangesOfDate')) {
    expect(
      policy.includes('immutable') === (ids['date'] ?? '') <= newestRates,
      `${policy} for ${ids['date']}`,
    );
  }
  if (method !== 'GET') return problems;
  if (headers.etag !== undefined) {
    const before = world.read.get(variant);
    expect(
      before === undefined || (before.etag === headers.etag && before.text === text),
      'another body than before',
    );
    world.read.set(variant, { etag: headers.etag, text });
  }
  if (operation.id.endsWith('Csv')) {
    const [headings, ...rows] = parseCsv(text);
    expect(
      rows.every(({ length }) => length === headings?.length),
      'a row of CSV has not one cell for each heading',
    );
    return problems;
  }
  for (const detail of meaningProblems(question, JSON.parse(text) as Part)) expect(false, detail);
  return problems;
}

/** Finds contents of an answer that do not fit the request. */
function meaningProblems({ operation, ids, query }: FuzzQuestion, said: Part): string[] {
  const asked = new Map(query);
  const problems: string[] = [];
  const check = (isSo: boolean, detail: string): void => void (isSo || problems.push(detail));
  switch (operation?.id ?? '') {
    case 'getRates':
      check(said['version'] === ids['date'], `version ${String(said['version'])}`);
      break;
    case 'getFx':
    case 'getNbpFx':
    case 'getCnbFx':
    case 'listChangesOfDate':
      check((said['date'] ?? said['snapshotDate']) === ids['date'], 'of another date');
      break;
    case 'checkVatNumber':
      check(
        said['countryCode'] === ids['country'] && said['vatNumber'] === ids['vat'],
        'not echoed as it was sent',
      );
      break;
    case 'listRateDates':
    case 'listFxDates':
    case 'listNbpFxDates':
    case 'listCnbFxDates': {
      const dates = said['dates'] as string[];
      check(
        dates.every(
          (date) => date >= (asked.get('from') ?? '') && date <= (asked.get('to') ?? '~'),
        ),
        'dates outside of the span',
      );
      break;
    }
    case 'listChanges': {
      const rows = said['changes'] as { readonly country: string; readonly snapshotDate: string }[];
      const wanted = asked.get('limit') ?? '50';
      const limit = Math.min(200, Number(wanted));
      check(said['limit'] === limit && rows.length <= limit, `limit ${String(said['limit'])}`);
      check(said['count'] === rows.length, 'count');
      check(
        rows.every((row) => row.snapshotDate >= (asked.get('since') ?? '')),
        'rows from before since',
      );
      const country = asked.get('country')?.toUpperCase();
      check(
        rows.every((row) => country === undefined || row.country === country),
        'rows of others',
      );
      break;
    }
    default:
  }
  return problems;
}
