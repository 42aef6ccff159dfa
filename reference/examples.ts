import type { RouteDefinition } from '../src/platform/http/routes/define-route.ts';
import { isoDate } from '../src/platform/time/time.ts';
import type { AnswerExample } from './openapi/openapi.ts';
import type { Evidence } from '../src/vat-check/stored/evidence/evidence.ts';
import { printPublishedKeys } from '../src/vat-check/stored/evidence/published-keys.ts';
import { signAgain } from './sign-again.ts';
import { FixedValues } from './fixed-values.ts';
import { makeChangedExample, makeFailedExample, watchPath } from './watch-examples.ts';
import { type Send, until, type World, type WorldAnswer } from './world.ts';

/** Real answers, by the ids of operations and the types of events. */
export type Examples = Record<string, readonly AnswerExample[]>;

/** Adds a real answer to the examples of an operation. */
export type AddExample = (operation: string, summary: string, text: string) => void;

/**
 * Runs the service through a week of scripted time and collects its answers.
 *
 * Random values and the address of the sandbox are replaced by fixed values of the same form, so that the same code
 * makes the same examples each time and on each machine.
 */
export async function collectExamples(world: World): Promise<Examples> {
  const { scenario } = world.sandbox;
  const examples: Examples = {};
  const fixed = new FixedValues(world.sandbox.url);
  const addExample: AddExample = (operation, summary, text) => {
    const known = examples[operation] ?? [];
    const name = known.length === 0 ? 'answer' : `answer${known.length + 1}`;
    const fixedText = fixed.replaceIn(text);
    const value: unknown = operation.endsWith('Csv') ? fixedText : JSON.parse(fixedText);
    examples[operation] = [...known, { name, summary, value }];
  };

  scenario.apply({
    rates: [
      { country: 'HU', field: 'standard', values: ['25'], from: isoDate('2026-11-19') },
      { country: 'IE', field: 'reduced', values: ['9', '12.5'], from: isoDate('2026-11-20') },
    ],
  });
  await world.advanceTo('2026-11-18T16:00:00Z');
  const send = await world.addCaller('shop', { rateLimit: 'none', quota: 'none' });
  await addSubscription(world, send, addExample);
  await world.advanceTo('2026-11-19T16:00:00Z');
  await world.advanceTo('2026-11-20T16:00:00Z');
  await addReads(world, send, addExample);
  await addRateExports(send, addExample);
  await addStoredChecks(send, addExample, fixed);
  await addWatches(send, addExample);
  await addDeliveries(world, send, addExample);

  const billing = await world.addCaller('billing');
  await billing('GET', '/rates');
  await billing('GET', '/fx');
  addExample('getUsage', 'After two requests', textOf(await billing('GET', '/usage')));
  addExample('vat.changed', 'The number has ended', await makeChangedExample(world, send));
  const failed = await makeFailedExample(world, send);
  addExample('vat.watch_failed', 'VIES refuses the requester', failed);
  return examples;
}

/** Reads whose answers are the examples of definitions. */
async function addReads(world: World, send: Send, addExample: AddExample): Promise<void> {
  const reads = world.service.routes.flatMap(({ definition }) => examplesOf(definition));
  for (const [operation, path, summary] of reads) {
    addExample(operation, summary, textOf(await send('GET', path)));
  }
  // This check fails, so that the example of /status has an outage.
  await send('GET', '/vatcheck/ES/301');
}

type Read = readonly [operation: string, path: string, summary: string];

/** The requests of a definition whose answers have its form: JSON or CSV. */
function examplesOf({ operation, answer, examples = [] }: RouteDefinition): readonly Read[] {
  const isCsv = answer.schema === 'csv';
  return examples
    .filter(({ path }) => /^[^?]*\.csv(?:\?|$)/.test(path) === isCsv)
    .map(({ path, summary }) => [operation, path, summary]);
}

