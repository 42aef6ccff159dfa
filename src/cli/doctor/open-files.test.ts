import { describe, expect, it } from 'vitest';
import { roomFor } from '../../platform/connections/open-files.ts';
import { checkOpenFiles } from './open-files.ts';

describe('checkOpenFiles', () => {
  it('accepts a limit that all connections fit into', () => {
    const finding = checkOpenFiles({ maxConnections: 100 }, roomFor(100, 4_096));

    expect(finding.state).toBe('ok');
  });

  it('warns of a limit that is too low, and says how far to raise it', () => {
    const finding = checkOpenFiles({ maxConnections: 10_000 }, roomFor(10_000, 1_024));

    expect(finding).toMatchObject({
      state: 'warning',
      found: '512 of 10000 fit, because a process may open 1024 files',
    });
    expect(finding.advice).toContain('11000');
  });
});
