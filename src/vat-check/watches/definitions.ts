import { instant } from '../../platform/fields/dates.ts';
import { choice, nullable, objectOf, optional, text, whole } from '../../platform/fields/field.ts';
import { list, object, oneOf, orNull, type ValueOf } from '../../platform/fields/schema.ts';
import { defineRoute, type RouteError } from '../../platform/http/routes/define-route.ts';
import {
  countOf,
  cursorParameter,
  limitParameter,
  nextCursor,
} from '../../platform/http/routes/list-parameters.ts';
import { registriesInWords } from '../registries/known.ts';
import { registryNames } from '../registries/registry.ts';
import { storedCheck } from '../stored/check-schema.ts';
import { idForms } from '../stored/ids.ts';
import { cacheControl } from '../stored/requests/definitions.ts';
import { checkPageLimits } from '../stored/requests/list-query.ts';
import {
  countryCode,
  reference,
  registry,
  requester,
  trader,
  vatNumber,
  withoutNul,
} from '../stored/requests/request-fields.ts';
import { watchesMax } from './watch-store.ts';

const tag = 'Watches';

/** Days between two checks of a watch (rule K13). */
const usualDays = 90;
const everyDays = whole(1, 365, { default: usualDays });

/** A watch as its caller writes it: every field may be left out. */
const newWatch = objectOf(
  {
    everyDays: nullable(everyDays, usualDays, 'Days between two checks.'),
    registry,
    requester,
    trader,
    reference,
  },
  { $id: 'NewWatch' },
);

const { properties: ofCheck } = storedCheck;

/** A watch as a caller receives it: in answers, lists and events (rule K13). */
export const watchSchema = object(
  {
    countryCode: ofCheck.countryCode,
    vatNumber: ofCheck.vatNumber,
    everyDays: everyDays.schema,
    registry: ofCheck.registry,
    requester: ofCheck.requester,
    trader: ofCheck.trader,
    reference: ofCheck.reference,
    lastCheck: orNull(
      storedCheck,
      'The newest check, in any status; null before the first one, and if you have deleted it.',
    ),
    nextCheckAt: instant,
    error: orNull(
      oneOf(['QUOTA_EXCEEDED', 'INVALID_REQUESTER', 'INVALID_INPUT']),
      'The reason why the number is not watched at present. `QUOTA_EXCEEDED`: the quota of the month is used up, so the next check waits until there is some. `INVALID_REQUESTER`: your key may not use the requester any more, or the registry refuses it. `INVALID_INPUT`: the registry refuses the number. Otherwise null.',
    ),
    createdAt: instant,
  },
  { $id: 'Watch', description: 'A VAT number that is checked again and again.' },
);

export type PrintedWatch = ValueOf<typeof watchSchema>;

/** The number in a path as written; one that no registry can be queried for is 422. */
const numberInPath = {
  country: {
    field: text(countryCode.schema, '', withoutNul),
    description: 'The country of the number, as in `/vatcheck`.',
    example: 'ES',
  },
  vat: {
    field: text(vatNumber.schema, '', withoutNul),
    description: 'The VAT number, in any spelling.',
    example: 'B99999902',
  },
};

/** Which of two watches of one number is meant (rule M13). */
const ofRegistry = {
  registry: {
    field: optional(choice(registryNames, registriesInWords(registryNames))),
    description: 'The registry of the watch; by default the usual one of the country.',
    example: 'bzst',
  },
};

const noWatch: RouteError = { error: 'notFound', when: 'Your key does not watch this number.' };
const impossible: RouteError = {
  error: 'invalidInput',
  when: 'The number, or its country, is one that the registry would refuse.',
};

export const putWatch = defineRoute({
  operation: 'putWatch',
  tag,
  summary: 'Watch a number',
  access: 'limited',
  description:
    'Creates the watch of a number, whose first check is due immediately, or changes it. Spellings of one number are one watch. Fields that are left out have their defaults. The following checks are spread over the period, and each is charged once. `vat.changed` reports a change between two answers, and `vat.watch_failed` that the number is not watched at present.',
  path: numberInPath,
  body: {
    field: newWatch,
    isOptional: true,
    refused: 'everyDays',
    example: { everyDays: 30, reference: 'cust_1001' },
  },
  answer: {
    status: 201,
    description: 'The number is watched from now on.',
    schema: watchSchema,
    cacheControl,
    others: [{ status: 200, description: 'The number was watched already.' }],
  },
  errors: [
    { error: 'requesterNotAllowed', when: 'Your key has another requester than the body names.' },
    { error: 'watchLimit', when: `Your key has ${watchesMax} watches.` },
    impossible,
  ],
});

export const getWatch = defineRoute({
  operation: 'getWatch',
  tag,
  summary: 'One watch',
  access: 'limited',
  description: 'The watch of a number with its newest check.',
  path: numberInPath,
  query: ofRegistry,
  answer: { description: 'The watch.', schema: watchSchema, cacheControl },
  errors: [noWatch, impossible],
});

export const deleteWatch = defineRoute({
  operation: 'deleteWatch',
  tag,
  summary: 'Stop watching a number',
  access: 'limited',
  description: 'The checks of the watch stay stored.',
  path: numberInPath,
  query: ofRegistry,
  answer: { status: 204, description: 'Deleted.', cacheControl },
  errors: [noWatch, impossible],
});

export const listWatches = defineRoute({
  operation: 'listWatches',
  tag,
  summary: 'Your watches',
  access: 'limited',
  description: 'The newest watch is first. Other keys do not see them.',
  query: {
    cursor: cursorParameter(idForms.vw),
    limit: limitParameter('watches', checkPageLimits),
  },
  answer: {
    description: 'A page of watches.',
    schema: object(
      { watches: list(watchSchema), count: countOf('watches on this page'), nextCursor },
      { $id: 'WatchList' },
    ),
    cacheControl,
  },
});
