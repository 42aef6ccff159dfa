import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startVatfx } from '../journeys/support/run-vatfx.ts';
import { startServe } from '../journeys/support/serve-process.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { eventually } from '../support/eventually.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { type Environment, runCommand, runForJson, startCommand } from '../support/run-cli.ts';
import { setMemberState } from '../support/sandbox/scripts.ts';
import { temporaryFolder } from '../support/temporary-database.ts';

type Counts = {
  readonly batchId: string;
  readonly count: number;
  readonly answered: number;
  readonly rejected: number;
  readonly pending: number;
  readonly continued: boolean;
};

/** Three numbers that are registered, one that is not, and one that no registry can be queried for. */
const rows = [
  'countryCode;vatNumber;reference',
  'AT;U99999901;one',
  'DE;999999901;two',
  'GB;1;three',
  'AT;U99999999;four',
  'EL;999999901;five',
];

function writeInput(lines: readonly string[] = rows) {
  const folder = temporaryFolder();
  const [csv, out] = [join(folder, 'in.csv'), join(folder, 'out.csv')];
  writeFileSync(csv, `${lines.join('\r\n')}\r\n`);
  return { folder, csv, out, command: ['check', '--csv', csv, '--out', out] };
}

function readAnswers(file: string): readonly Readonly<Record<string, string>>[] {
  // The file of the numbers has semicolons, and no cell that has others.
  const text = readFileSync(file, 'utf8').replaceAll(';', ',');
  const [columns = [], ...lines] = parseCsv(text);
  return lines.map((cells) =>
    Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])),
  );
}

const countBatches = async (env: Environment): Promise<number> =>
  new Set(
    (await runForJson<{ batchId: string }[]>(['checks', 'list'], env)).map(
      ({ batchId }) => batchId,
    ),
  ).size;

/** Makes the next attempts of all pending checks due now. */
async function makeDue(env: Environment): Promise<void> {
  const db = await openDatabase(env['DATABASE_URL'] ?? '');
  const due_at = '2020-01-01T00:00:00.000Z';
  await db.updateTable('vat_checks').set({ due_at }).where('status', '=', 'pending').execute();
  await db.destroy();
}

