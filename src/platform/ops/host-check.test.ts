import { describe, expect, it } from 'vitest';
import { createHostCheck } from './host-check.ts';

describe('createHostCheck', () => {
  const isKnown = createHostCheck(['Ops.Internal', 'vatfx-1']);

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
    'ops.internal',
    'OPS.internal:80',
    'vatfx-1:9080',
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
    'vatfx-2',
    'localhost:9080:9080',
    'user@localhost',
  ])('refuses "%s"', (host) => {
    expect(isKnown(host)).toBe(false);
  });

  it('lets every host pass if `*` is set', () => {
    expect(createHostCheck(['127.0.0.1', '*'])('evil.example')).toBe(true);
  });
});
