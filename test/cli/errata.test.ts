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
    expect(await json('list', '--country', 'HU', '--date', '2026-11-20')).toEqual([added]);
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
    ['--legal-basis', ' ', 2, '--legal-basis is empty, longer than 500 characters or has a line'],
    ['--source', '25', 1, 'has 27 for HU standard, which is neither --source nor --law'],
  ])('refuses %s %s', async (option, value, code, sentence) => {
    const ended = await run(...add(hungary), option, value);

    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
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