async function addStoredChecks(
  send: Send,
  addExample: AddExample,
  fixed: FixedValues,
): Promise<void> {
  const requester = { countryCode: 'NL', vatNumber: '854265259B01' };
  const create = async (body: object): Promise<string> =>
    textOf(await send('POST', '/vatchecks', { requester, ...body }));
  const answered = await create({
    countryCode: 'ES',
    vatNumber: 'ESB99999902',
    trader: { name: 'Comercio Imaginario SL', postcode: '28001', city: 'Madrid' },
    reference: 'cust_1001',
  });
  addExample('createCheck', 'Answered', answered);
  const pending = await create({ countryCode: 'IE', vatNumber: '301' });
  // The delay before an attempt is random.
  const pendingText = pending.replace(/(?<="nextAttemptAt":)"[^"]+"/, '"2026-11-20T16:01:02.000Z"');
  addExample('createCheck', 'The registry of the Member State is unavailable', pendingText);
  const { id } = JSON.parse(answered) as { readonly id: string };
  addExample('getCheck', 'Answered', textOf(await send('GET', `/vatchecks/${id}`)));
  addExample('listChecks', 'One country', textOf(await send('GET', '/vatchecks?countryCode=ES')));
  const table = textOf(await send('GET', '/vatchecks.csv?status=answered'));
  addExample('listChecksCsv', 'Answered checks', table);
  const batch = textOf(
    await send('POST', '/vatchecks/batch', {
      checks: [
        { countryCode: 'AT', vatNumber: 'U99999901' },
        { countryCode: 'AT', vatNumber: '?' },
      ],
    }),
  );
  addExample('createBatch', 'Two checks', batch);
  const { batchId } = JSON.parse(batch) as { readonly batchId: string };
  const counts = textOf(await send('GET', `/vatchecks/batch/${batchId}`));
  addExample('getBatch', 'A number that no registry can be queried for is rejected', counts);
  const evidence = textOf(await send('GET', `/vatchecks/${id}/evidence`));
  const signed = signAgain(JSON.parse(evidence) as Evidence, (text) => fixed.replaceIn(text));
  addExample('getEvidence', 'An answer with matches', JSON.stringify(signed.evidence));
  addExample('listEvidenceKeys', 'One key', printPublishedKeys([signed.key]));
}

/** Adds the examples of the files for shops and of the list of periods, shortened to their beginnings. */
async function addRateExports(send: Send, addExample: AddExample): Promise<void> {
  const read = async (path: string): Promise<string> => (await send('GET', path)).text;
  const beginningOf = (file: string): string => file.split('\r\n').slice(0, 9).join('\r\n');
  const wooCommerce = await read('/rates/export/woocommerce.csv');
  addExample('exportWooCommerceCsv', 'The first rows', beginningOf(wooCommerce));
  const magento = await read('/rates/export/magento.csv?date=2026-11-19');
  addExample('exportMagentoCsv', 'The first rows of a date', beginningOf(magento));
  const { items, ...rest } = JSON.parse(await read('/rates/export/vat-rates.json')) as {
    readonly items: Readonly<Record<string, unknown>>;
  };
  const shown = { HU: items['HU'], PT: items['PT'] };
  addExample('exportVatRates', 'Two of the countries', JSON.stringify({ ...rest, items: shown }));
}

/** Adds the examples of the routes of watches. No job runs, so no watch has a check yet. */
async function addWatches(send: Send, addExample: AddExample): Promise<void> {
  const wanted = { everyDays: 30, reference: 'cust_1001' };
  addExample('putWatch', 'Watched from now on', (await send('PUT', watchPath, wanted)).text);
  addExample('getWatch', 'Before its first check', (await send('GET', watchPath)).text);
  addExample('listWatches', 'One watch', (await send('GET', '/vatwatches')).text);
}

async function addSubscription(world: World, send: Send, addExample: AddExample): Promise<void> {
  const url = world.sandbox.receiverUrl('vat');
  const created = textOf(await send('POST', '/webhooks', { url, description: 'prices' }));
  const { id, secret } = JSON.parse(created) as { readonly id: string; readonly secret: string };
  world.sandbox.receivers.named('vat').apply({ secrets: [secret] });
  addExample('createSubscription', 'Created', created);
  addExample('getSubscription', 'Enabled', textOf(await send('GET', `/webhooks/${id}`)));
  addExample('listSubscriptions', 'One subscription', textOf(await send('GET', '/webhooks')));
  const { sandbox } = world;
  await subscribeTo('vat.checked', 'checks', { sandbox, send });
  await subscribeTo('categories.changed', 'goods', { sandbox, send });
}

