import { operationsOf } from '../../../src/fx/banks/definitions.ts';
import { type BankName, bankNames } from '../../../src/platform/publication/data-set-kinds.ts';
import type { SampleCall } from './sample-call.ts';

type Calls = Readonly<Record<string, (call: SampleCall) => string>>;

/** The calls of the client, by the ids of operations. Tests compile them with its types and run them. */
export const clientCalls: Calls = {
  getLatestRates: () => 'rates()',
  listRateDates: () => 'rateDates()',
  listErrata: () => 'errata()',
  getRates: ({ values }) => `rates(${print(values['date'])})`,
  findCategories: ({ values }) => `categories(${print(values)})`,
  findCategoriesOfDate: ({ values }) => `categories(${print(values)})`,
  listCategoryChanges: ({ values }) => `categoryChangesOn(${print(values['date'])})`,
  listCategories: () => 'categoryList()',
  listTerritories: () => 'territories()',
  listTerritoriesOfCountry: ({ values }) => `territories(${print(values)})`,
  listChanges: () => 'changes()',
  listChangesOfDate: ({ values }) => `changesOn(${print(values['date'])})`,
  getLatestFx: () => 'fx()',
  listFxDates: () => 'fxDates()',
  getFx: ({ values }) => `fx(${print(values['date'])})`,
  getFxRange: ({ values }) => `fxRange(${print(values)})`,
  getOssFx: ({ values }) => `fxOss(${print(values['period'])})`,
  getIossFx: ({ values }) => `fxIoss(${print(values['period'])})`,
  getCustomsFx: ({ values }) => `fxCustoms(${print(values['period'])})`,
  getVatFx: ({ values }) => `fxVat(${print(values['taxPoint'])})`,
  ...Object.fromEntries(bankNames.flatMap((name) => Object.entries(callsOf(name)))),
  checkVatNumber: ({ values }) => `checkVat(${print(values['country'])}, ${print(values['vat'])})`,
  createCheck: ({ body }) => `checks.create(${print(body)})`,
  listChecks: () => 'checks.list()',
  deleteCheck: ({ values }) => `checks.delete(${print(values['id'])})`,
  getCheck: ({ values }) => `checks.get(${print(values['id'])})`,
  createBatch: ({ body }) => `checks.createBatch(${print(body?.['checks'])})`,
  getBatch: ({ values }) => `checks.getBatch(${print(values['id'])})`,
  getEvidence: ({ values }) => `checks.evidence(${print(values['id'])})`,
  listEvidenceKeys: () => 'checks.evidenceKeys()',
  putWatch: ({ values, body }) => `watches.put(${watched(values)}, ${print(body)})`,
  getWatch: ({ values }) => `watches.get(${watched(values)})`,
  deleteWatch: ({ values }) => `watches.delete(${watched(values)})`,
  listWatches: () => 'watches.list()',
  getUsage: () => 'usage()',
  getStatus: () => 'status()',
  listEvents: () => 'eventPage()',
  listSubscriptions: () => 'webhooks.list()',
  createSubscription: ({ body }) => `webhooks.create(${print(body)})`,
  getSubscription: ({ values }) => `webhooks.get(${print(values['id'])})`,
  changeSubscription: ({ values, body }) =>
    `webhooks.update(${print(values['id'])}, ${print(body)})`,
  removeSubscription: ({ values }) => `webhooks.remove(${print(values['id'])})`,
  rotateSecret: ({ values, body }) =>
    `webhooks.rotateSecret(${print(values['id'])}, ${print(body)})`,
  listDeliveries: ({ values }) => `webhooks.deliveries(${print(values['id'])})`,
  sendTest: ({ values }) => `webhooks.test(${print(values['id'])})`,
  replayDelivery: ({ values }) =>
    `webhooks.replayDelivery(${print(values['id'])}, ${print(values['deliveryId'])})`,
};

/** The calls that read a national bank. */
function callsOf(name: BankName): Calls {
  const { latest, dates, dated } = operationsOf(name);
  return {
    [latest]: () => `fxBank('${name}')`,
    [dated]: ({ values }) => `fxBank('${name}', ${print(values['date'])})`,
    [dates]: () => `fxBankDates('${name}')`,
  };
}

/** The country and the number of a watch. */
function watched(values: SampleCall['values']): string {
  return `${print(values['country'])}, ${print(values['vat'])}`;
}

/** Prints a value of JSON as TypeScript: `{ from: '2026-11-13', currencies: ['USD'] }`. Strings have no quotes inside. */
function print(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => `${name}: ${print(one)}`);
  return `{ ${fields.join(', ')} }`;
}
