import { MockAgent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answers, noResolve } from '../../../test/support/send-guarded.ts';
import { createAddressPolicy } from './address-class.ts';
import { guardProxiedReceivers } from './proxied-receivers.ts';
import type { Resolve } from './resolve.ts';
import { createSsrfGuard } from './ssrf-guard.ts';

function guardOf(allowCidrs: readonly string[], resolve: Resolve) {
  const isAllowed = createAddressPolicy(allowCidrs);
  const guard = createSsrfGuard({ isAllowed, resolve });
  return guardProxiedReceivers({ guard, isAllowed, allowPrivateNames: allowCidrs.length > 0 });
}

const allowed = { kind: 'allowed' };
const refused = { kind: 'refused', why: 'notPublic' };

describe('receivers through a proxy (rule O2, contract C30)', () => {
  it.each<[string, string, typeof allowed, string[], Resolve]>([
    ['a name that only the proxy resolves', 'https://shop.example/', allowed, [], noResolve],
    ['a name with a public address', 'https://shop.example/', allowed, [], answers('9.9.9.9')],
    ['a name with a private one', 'https://shop.example/', refused, [], answers('10.0.0.1')],
    ['a public address', 'https://9.9.9.9/', allowed, [], noResolve],
    ['a private address', 'https://0x0a.1/', refused, [], noResolve],
    ['a mapped private address', 'https://[::ffff:a00:1]/', refused, [], noResolve],
    ['an allowed private address', 'https://10.0.0.1/', allowed, ['10.0.0.0/8'], noResolve],
    ['the machine of the proxy', 'https://LOCALHOST./', refused, [], noResolve],
    ['a name of a cloud', 'https://metadata.google.internal/', refused, [], noResolve],
    ['a name without a dot', 'https://intranet/', refused, [], noResolve],
    ['a name that begins so', 'https://local.example/', allowed, [], noResolve],
    ['a private name, allowed', 'https://intranet/', allowed, ['10.0.0.0/8'], noResolve],
  ])('are judged by what can be known here: %s', async (_, text, expected, cidrs, resolve) => {
    const { check } = guardOf(cidrs, resolve);

    expect(await check(new URL(text), new AbortController().signal)).toEqual(expected);
  });

  it.each([
    ['http://10.0.0.1', 'ReceiverRefused'],
    ['https://[::1]:8443', 'ReceiverRefused'],
    ['https://localhost', 'ReceiverRefused'],
    ['https://shop.example', 'MockNotMatchedError'],
  ])('are judged again before each request: %s', async (origin, name) => {
    const proxy = new MockAgent();
    onTestFinished(async () => proxy.close());
    proxy.disableNetConnect();
    const agent = proxy.compose(guardOf([], noResolve).interceptor);

    const sending = agent.request({ origin, path: '/', method: 'POST' });

    await expect(sending).rejects.toMatchObject({ name });
  });
});
