import type { Document, Operation } from '../../openapi/support/document.ts';
import { categoryRules, missingFaults } from './category-values.ts';
import { eventRules } from './event-values.ts';
import { isMonth, isQuarter, lawOutcome, taxPointFaults } from './law-outcomes.ts';
import { publicOperations } from '../../openapi/support/questions.ts';
import type { FuzzQuestion } from './question.ts';
import { isSecret, subscriptionRules } from './webhook-values.ts';
import { bankDates, fxDates, rateDates, stateDown, type World } from './world.ts';

/** The country codes of VIES, Greece in both spellings (contract C21). */
const vatStates = new Set(
  'AT BE BG CY CZ DE DK EE EL GR ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(
    ' ',
  ),
);

/**
 * The allowed answers to a request, as `404 not found` or as its beginning: `400 invalid 'since'`.
 *
 * Written from the interface and the contract, in the order of contract C3, and not from the code. More than
 * one if a request has several faults, of which any may be reported.
 */
export function expectedOf(
  question: FuzzQuestion,
  world: World,
  document: Document,
): readonly string[] {
  const { operation, method, target, credential, headers } = question;
  const refusals = [
    ...(target.length > 8_192 ? ['414 URL too long'] : []),
    ...('x-large' in headers ? ['431 header fields too large'] : []),
    ...('expect' in headers ? ['417 expectation failed'] : []),
  ];
  if (refusals.length > 0) return refusals;

  const isRead = method === 'GET' || method === 'HEAD';
  const isOpen = publicOperations.includes(operation?.id ?? '');
  const isPublic = isOpen && isRead;
  if (credential.kind === 'refused' && !isPublic) {
    return isOpen ? ['401 INVALID_KEY', '405 method not allowed'] : ['401 INVALID_KEY'];
  }
  if (operation === undefined) return ['404 not found'];
  const asked = document.find(isRead ? 'GET' : method, operation.path);
  if (asked === undefined || asked.path !== operation.path) return ['405 method not allowed'];

  if (isJudgedByDocument(asked)) return ['200', '201', '202', '204', '4'];

  // CSV has the parameters and outcomes of its JSON (contract C36).
  const id = asked.id.replace(/Csv$/, '');
  const ruled = asked.id in queryRules ? asked.id : id;
  const faults = [...parameterFaults(ruled, question), ...(isRead ? [] : bodyFaults(id, question))];
  const outcomes = outcomesOf(id, question, world);
  const isCharged = !isPublic && asked.id !== 'getUsage' && asked.id !== 'listEvents';
  if (faults.length > 0) {
    // A 404 may come first, and the limit be reached only then.
    const isPoor = credential.kind === 'poor' && faults.some((one) => one.includes("'url'"));
    // Whether a host is public is resolved only after the charge.
    const refused = isPoor ? ['429 QUOTA_EXCEEDED'] : [];
    return [...faults, ...outcomes.filter((one) => one.startsWith('4')), ...refused];
  }
  if (credential.kind === 'poor' && isCharged) {
    return outcomes[0] === '422 INVALID_INPUT'
      ? outcomes
      : ['429 QUOTA_EXCEEDED', ...(asked.id === 'checkVatNumber' ? outcomes : [])];
  }
  return outcomes;
}

/**
 * Whether an operation has no rules of its own here: any answer is allowed that the document has and that is no 5xx. Those
 * of stored checks and watches depend on what was stored before.
 */
export function isJudgedByDocument({ path }: Pick<Operation, 'path'>): boolean {
  return /^\/vat(checks|watches)/.test(path);
}

/** The faults of path and query, as the 400 that reports them. */
function parameterFaults(id: string, { ids, query }: FuzzQuestion): string[] {
  const faults = new Set<string>();
  const refuse = (name: string): void => void faults.add(`400 invalid '${name}' — expected `);
  if (ids['date'] !== undefined && !isDate(ids['date'])) refuse('date');

  const { period, taxPoint } = ids;
  const isPeriod = id === 'getOssFx' ? isQuarter : isMonth;
  if (period !== undefined && !isPeriod(period)) refuse('period');
  if (taxPoint !== undefined && !isDate(taxPoint) && !isInstant(taxPoint)) refuse('taxPoint');

  const names = query.map(([name]) => name);
  for (const name of missingFaults(id, { ids, names })) refuse(name);

  const rules = queryRules[id] ?? {};
  for (const [name, isValid] of Object.entries(rules)) {
    const given = query.filter(([one]) => one === name).map(([, value]) => value);
    if (given.length === 0 && id !== 'getFxRange') continue;
    if (given.length !== 1 || !isValid(given[0] ?? '')) refuse(name);
  }
  if (Object.hasOwn(rules, 'to')) {
    const { from = '', to = '' } = Object.fromEntries(query);
    if (isDate(from) && isDate(to) && to < from) refuse('to');
  }
  if (id === 'getVatFx') for (const fault of taxPointFaults(query)) faults.add(fault);
  if (!ignoring.has(id)) {
    for (const [name] of query) {
      if (!Object.hasOwn(rules, name)) faults.add(`400 unknown parameter '${name.slice(0, 100)}'`);
    }
  }
  return [...faults];
}

