import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createHostCheck } from './host-check.ts';

describe('createHostCheck', () => {
  const isKnown = createHostCheck('Ops.Example');

  it.each([
    undefined,
    'localhost',
    'LOCALHOST:9080',
    'localhost.:9080',
    '127.0.0.1:9080',
    '127.3.2.1',
    '10.0.0.7:9080',
    '[::1]:9080',
    '[fd00::7]',
    'ops.example',
    'OPS.example:80',
    hostname(),
    'vatfx-1:9080',
    'vatfx.internal',
    'vatfx-ops.default.svc:9080',
    'vatfx-ops.default.svc.cluster.local',
  ])('lets %s pass', (host) => {
    expect(isKnown(host)).toBe(true);
  });

  it.each([
    '',
    'evil.example',
    'evil.example:9080',
    'localhost.evil.example',
    'evil.localhost:9080',
    '127.0.0.1.evil.example',
    '127.1',
    '0x7f.0.0.1',
    '[evil.example]',
    '::1',
    '127',
    'ops.example.evil.example',
    'internal.example',
    'evilinternal.example',
    'localhost:9080:9080',
    'user@localhost',
  ])('refuses "%s"', (host) => {
    expect(isKnown(host)).toBe(false);
  });
});
