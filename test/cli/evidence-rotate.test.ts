import { describe, expect, it } from 'vitest';
import { listEvidenceKeys } from '../../src/vat-check/stored/evidence/evidence-keys.ts';
import { runCommand } from '../support/run-cli.ts';
import { openKeyDatabase } from './support/key-commands.ts';

const rotate = ['evidence', 'rotate'];

describe('evidence rotate (rule K15)', () => {
  it('creates a key, ends it the next time, and says so', async () => {
    const { db, env } = await openKeyDatabase();

    const first = await runCommand(rotate, env);
    const second = await runCommand(rotate, env);

    const [now, before] = await listEvidenceKeys(db);
    expect(first).toEqual({
      code: 0,
      stdout: `Evidence is now signed with the key ${before?.kid}.\nThere was no key before.\n`,
      stderr: '',
    });
    expect(second.stdout).toBe(
      `Evidence is now signed with the key ${now?.kid}.\nThe key before, ${before?.kid}, stays published, so that ` +
        'earlier evidence still holds.\n',
    );
  });
});