/** Operations of the interface, which ignore unknown parameters (contract C35), and the public document. */
const ignoring = new Set(
  'getLatestRates getRates listChanges listChangesOfDate getLatestFx getFx checkVatNumber getOpenApi listEvidenceKeys'.split(
    ' ',
  ),
);

const isLimit = (text: string): boolean => /^[0-9]+$/.test(text) && /[1-9]/.test(text);
/** All that the ECB has ever published. */
const published = new Set(
  (
    'AUD BGN BRL CAD CHF CNY CYP CZK DKK EEK GBP HKD HRK HUF IDR ILS INR ISK JPY KRW LTL LVL MTL MXN ' +
    'MYR NOK NZD PHP PLN ROL RON RUB SEK SGD SIT SKK THB TRL TRY USD ZAR'
  ).split(' '),
);
const isCurrencies = (text: string): boolean =>
  /^[A-Za-z]{3}(,[A-Za-z]{3}){0,9}$/.test(text) &&
  text.split(',').every((code) => published.has(code.toUpperCase()));
const isStatus = (text: string): boolean => ['pending', 'succeeded', 'failed'].includes(text);

const span = { from: isDate, to: isDate };
const errataRules = { country: (text: string) => /^[A-Za-z]{2}$/.test(text), date: isDate };
const queryRules: Readonly<Record<string, Readonly<Record<string, (text: string) => boolean>>>> = {
  ...categoryRules,
  listRateDates: span,
  exportWooCommerce: { date: isDate },
  exportMagento: { date: isDate },
  listErrata: { ...errataRules, kind: (text) => ['national', 'goods', 'all'].includes(text) },
  // The two kinds have other columns.
  listErrataCsv: { ...errataRules, kind: (text) => ['national', 'goods'].includes(text) },
  listFxDates: span,
  getFxRange: { ...span, currencies: isCurrencies },
  listChanges: { since: isDate, country: (text) => /^[A-Za-z]{2}$/.test(text), limit: isLimit },
  listNbpFxDates: span,
  listCnbFxDates: span,
  // The faults of country and bank depend on each other.
  getVatFx: { country: () => true, bank: () => true, issued: isDate },
  listEvents: { ...eventRules, limit: isLimit },
  // Only issued cursors are valid; they are long, and not one repeated character.
  listDeliveries: {
    status: isStatus,
    limit: isLimit,
    cursor: (text) => /^[\w-]{40,}$/.test(text) && !/^(.)\1+$/.test(text),
  },
};

function bodyFaults(id: string, { body, headers }: FuzzQuestion): string[] {
  if (/iso-8859/.test(String(headers['content-type']))) return ['415 unsupported charset'];
  if (body !== undefined && Buffer.byteLength(body) > 65_536) return ['413 body too large'];
  let value: unknown;
  if (body !== undefined && body !== '') {
    try {
      value = JSON.parse(body.replace(/^\uFEFF/, ''));
    } catch {
      return ['400 invalid JSON body'];
    }
  }
  const rules = bodyRules[id];
  if (rules === undefined || (id === 'rotateSecret' && value === undefined)) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return ["400 invalid 'body'"];

  const given = Object.entries(value);
  const unknown = given.filter(([name]) => !Object.hasOwn(rules, name));
  const faults = given.filter(
    ([name, one]) => Object.hasOwn(rules, name) && rules[name]?.(one) !== true,
  );
  const needed = id === 'createSubscription' ? 'url' : undefined;
  const names = faults.map(([name]) => name);
  if (needed !== undefined && !(needed in value)) names.push(needed);
  if (id === 'changeSubscription' && given.length === 0) names.push('body');
  return [
    ...unknown.map(([name]) => `400 unknown field '${name.slice(0, 100)}'`),
    ...names.map((name) => `400 invalid '${name}' — expected `),
  ];
}

const bodyRules: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  createSubscription: { ...subscriptionRules, secret: isSecret },
  changeSubscription: {
    ...subscriptionRules,
    status: (value) => value === 'enabled' || value === 'disabled',
  },
  rotateSecret: {
    overlapHours: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 168,
  },
};

