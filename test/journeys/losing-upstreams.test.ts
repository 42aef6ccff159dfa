import { describe, expect, it } from 'vitest';
import { settingsAt } from '../../src/sandbox/simulators.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { reportFigure } from '../support/proof.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { answerMs, EveryEndpoint, type GroupAnswers, whole } from './support/endpoint-groups.ts';
import { eventually } from '../support/eventually.ts';
import { unusedReceivers } from './support/losing-world.ts';
import { Names } from './support/names.ts';
import { startBeside } from './support/start-beside.ts';
import { WebhookCaller } from './support/webhook-caller.ts';
import { localReceivers } from './support/webhook-service.ts';
import { setEcbFault, setNow, setTedbFault, setViesFault } from '../support/sandbox/scripts.ts';

const upstreamHost = 'upstreams.test';
/** A host name without a dot, so that the machine resolves it and not DNS. */
const receiverHost = 'receiver-test';

type World = { readonly service: TestService; readonly line: FaultProxy; readonly resolver: Names };

/** How all three are lost, and the answer to a VAT check that is not cached. */
const losses: readonly {
  readonly how: string;
  readonly check: string;
  readonly lose: (world: World) => Promise<void> | void;
  readonly restore: (world: World) => Promise<void> | void;
}[] = [
  {
    how: 'refuse connections',
    check: '502 the registry cannot be reached',
    lose: async ({ line }) => line.refuse(),
    restore: async ({ line }) => line.accept(),
  },
  {
    how: 'have no address any more',
    check: '502 the registry cannot be reached',
    lose: async ({ line, resolver }) => {
      resolver.lose(upstreamHost, 'unknown');
      await line.refuse();
      await line.accept();
    },
    restore: ({ resolver }) => resolver.restore(upstreamHost),
  },
  {
    how: 'answer 503',
    check: '502 the registry answered with a web page',
    lose: ({ service }) => setFault(service, 'unavailable-503'),
    restore: ({ service }) => setFault(service, 'none'),
  },
  {
    how: 'hang',
    check: '503 TIMEOUT, Retry-After',
    lose: ({ service }) => setFault(service, 'hang'),
    restore: ({ service }) => setFault(service, 'none'),
  },
];

describe('upstreams that are away, all three (reliability R26)', () => {
  it.each(losses)(
    'change no answer but that of a VAT check that is not cached; they $how',
    async ({ how, check, lose, restore }) => {
      const world = await start();
      const { service } = world;
      const every = await EveryEndpoint.prepare(service);

      await lose(world);
      const during = await every.sendRequest();
      await restore(world);

      reportFigure('R26', `upstreams ${how}: ${every.describe()}`);
      const expected: GroupAnswers = { ...whole, '/vatcheck, not cached': check };
      expect(during).toEqual(expected);
      expect(every.longestMs).toBeLessThan(answerMs);
      expect(await every.sendRequest()).toEqual(whole);
    },
  );

  it('leave published data as it is, and missed publications follow when they are back', async () => {
    const { service, line } = await start();
    const before = [await service.get('/rates'), await service.get('/fx')];

    await line.refuse();
    await service.liveAt('2026-11-23T16:00:00Z');
    const during = [await service.get('/rates'), await service.get('/fx')];
    const runs = await service.core.runs.list(2);
    const ready = await service.sendToOps('/ready');
    await line.accept();
    await service.liveAt('2026-11-23T17:30:00Z');

    expect(during.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    expect(runs.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
    expect(ready.text).toBe('{"status":"ready"}');
    expect((await service.get('/rates')).text).toContain('"version":"2026-11-23"');
    expect((await service.get('/fx')).text).toContain('"date":"2026-11-23"');
  });
});

describe('a receiver that has no address any more (reliability R26)', () => {
  it('is refused for new subscriptions, and gets waiting deliveries when it has an address again', async () => {
    const resolver = Names.use();
    const service = await startService({ config: localReceivers });
    service.startDelivery();
    const caller = new WebhookCaller(service, service.key);
    const url = service.sandbox.receiverUrl('shop').replace('127.0.0.1', receiverHost);
    const { id, secret } = await caller.post<{ readonly id: string; readonly secret: string }>(
      '',
      { url },
      201,
    );
    const shop = service.sandbox.receivers.named('shop');
    shop.apply({ secrets: [secret], answer: {} });

    resolver.lose(receiverHost, 'unknown');
    const refused = caller.post('', { url }, 201);
    await expect(refused).rejects.toThrow('400');
    await caller.post(`/${id}/test`, {});
    await eventually(async () => (await caller.listDeliveries(id))[0]?.attempts.length === 1);
    const [failed] = await caller.listDeliveries(id);
    resolver.restore(receiverHost);
    setNow(service.scenario, failed?.nextAttemptAt ?? '');
    await eventually(async () => (await caller.listDeliveries(id))[0]?.status === 'succeeded');

    expect(failed).toMatchObject({ status: 'pending', attempts: [{ statusCode: null }] });
    expect(shop.received).toMatchObject([{ id: failed?.eventId, verified: true }]);
  });
});

/** A service that reaches its upstreams through a proxy, and by a host name. */
async function start(): Promise<World> {
  const resolver = Names.use();
  const first = await startService({
    at: '2026-11-19T16:00:00Z',
    lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
    config: unusedReceivers,
  });
  const line = await FaultProxy.open(Number(new URL(first.sandbox.url).port));
  const proxyUrl = line.urlOf(first.sandbox.url).replace('127.0.0.1', upstreamHost);
  await first.stop();
  const service = await startBeside(first, {
    config: {
      ...settingsAt(proxyUrl),
      viesTimeoutMs: 1_000,
    },
  });
  return { service, line, resolver };
}

function setFault({ scenario }: TestService, fault: 'none' | 'hang' | 'unavailable-503'): void {
  setTedbFault(scenario, fault);
  setEcbFault(scenario, fault);
  setViesFault(scenario, fault);
}
