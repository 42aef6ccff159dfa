import { describe, expect, it } from 'vitest';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { shareService } from '../support/start-service.ts';
import { settingsBeside } from './support/key-commands.ts';

type Erratum = Readonly<Record<string, unknown>>;

const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });
const run = async (...args: readonly string[]) =>
  runCommand(['errata', ...args], settingsBeside(service()));
const json = async <T>(...args: readonly string[]) =>
  runForJson<T>(['errata', ...args], settingsBeside(service()));
/** `errata add` with these options, in one line, and a legal basis. */
const add = (options: string): string[] => ['add', '--legal-basis', 'Act 1', ...options.split(' ')];
const hungary = '--country hu --field standard --from 2026-11-01 --source 27.0 --law 26';

describe('errata list | add | remove (rule X1)', () => {
  it('adds one, which the running service shows, lists it, and removes it', async () => {
    const readAll = async (): Promise<number> => {
      const { text } = await service().get('/rates/errata?country=HU');
      return (JSON.parse(text) as { readonly count: number }).count;
    };

    const added = await json<Erratum>(...add(hungary));

    const rate = { country: 'HU', field: 'standard', source: 27, law: 26 };
    const about = { from: '2026-11-01', to: null, reference: null, by: 'operator' };
    expect(added).toMatchObject({ ...rate, ...about });
    await expect.poll(readAll, { timeout: 2_000, interval: 20 }).toBe(1);
    const list = ['list', '--country', 'HU', '--date', '2026-11-20', '--kind', 'national'];
    expect(await json(...list)).toEqual([added]);
    expect((await run('list')).stdout).toMatch(
      / HU +standard +2026-11-01 +- +27 +26 .* operator\n/,
    );

    const { stdout } = await run('remove', String(added['id']));

    expect(stdout).toBe(`${String(added['id'])} removed\n`);
    await expect.poll(readAll, { timeout: 2_000, interval: 20 }).toBe(0);
  });

  it('adds a list of reduced rates, and EL as GR', async () => {
    const { stdout } = await run(
      ...add('--country EL --field reduced --from 2026-11-01 --source 6,13 --law 13,4,6'),
    );

    expect(stdout).toMatch(
      /^err_\w{24} added: GR reduced, TEDB 6 and 13, law 4 and 6 and 13, from 2026-11-01\n$/,
    );
  });

  it.each([
    ['--country', 'UK', 2, '--country is UK, expected the code of a Member State such as DE'],
    [
      '--field',
      'zero',
      2,
      '--field is zero, expected standard, super_reduced, parking, reduced[0]',
    ],
    ['--from', '2026-02-30', 2, '--from is 2026-02-30, expected YYYY-MM-DD'],
    ['--to', '2026-10-31', 2, '--to is 2026-10-31, expected a day after --from'],
    ['--source', '27 %', 2, '--source is 27 %, expected a rate such as 5.5, or none'],
    ['--law', '2026', 2, '--law is 2026, expected a rate such as 5.5, or none'],
    ['--law', '27', 2, '--law is the value of --source, expected another one'],
    ['--legal-basis', ' ', 2, '--legal-basis is empty, longer than 500 characters, or has a line'],
    ['--legal-basis', '😀'.repeat(501), 2, '--legal-basis is empty, longer than 500 characters'],
    ['--reference', 'BGBl. \u202E1', 2, '--reference is empty, longer than 500 characters, or has'],
    [
      '--condition',
      'x',
      2,
      '--condition belongs to errata of goods, expected no --field beside it',
    ],
    ['--source', '25', 1, '/rates/2026-11-20 has 27 for HU standard, which is not --source'],
    // A value that TEDB never reported, with the one that it reports as the law.
    [
      '--source=25',
      '--law=27',
      1,
      '/rates/2026-11-20 has 27 for HU standard, which is not --source',
    ],
  ])('refuses %s %s', async (option, value, code, sentence) => {
    const ended = await run(...add(hungary), option, value);

    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
  });

  it('says if no stored day of the span could be compared', async () => {
    const years = '--country HU --field standard --from 2015-01-01 --to 2015-12-31';
    const { code, stderr } = await run(...add(`${years} --source 28 --law 27`));

    expect([code, stderr]).toEqual([
      0,
      'No day of the span is stored, so --source was compared with nothing.\n',
    ]);
  });

  it('refuses a second one about the same rate on the same days, and to remove one of the program', async () => {
    const [standard] = await json<readonly Erratum[]>('list', '--country', 'GR');
    const id = String(standard?.['id']);
    const days = '--from 2016-05-31 --to 2016-06-30';

    const again = await run(...add(`--country GR --field standard --source 24 --law 23 ${days}`));
    const removed = await run('remove', id);

    expect([again.code, removed.code]).toEqual([1, 1]);
    expect(again.stderr).toContain(`${id} is about the same rate on some of these days`);
    expect(removed.stderr).toContain('is not an erratum that an operator added');
  });
});