/** The expected answers to a request without faults. */
function outcomesOf(id: string, question: FuzzQuestion, world: World): readonly string[] {
  const { ids, validator } = question;
  const read = validator === 'none' ? ['200'] : ['304'];
  switch (id) {
    case 'getUsage':
    case 'getStatus':
    case 'listSubscriptions':
    case 'listEvents':
    case 'listEvidenceKeys':
      return ['200'];
    case 'getRates':
    case 'findCategoriesOfDate':
    case 'listCategoryChanges':
      return rateDates.includes(ids['date'] ?? '') ? read : ['404 snapshot not found'];
    case 'getFx':
      return fxDates.includes(ids['date'] ?? '') ? read : ['404 fx snapshot not found'];
    case 'exportWooCommerce':
    case 'exportMagento': {
      const date = new Map(question.query).get('date');
      return date === undefined || rateDates.includes(date) ? read : ['404 snapshot not found'];
    }
    case 'getNbpFx':
      return bankDates.nbp.includes(ids['date'] ?? '') ? read : ['404 fx snapshot not found'];
    case 'getCnbFx':
      return bankDates.cnb.includes(ids['date'] ?? '') ? read : ['404 fx snapshot not found'];
    case 'getOssFx':
    case 'getIossFx':
    case 'getCustomsFx':
    case 'getVatFx': {
      if (parameterFaults(id, question).length > 0) return read;
      const values = new Map(question.query);
      const [country, bank] = [values.get('country'), values.get('bank')];
      const outcome = lawOutcome(id, ids, { country, bank, issued: values.get('issued') });
      return outcome === 'read' ? read : [outcome];
    }
    case 'checkVatNumber':
      return checkOutcomes(ids['country'] ?? '', ids['vat'] ?? '');
    case 'createSubscription':
      return world.subscriptions.size < 10 ? ['201'] : ['409 subscription limit reached'];
    default:
      return id in webhookStatus ? webhookOutcomes(id, ids, world) : read;
  }
}

function checkOutcomes(country: string, vat: string): readonly string[] {
  if (country === '' || vat === '') return ['422 INVALID_INPUT', '404 not found'];
  const number = vat.normalize('NFKC').replaceAll(/[ ./\u200B-]/g, '');
  const isKnown = /^[A-Za-z]{2}$/.test(country) && vatStates.has(country.toUpperCase());
  // A customer abroad may have the number of a Member State (rule K2).
  const isOfState = vatStates.has(number.slice(0, 2).toUpperCase());
  if (/^[A-Za-z]{2}$/.test(country) && !isKnown && isOfState) {
    return ['200', '422 INVALID_INPUT', '503 MS_UNAVAILABLE'];
  }
  // No value of the fuzz is too long only because of the country in front (rule K2).
  if (!isKnown || !/^(?=.*[0-9])[0-9A-Za-z+*]{2,12}$/.test(number)) return ['422 INVALID_INPUT'];
  return country.toUpperCase() === stateDown ? ['503 MS_UNAVAILABLE'] : ['200'];
}

/** The success statuses of calls about one subscription. */
const webhookStatus: Readonly<Record<string, string>> = {
  getSubscription: '200',
  changeSubscription: '200',
  removeSubscription: '204',
  rotateSecret: '200',
  listDeliveries: '200',
  sendTest: '202',
  replayDelivery: '202',
};

function webhookOutcomes(id: string, ids: FuzzQuestion['ids'], world: World): readonly string[] {
  const known = world.subscriptions.get(ids['id'] ?? '');
  if (known === undefined) return ['404 not found'];
  const isDelivery = known.deliveries.includes(ids['deliveryId'] ?? '');
  const lost = id === 'replayDelivery' && !isDelivery ? ['404 not found'] : [];
  const isSent = ['sendTest', 'replayDelivery'].includes(id);
  const off = isSent && !known.isEnabled ? ['409 subscription is disabled'] : [];
  if (lost.length + off.length > 0) return [...lost, ...off];
  const isLimited = id === 'replayDelivery' && known.replayed.has(ids['deliveryId'] ?? '');
  return [isLimited ? '429 RATE_LIMITED' : (webhookStatus[id] ?? '')];
}

/** A day of the calendar, written YYYY-MM-DD. */
function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined || text.length !== 10) return false;
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days =
    [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0;
  return Number(day) >= 1 && Number(day) <= days;
}

/** A moment with an offset (RFC 3339). */
function isInstant(text: string): boolean {
  return (
    /^.{10}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/.test(text) &&
    isDate(text.slice(0, 10))
  );
}
