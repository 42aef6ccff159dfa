import { describe, expect, it } from 'vitest';
import { setNow } from '../support/sandbox/scripts.ts';
import { shareService, type TestService } from '../support/start-service.ts';
import { fail } from './support/refused-keys.ts';

/** So many addresses of a trusted network, of which the last is always the same. */
const proxies = (count: number, first = 1): string =>
  [...Array<string>(count - 1).fill(`127.0.${first}.1`), '127.0.0.5'].join(',');

const friday = '2026-11-20T16:00:00Z';

describe('the address of a client (TRUSTED_PROXIES)', () => {
  const [none, peer, network] = [[], ['127.0.0.1'], ['127.0.0.0/8']];
  const [hops, others] = [
    ['127.0.0.1', '10.0.0.0/8'],
    ['10.0.0.0/8', '::1'],
  ];
  /** A service for each list of trusted proxies. */
  const services = new Map(
    [none, peer, network, hops, others].map((trustedProxies) => [
      trustedProxies,
      shareService({ lived: [friday], config: { failedAuthPerMinute: 1, trustedProxies } }),
    ]),
  );
  const byDefault = shareService({ config: { trustedProxies: network } });
  let hours = 0;
  /** The service with these proxies, an hour later than in the last test, so that no address has failed. */
  const start = (trusted: string[]): TestService => {
    const service = services.get(trusted)!();
    hours += 1;
    setNow(service.scenario, new Date(Date.parse(friday) + hours * 3_600_000).toISOString());
    return service;
  };

  type Header = string | string[];
  it.each<[what: string, trusted: string[], first: Header, then: Header]>([
    ['names another address', peer, '203.0.113.1', '203.0.113.2'],
    ['is of a trusted network', network, '203.0.113.1', '203.0.113.2'],
    ['names two proxies', hops, '203.0.113.1, 10.0.0.5', '203.0.113.2, 10.0.0.5'],
    ['has two lines', hops, ['203.0.113.1', '10.0.0.5'], ['203.0.113.2', '10.0.0.5']],
    ['names a proxy that is not trusted', peer, '203.0.113.1, 10.0.0.5', '203.0.113.1, 10.0.0.6'],
    ['names 19 proxies', network, `203.0.113.1,${proxies(19)}`, `203.0.113.2,${proxies(19)}`],
    ['names another IPv6 network', peer, '2001:db8:0:1::1', '2001:db8:0:2::1'],
    ['is not an address', peer, 'unknown', '203.0.113.1'],
  ])('has a limit of its own if X-Forwarded-For %s', async (_what, trustedProxies, first, then) => {
    const service = start(trustedProxies);

    const failed = await fail(service, 2, { 'x-forwarded-for': first });

    expect(failed).toEqual([401, 429]);
    expect(await fail(service, 2, { 'x-forwarded-for': then })).toEqual([401, 429]);
  });

  it.each<[what: string, trusted: string[], first: string, then: string]>([
    ['no proxy is trusted', none, '203.0.113.1', '203.0.113.2'],
    ['only other proxies are trusted', others, '203.0.113.1', '203.0.113.2'],
    ['one was made up in front of it', peer, '203.0.113.1', '198.51.100.9, 203.0.113.1'],
    ['an unknown proxy says so', peer, '203.0.113.1, 192.0.2.7', '203.0.113.2, 192.0.2.7'],
    ['it comes by other proxies', hops, '203.0.113.1, 10.0.0.5', '203.0.113.1, 10.0.0.6, 10.0.0.7'],
    ['it is of the same IPv6 network', peer, '2001:db8:0:1::1', '2001:db8:0:1:ffff::2'],
    ['it is written as IPv6', peer, '203.0.113.1', '::ffff:203.0.113.1'],
    ['only the port differs', peer, '203.0.113.1:4444', '203.0.113.1:5555'],
    ['an IPv6 one comes with a port', peer, '[2001:db8:0:1::1]:4444', '2001:db8:0:1::2'],
    ['neither is an address', peer, 'unknown', 'hidden'],
    ['it is the same', peer, '203.0.113.1', '203.0.113.1'],
    ['it is in the trusted network', network, '127.0.0.7', '127.1.2.3, 127.0.0.7'],
    ['20 proxies are named behind it', network, proxies(20), `203.0.113.1, ${proxies(20)}`],
    ['1,300 are', network, proxies(1_300, 9), proxies(1_300, 8)],
  ])('stays the same if %s', async (_what, trustedProxies, first, then) => {
    const service = start(trustedProxies);

    const failed = await fail(service, 1, { 'x-forwarded-for': first });

    expect([...failed, ...(await fail(service, 1, { 'x-forwarded-for': then }))]).toEqual([
      401, 429,
    ]);
  });

  it.each(['forwarded', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip'])(
    'is not read from %s',
    async (name) => {
      const service = start(peer);

      const statuses = [
        ...(await fail(service, 1, { [name]: '203.0.113.1' })),
        ...(await fail(service, 1, { [name]: '203.0.113.2' })),
      ];

      expect(statuses).toEqual([401, 429]);
    },
  );

  it('has no effect on a request with a valid key', async () => {
    const service = start(peer);
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    await fail(service, 3, headers);

    const { status } = await service.get('/rates', headers);

    expect(status).toBe(200);
  });

  it('is one for 1,300 addresses that a client of the trusted network made up in each of 700 requests', async () => {
    const statuses: number[] = [];
    for (let made = 0; made < 700; made += 1) {
      const forged = `127.${made % 250}.${made >> 8}.1,${proxies(1_300)}`;
      statuses.push(...(await fail(byDefault(), 1, { 'x-forwarded-for': forged })));
    }

    expect(statuses.filter((status) => status === 401)).toHaveLength(600);
  });
});
