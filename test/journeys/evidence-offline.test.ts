import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { printPublishedKeys } from '../../src/vat-check/stored/evidence/published-keys.ts';
import { makeSigningKey } from '../../src/vat-check/stored/evidence/signing-key.ts';
import { reportFigure } from '../support/proof.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { evidenceOf, fileOf, publish } from '../vat-check/support/made-evidence.ts';
import { runVatfx } from './support/run-vatfx.ts';

/** Node refuses each connection and look-up of a name of such a process, and each write to a file. */
const withoutNetwork = '--permission --allow-fs-read=*';
/** No database of this name can be opened. */
const env = { NODE_OPTIONS: withoutNetwork, DATABASE_URL: 'postgres://nowhere.invalid/vatfx' };
/** Places in the file, in percent of its length. */
const places = [5, 25, 45, 65, 85, 99];

describe('evidence verify without network, service and database (rule K16, reliability R30)', () => {
  it('accepts the file as it was signed, and reports each changed one', async () => {
    const key = makeSigningKey();
    const folder = temporaryFolder();
    const [file, keys] = [join(folder, 'check.json'), join(folder, 'keys.json')];
    const bytes = fileOf(evidenceOf({}, key));
    writeFileSync(keys, printPublishedKeys([publish(key)]));
    const verify = async (content: Buffer) => {
      writeFileSync(file, content);
      return runVatfx(['evidence', 'verify', file, '--keys', keys], env);
    };

    const right = await verify(bytes);
    let found = 0;
    for (const place of places) {
      const changed = Buffer.from(bytes);
      const at = Math.floor((bytes.length * place) / 100);
      changed[at] = (changed[at] ?? 0) ^ 1;
      if ((await verify(changed)).code === 1) found += 1;
    }

    expect(right).toMatchObject({ code: 0, stderr: '' });
    expect(right.stdout).toContain('The evidence holds');
    reportFigure(
      'R30',
      `a verifier without network and database accepts the signed file, and reports ${found} of ${places.length} changed ones`,
    );
    expect(found).toBe(places.length);
  });

  it('would fail with these permissions if it connected', async () => {
    const connect =
      "require('net').connect(9, '127.0.0.1').on('error', ({ code }) => console.log(code))";

    const { stdout } = await promisify(execFile)(process.execPath, ['--eval', connect], {
      env: { NODE_OPTIONS: withoutNetwork },
    });

    expect(stdout).toBe('ERR_ACCESS_DENIED\n');
  });
});