describe('errata add of goods (rule X7)', () => {
  const books = '--country fi --category loan_libraries --from 2026-11-01 --source 13.5 --law 10';
  const ask = async (): Promise<unknown> => {
    const { text } = await service().get('/rates/categories?country=FI&cn=4901');
    const { rows, errata, verdict } = JSON.parse(text) as {
      readonly rows: readonly { readonly erratum: string | null }[];
      readonly errata: readonly string[];
      readonly verdict: Readonly<Record<string, { readonly kind: string }>>;
    };
    return [rows.map(({ erratum }) => erratum), errata, verdict['FI']?.kind];
  };

  it('adds one that the row and the answer of the running service name, and removes it', async () => {
    const before = await ask();

    const added = await json<Erratum>(
      ...add(`${books} --cn 4901 --cn 4902`),
      '--condition',
      '📕'.repeat(500),
    );

    const id = String(added['id']);
    expect(added).toMatchObject({
      kind: 'goods',
      country: 'FI',
      category: 'LOAN_LIBRARIES',
      codeKind: 'cn',
      codes: ['4901', '4902'],
      source: { treatment: 'rate', rate: 13.5 },
      law: { treatment: 'rate', rate: 10 },
      seen: null,
      by: 'operator',
    });
    const poll = { timeout: 2_000, interval: 20 };
    await expect.poll(ask, poll).toEqual([[id], [id], 'depends']);
    expect((await run('list', '--kind', 'goods')).stdout).toMatch(
      new RegExp(`${id} +FI +LOAN_LIBRARIES cn 4901 4902 .* 13.5 +10 .* operator\\n`),
    );
    const again = await run(...add(`${books} --cn 4902 --to 2026-11-02`));
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`${id} is about`)]);

    await run('remove', id);

    await expect.poll(ask, poll).toEqual(before);
    expect(before).toEqual([[null], [], 'one']);
  });

  it('says if no stored day of the span could be compared', async () => {
    const { code, stdout, stderr } = await run(
      ...add(`${books} --cpa J58.11 --from 2015-01-01 --to 2015-12-31`),
    );

    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/added: FI LOAN_LIBRARIES cpa 58\.11, TEDB 13\.5, law 10, from 2015/),
    ]);
    expect(stderr).toBe('No day of the span is stored, so --source was compared with nothing.\n');
  });

  it('takes the treatments by their names, and none for a row that TEDB lacks', async () => {
    const options = '--country PT --category child_wear --cn 6111 --from 2026-11-01';
    const { stdout } = await run(...add(`${options} --source none --law exempted`));

    expect(stdout).toContain('added: PT CHILD_WEAR cn 6111, TEDB no row, law exempted, from');
  });

  it.each([
    ['--category WINE --cn 4901', '--category is WINE, expected a category of the newest stored'],
    ['--cn 490', '--cn is 490, expected 2, 4, 6, 8 or 10 digits'],
    ['--cpa x', '--cpa is x, expected a CPA code such as 49.3'],
    ['', '--cn and --cpa are missing, expected one of them'],
    ['--cn 4901 --cpa 58.11', '--cn and --cpa are both given, expected one of them'],
    ['--cn 4901 --law 5,5', '--law is 5,5, expected a rate such as 5.5, or zero, exempted'],
    ['--cn 4901 --law none', '--law is none, expected a rate such as 5.5, or zero, exempted'],
    ['--cn 4901 --law 13.50', '--law is the value of --source, expected another one'],
    [
      '--cn 4901 --source 14',
      '--source is 14, but no stored day of the span has such a row for FI',
    ],
    [
      '--cn 4901 --source none --law 13.5',
      '--source is none, but no stored day of the span has no such row',
    ],
  ])('refuses %s', async (options, sentence) => {
    const ended = await run(...add(`${books} ${options}`.trim()));

    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });

  it('asks for a field or a category', async () => {
    const ended = await run(...add('--country FI --from 2026-11-01 --source 13.5 --law 10'));

    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining('--field and --category are missing, expected one of them'),
    ]);
  });
});