describe('check --csv --out (rule K19)', () => {
  it('with - reads standard input, and writes nothing but the answers to standard output (rule O16)', async () => {
    const { env } = await startUpstreams();
    const { csv, out, command } = writeInput();
    const input = [readFileSync(csv)];
    const words = ['check', '--csv', '-', '--out'];

    const piped = startCommand([...words, '-'], env, input);
    const { code, stdout, stderr } = await piped.ended();
    const filed = await runCommand([...words, out], env, input);
    await runCommand(command, env);

    expect(code).toBe(0);
    expect(stderr).toMatch(/4 answered, 1 rejected, .*; the answers are on standard output\n$/);
    expect(filed).toMatchObject({ code: 0, stdout: expect.stringContaining(out) });
    const withoutIds = (text: string): string => text.replaceAll(/vc_\w+/g, 'vc_');
    expect(withoutIds(stdout)).toBe(withoutIds(readFileSync(out, 'utf8')));
  });

  it('checks all numbers as one batch, and writes the answers in the order of the file', async () => {
    const { env } = await startUpstreams();
    const { folder, out, command } = writeInput();

    const { code, stdout, stderr } = await runCommand(command, env);

    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `4 answered, 1 rejected, 0 expired, 0 pending, of 5; the answers are in ${out}\n`,
      stderr: expect.stringMatching(/^estimated end at this pace: 20\d\d-\S+Z\n$/),
    });
    const answers = readAnswers(out);
    expect(answers.map(({ reference, status, valid }) => [reference, status, valid])).toEqual([
      ['one', 'answered', 'true'],
      ['two', 'answered', 'true'],
      ['three', 'rejected', ''],
      ['four', 'answered', 'false'],
      ['five', 'answered', 'true'],
    ]);
    expect(answers[2]?.['problem']).toContain('Great Britain is not in VIES');
    expect(readdirSync(folder).toSorted()).toEqual(['in.csv', 'out.csv']);
  });

  it('writes the columns of the file first, in all its rows, with its separator and encoding', async () => {
    const { env } = await startUpstreams();
    const { csv, out, command } = writeInput([]);
    const text = 'Kdnr;USt-IdNr.;Firma\n1;ATU99999901;B\u00E4cker\n2;;Leer\n3;UID DE999999901;-1,5';
    writeFileSync(csv, text, 'latin1');

    const { stderr } = await runCommand(command, env);

    expect(stderr).toContain('was read as windows-1252: Bäcker; --charset names another\n');
    expect(stderr).toContain(
      "VAT number is 'USt-IdNr.', Your reference is 'Kdnr', Name of the customer is 'Firma'",
    );
    const lines = readFileSync(out, 'latin1').split('\r\n');
    expect(lines[0]).toMatch(/^Kdnr;USt-IdNr\.;Firma;valid;checked on;name;problem;queriedNumber;/);
    expect(lines[1]).toMatch(/^1;ATU99999901;B\u00E4cker;true;20\d\d-\d\d-\d\d;[^;]*;[^;]*;ATU9/);
    expect(lines[2]).toMatch(/^2;;Leer;;;;it has no VAT number;;/);
    expect(lines[3]).toMatch(/^3;UID DE999999901;-1,5;true;/);
  });

  it('says when it goes on if the calls of the day are used up (rule K21b)', async () => {
    const { env } = await startUpstreams();
    const { command } = writeInput();

    const waiting = startCommand(command, { ...env, VIES_CALLS_PER_DAY: '1' });
    await eventually(async () => Promise.resolve(waiting.stderr.includes('goes on at')));
    waiting.signal('SIGINT');

    expect((await waiting.ended()).stderr).toMatch(
      /\nthe calls to VIES of today are used up; this goes on at \d{4}-\d\d-\d\dT(?:18|00):00:00\.000Z\n/,
    );
  });

  it('writes what there is when it is interrupted, and the same call continues the batch', async () => {
    const { env, sandbox } = await startUpstreams();
    setMemberState(sandbox.scenario, 'DE', 'down');
    const { out, command } = writeInput();
    const interrupted = startCommand([...command, '--json'], env);
    await eventually(async () => sandbox.requests.of('vies').length >= 4);
    await eventually(
      async () =>
        (await runForJson<unknown[]>(['checks', 'list', '--status', 'answered'], env)).length === 3,
    );

    interrupted.signal('SIGINT');
    const { code, stdout, stderr } = await interrupted.ended();

    expect(code).toBe(1);
    expect(stderr).toMatch(/^estimated .*\ninterrupted; call the command again to continue\n$/);
    const counts = JSON.parse(stdout) as Counts;
    expect(counts).toMatchObject({ answered: 3, rejected: 1, pending: 1, continued: false });
    expect(readAnswers(out)[1]).toMatchObject({
      reference: 'two',
      status: 'pending',
      valid: '',
      problem: 'no answer yet (MS_UNAVAILABLE)',
    });

    setMemberState(sandbox.scenario, 'DE', 'up');
    await makeDue(env);
    const again = await runCommand([...command, '--json'], env);
    expect(JSON.parse(again.stdout)).toMatchObject({
      batchId: counts.batchId,
      answered: 4,
      pending: 0,
      continued: true,
    });
    expect(again.stderr).toMatch(/^continuing the batch vb_\w+ of .*Z\nestimated .*Z\n$/);
    expect(readAnswers(out)[1]).toMatchObject({ status: 'answered', valid: 'true' });
    expect(await countBatches(env)).toBe(1);
  });

  it('is continued after kill -9, and by a server with JOBS=on meanwhile', async () => {
    const { env, sandbox } = await startUpstreams();
    setMemberState(sandbox.scenario, 'DE', 'down');
    const { out, command } = writeInput();
    const killed = startVatfx(command, env);
    const answered = ['checks', 'list', '--status', 'answered'];
    const countAnswered = async () => (await runForJson<unknown[]>(answered, env)).length;
    await eventually(async () => (await countAnswered()) === 3);
    killed.signal('SIGKILL');
    await killed.ended();
    expect(existsSync(out)).toBe(false);

    setMemberState(sandbox.scenario, 'DE', 'up');
    await makeDue(env);
    await startServe(env);
    await eventually(async () => (await countAnswered()) === 4);
    const { vies } = sandbox.requests;
    const queriesBefore = vies.calls();
    const counts = await runForJson<Counts>(command, env);

    expect(counts).toMatchObject({ answered: 4, rejected: 1, pending: 0, continued: true });
    expect(vies.calls()).toBe(queriesBefore);
    expect(readAnswers(out).map(({ status }) => status)).toEqual([
      'answered',
      'answered',
      'rejected',
      'answered',
      'answered',
    ]);
  });

  it('skips and names rows that are too long, and checks the others', async () => {
    const { env } = await startUpstreams();
    const { command } = writeInput([...rows.slice(0, 3), `FR;${'9'.repeat(65)};z`]);

    const { code, stderr, stdout } = await runCommand(command, env);

    expect(code).toBe(0);
    expect(stderr).toContain('line 4 is skipped: vatNumber has more than 64 characters\n');
    expect(stdout).toContain(' of 2; 1 row was skipped; ');
  });

  it('says what is wrong with each line, and stores nothing if none can be read', async () => {
    const { env } = await startUpstreams();
    const { csv, command } = writeInput([rows[0] ?? '', 'FR;x;y;z', 'DE;;w']);

    const { code, stderr } = await runCommand(command, env);

    expect(code).toBe(1);
    expect(stderr).toBe(
      `${csv}: line 2: it has more cells than the 3 headings; line 3: it has no VAT number\n`,
    );
    expect(await runForJson(['checks', 'list'], env)).toEqual([]);
  });
});
