import { beforeAll, describe, expect, it } from 'vitest';
import { addCaller, type Caller } from '../api/support/caller.ts';
import { runCommand, startCommand } from '../support/run-cli.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { shareService, startService } from '../support/start-service.ts';
import { settingsBeside } from './support/key-commands.ts';

const lived = ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'];
const script: NonNullable<Parameters<typeof shareService>[0]>['script'] = (scenario) =>
  changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-20');
const service = shareService({ script, lived });

type Line = { readonly type: string; readonly cursor: string };
const linesOf = (stdout: string): Line[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
const typesOf = (stdout: string): string[] => linesOf(stdout).map(({ type }) => type);

async function check(caller: Caller, reference: string): Promise<void> {
  const body = JSON.stringify({ countryCode: 'AT', vatNumber: 'U99999901', reference });
  const headers = { 'content-type': 'application/json' };
  const { status } = await caller.sendRequest({
    method: 'POST',
    path: '/vatchecks',
    headers,
    body,
  });
  expect(status).toBe(201);
}

const tail = async (...options: readonly string[]) =>
  runCommand(['events', 'tail', '--no-follow', ...options], settingsBeside(service()));

describe('events tail --no-follow (rule E7)', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await addCaller(service());
    await check(caller, 'c 1');
    await check(await addCaller(service()), 'of another key');
    await check(caller, 'c 2');
  });

  it('prints public events only, unless a key is given; --json changes nothing', async () => {
    const { code, stdout, stderr } = await tail('--json');

    expect({ code, stderr, types: typesOf(stdout) }).toEqual({
      code: 0,
      stderr: '',
      types: ['rates.changed'],
    });
  });

  it('prints the events of a key as GET /events answers them, to the byte', async () => {
    const { stdout } = await tail('--key', caller.id);

    const page = (await caller.get('/events')).text;
    const events = stdout.trimEnd().split('\n');
    expect(events).toHaveLength(3);
    expect(page).toContain(`{"events":[${events.join(',')}],`);
  });

  it('continues after a cursor, and prints nothing after now', async () => {
    const [first, ...others] = linesOf((await tail('--key', caller.id)).stdout);

    const after = await tail('--key', caller.id, '--after', first?.cursor ?? '');

    expect(linesOf(after.stdout)).toEqual(others);
    expect(await tail('--after', 'now')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each([
    [['--after', 'x'], 2, '--after is not a cursor of this service; expected the "cursor" of a '],
    [['--type', 'rates'], 2, '--type is rates, expected rates.changed, categories.changed, vat.'],
    [['--key', 'key_0'], 1, 'there is no key key_0; "npm run -s vatfx -- keys list" lists them'],
  ])('refuses %j', async (options, code, sentence) => {
    const finished = await tail(...options);

    expect(finished).toMatchObject({ code, stdout: '' });
    expect(finished.stderr).toContain(sentence);
  });

  it('says what to do if the cursor has expired', async () => {
    const own = await startService({ script, lived, config: { eventsRetentionDays: 1 } });
    const env = settingsBeside(own);
    await check(await addCaller(own), 'c 1');
    const [oldest] = linesOf((await runCommand(['events', 'tail', '--no-follow'], env)).stdout);
    await own.liveAt('2026-11-22T16:00:00Z');

    const { code, stderr } = await runCommand(
      ['events', 'tail', '--after', oldest?.cursor ?? ''],
      env,
    );

    expect(code).toBe(1);
    expect(stderr).toContain('the cursor has expired');
    expect(stderr).toContain('leave out --after to begin with the oldest stored event');
  });
});

describe('events tail (rule E7)', () => {
  it('prints further events as they happen, and ends with a signal', async () => {
    const caller = await addCaller(service());
    await check(caller, 'before');
    const following = startCommand(
      ['events', 'tail', '--key', caller.id, '--type', 'vat.checked'],
      settingsBeside(service()),
    );
    await following.waitForOutput(/"before"/);
    for (const reference of ['first', 'second']) {
      await check(caller, reference);
      await following.waitForOutput(new RegExp(`"${reference}"`));
    }
    following.signal('SIGINT');

    const { code, stdout, stderr } = await following.ended();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(typesOf(stdout)).toEqual(['vat.checked', 'vat.checked', 'vat.checked']);
  });
});
