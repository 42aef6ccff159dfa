import { describe, expect, it } from 'vitest';
import { runForJson, runCommand } from '../support/run-cli.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { databaseSettings } from '../support/temporary-database.ts';

type Erratum = Readonly<Record<string, unknown>>;

const hungary = [
  '--country',
  'hu',
  '--field',
  'standard',
  '--from',
  '2026-11-01',
  '--source',
  '27.0',
  '--law',
  '26',
  '--legal-basis',
  'Act CXXVII of 2007, s. 82',
];

/** The commands that run beside a service. */
async function startBeside(): Promise<{
  readonly service: TestService;
  readonly run: (...args: readonly string[]) => ReturnType<typeof runCommand>;
  readonly json: <T>(...args: readonly string[]) => Promise<T>;
}> {
  const service = await startService({ lived: ['2026-11-20T16:00:00Z'] });
  const env = databaseSettings(service.config.databaseUrl);
  return {
    service,
    run: async (...args) => runCommand(['errata', ...args], env),
    json: async (...args) => runForJson(['errata', ...args], env),
  };
}

describe('errata list | add | remove (rule X1)', () => {
  it('adds one, which the running service shows, lists it, and removes it', async () => {
    const { service, run, json } = await startBeside();
    const readAll = async (): Promise<number> => {
      const { text } = await service.get('/rates/errata?country=HU');
      return (JSON.parse(text) as { readonly count: number }).count;
    };

    const added = await json<Erratum>('add', ...hungary);

    expect(added).toMatchObject({
      country: 'HU',
      field: 'standard',
      from: '2026-11-01',
      to: null,
      source: 27,
      law: 26,
      reference: null,
      by: 'operator',
    });
    await expect.poll(readAll, { timeout: 2_000, interval: 20 }).toBe(1);
    expect(await json('list', '--country', 'HU', '--date', '2026-11-20')).toEqual([added]);
    expect((await run('list')).stdout).toMatch(
      / HU +standard +2026-11-01 +- +27 +26 .* operator\n/,
    );

    const { stdout } = await run('remove', String(added['id']));

    expect(stdout).toBe(`${String(added['id'])} removed\n`);
    await expect.poll(readAll, { timeout: 2_000, interval: 20 }).toBe(0);
  });

  it('adds a list of reduced rates, and EL as GR', async () => {
    const { run } = await startBeside();
    const values = ['--source', '6,13', '--law', '13, 4,6', '--legal-basis', 'x', '--from'];

    const { stdout } = await run(
      'add',
      '--country',
      'EL',
      '--field',
      'reduced',
      ...values,
      '2026-11-01',
    );

    expect(stdout).toMatch(
      /^err_\w{24} added: GR reduced, TEDB 6 and 13, law 4 and 6 and 13, from 2026-11-01\n$/,
    );
  });

  it.each([
    [['--country', 'UK'], 2, '--country is UK, expected the code of a Member State such as DE'],
    [
      ['--field', 'zero'],
      2,
      '--field is zero, expected standard, super_reduced, parking, reduced[0] or reduced',
    ],
    [['--from', '2026-02-30'], 2, '--from is 2026-02-30, expected YYYY-MM-DD'],
    [['--to', '2026-10-31'], 2, '--to is 2026-10-31, expected a day after --from'],
    [['--source', '27 %'], 2, '--source is 27 %, expected a rate such as 5.5, or none'],
    [['--law', '2026'], 2, '--law is 2026, expected a rate such as 5.5, or none'],
    [['--law', '27'], 2, '--law is the value of --source, expected another one'],
    [
      ['--legal-basis', ' '],
      2,
      '--legal-basis is empty, longer than 500 characters or has a line break, expected a sentence',
    ],
    [
      ['--source', '25'],
      1,
      '/rates/2026-11-20 has 27 for HU standard, which is neither --source nor --law',
    ],
  ])('refuses %j', async (args, code, sentence) => {
    const { run } = await startBeside();

    expect(await run('add', ...hungary, ...args)).toMatchObject({
      code,
      stderr: expect.stringContaining(sentence),
    });
  });

  it('refuses a second one about the same rate on the same days, and to remove one of the program', async () => {
    const { run, json } = await startBeside();
    const [standard] = await json<readonly Erratum[]>('list', '--country', 'GR');
    const greek = ['--country', 'GR', '--source', '24', '--law', '23', '--legal-basis', 'x'];

    const again = await run(
      'add',
      ...greek,
      '--field',
      'standard',
      '--from',
      '2016-05-31',
      '--to',
      '2016-06-30',
    );
    const removed = await run('remove', String(standard?.['id']));

    expect([again.code, removed.code]).toEqual([1, 1]);
    expect(again.stderr).toContain(
      `${String(standard?.['id'])} is about the same rate on some of these days`,
    );
    expect(removed.stderr).toContain('is not an erratum that an operator added');
  });
});
