import { describe, expect, it } from 'vitest';
import { listEvidenceKeys } from '../../src/vat-check/stored/evidence/evidence-keys.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
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

  it('reports both keys with --json, and audits them', async () => {
    const { db, env } = await openKeyDatabase();
    const { to: from } = await runForJson<{ to: string }>(rotate, env);

    const rotation = await runForJson(rotate, env);

    const [now] = await listEvidenceKeys(db);
    expect(rotation).toEqual({ from, to: now?.kid });
    const [newest] = await runForJson<unknown[]>(['audit'], env);
    expect(newest).toMatchObject({
      action: 'evidence.rotate',
      subject: now?.kid,
      detail: { from },
    });
  });
});