/** Sends a test and replays it, waits until all events are delivered, and removes the subscription. */
async function addDeliveries(world: World, send: Send, addExample: AddExample): Promise<void> {
  const { receivers, scenario } = world.sandbox;
  const { received } = receivers.named('vat');
  const { webhooks } = JSON.parse(textOf(await send('GET', '/webhooks'))) as {
    readonly webhooks: readonly { readonly id: string; readonly description: string | null }[];
  };
  const path = `/webhooks/${webhooks.find(({ description }) => description === 'prices')?.id}`;

  // These requests come before delivery starts: after that, the attempts in their answers would vary from run to run.
  scenario.apply({ now: Date.parse('2026-11-20T16:01:00Z') });
  const test = textOf(await send('POST', `${path}/test`));
  addExample('sendTest', 'Due immediately', test);
  const { id } = JSON.parse(test) as { readonly id: string };
  const replayed = await send('POST', `${path}/deliveries/${id}/replay`);
  addExample('replayDelivery', 'Due again', textOf(replayed));

  scenario.apply({ now: Date.parse('2026-11-20T16:01:05Z') });
  world.service.startDelivery();
  let deliveries = '';
  await until(async () => {
    deliveries = textOf(await send('GET', `${path}/deliveries`));
    return received.length >= 3 && !deliveries.includes('"pending"');
  });
  addExample('listDeliveries', 'All deliveries have succeeded', deliveries);
  const receivedText = (part: string): string =>
    received.find(({ bytes }) => bytes.includes(part))?.bytes.toString() ?? '';
  addExample('rates.changed', 'One rate changed', receivedText('"HU"'));
  addExample('webhook.test', 'Without rows', receivedText('webhook.test'));
  const ofChecks = receivers.named('checks').received;
  // Deliveries arrive in any order.
  const answered = (): string | undefined =>
    ofChecks.map(({ bytes }) => bytes.toString()).find((body) => body.includes('"answered"'));
  await until(() => answered() !== undefined);
  addExample('vat.checked', 'Answered', answered() ?? '');
  const ofGoods = receivers.named('goods').received;
  await until(() => ofGoods.length >= 1);
  addExample('categories.changed', 'One country', ofGoods[0]?.bytes.toString() ?? '');
  addExample(
    'listEvents',
    'The changes of rates',
    textOf(await send('GET', '/events?type=rates.changed&limit=1')),
  );
  addExample('listEvents', 'The end of the log', textOf(await send('GET', '/events?after=now')));
  addExample(
    'getStatus',
    'Fresh data, and one registry that did not answer',
    textOf(await send('GET', '/status')),
  );

  const rotated = await send('POST', `${path}/rotate-secret`, { overlapHours: 24 });
  addExample('rotateSecret', 'Both secrets sign for a day', textOf(rotated));
  const disabled = await send('PATCH', path, { status: 'disabled' });
  addExample('changeSubscription', 'Disabled', textOf(disabled));
  textOf(await send('DELETE', path));
}

/** Subscribes a receiver to one type. */
async function subscribeTo(
  type: string,
  receiver: string,
  { sandbox, send }: { readonly sandbox: World['sandbox']; readonly send: Send },
): Promise<void> {
  const url = sandbox.receiverUrl(receiver);
  const created = textOf(await send('POST', '/webhooks', { url, events: [type] }));
  const { secret } = JSON.parse(created) as { readonly secret: string };
  sandbox.receivers.named(receiver).apply({ secrets: [secret] });
}

function textOf({ status, text }: WorldAnswer): string {
  if (status >= 300) throw new Error(`an example was answered with ${status}: ${text}`);
  return text;
}
