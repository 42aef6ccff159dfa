import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ownProgram } from '../support/own-program.ts';
import { type Environment, type RunningVatfx, startVatfx } from '../journeys/support/run-vatfx.ts';
import { get } from '../journeys/support/serve-process.ts';

type Demo = {
  readonly process: RunningVatfx;
  readonly apiUrl: string;
  readonly sandboxUrl: string;
  readonly key: string;
  readonly folder: string;
};

describe('vatfx demo (operator.md)', () => {
  it('tells a story of commands whose output is real, publishes a scripted change, and ends with Ctrl-C', async () => {
    const { process: running, apiUrl, sandboxUrl, key, folder } = await startDemo(['--port', '0']);
    const { stdout } = running;

    const calls = readCalls(stdout);
    const outputs = calls.map(({ commands }) => runInShell(commands, running.folder));
    const settings = /^ {2}export (DATABASE_URL=.+)$/m.exec(stdout)?.[1] ?? '';
    const keys = runInShell(`${settings} npm run -s vatfx -- keys list`, running.folder);
    const { text: status } = await get(`${apiUrl}/status`, key);
    const { checks } = JSON.parse((await get(`${apiUrl}/vatchecks`, key)).text) as Checks;
    const scripts = [...stdout.matchAll(/_scenario -d '(\{.+\})'/g)].map(([, s]) => s);
    const played: number[] = [];
    for (const script of scripts) played.push(await scriptSandbox(sandboxUrl, script ?? ''));
    await eventually(async () => {
      const changes = await readChanges(apiUrl, key);
      return changes.some((change) => change.country === 'SE' && change.new === 24);
    });
    await eventually(async () => (await readReceived(sandboxUrl)).length === 4);
    const received = await readReceived(sandboxUrl);
    running.signal('SIGINT');
    const { code, stderr } = await running.ended();

    expect(stdout.match(/^\d\. .+$/gm)).toEqual(titles);
    expect(calls.length).toBe(7);
    expect(calls.flatMap((call, index) => findAbsent(call.shown, outputs[index] ?? ''))).toEqual(
      [],
    );
    expect(keys).toContain('demo');
    expect(stdout).toContain(`console           ${apiUrl}/#key=${key}\n`);
    expect(stdout).not.toContain('\u001b');
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
    expect(JSON.parse(status)).toMatchObject({ demo: true });
    expect(checks.map(({ countryCode, valid }) => [countryCode, valid])).toEqual([['DE', true]]);
    expect(checks[0]?.attempts).toBeGreaterThan(20);
    expect(hoursOf(checks[0])).toBeGreaterThan(23);
    expect(played).toEqual([200, 200]);
    expect(received.map(({ verified, body }) => [verified, body.type])).toEqual([
      [true, 'rates.changed'],
      [true, 'rates.changed'],
      [true, 'vat.checked'],
      [true, 'rates.changed'],
    ]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Running the jobs of the last 21 days …\n',
    });
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(running.folder)).toEqual(['keys.json']);
  });

  it('removes its files also if it is stopped during the start', async () => {
    const process = startVatfx(['demo']);
    await process.waitForOutput(/Running the jobs/);

    process.signal('SIGINT');
    const { code } = await process.ended();

    expect(code).toBe(0);
    expect(process.stdout).toBe('');
    expect(readdirSync(process.folder)).toEqual([]);
  });
});

const titles = [
  '1. Three weeks of VAT rates, and a change that a webhook announced',
  '2. A VAT number whose registry was unavailable for a day',
  '3. The proof of that check, verified from its bytes alone',
  "4. A quarter's exchange rates by law",
  '5. A book in Belgium',
  '6. Everything that happened, in order',
];

/** A call of the story: commands to copy, and the output that is shown below them. */
type Call = { readonly commands: string; readonly shown: string };

/** The calls of the story. Commands have two blanks before them, their output and the second line of a command four. */
function readCalls(stdout: string): readonly Call[] {
  const story = stdout.slice(0, stdout.indexOf('Go on by hand'));
  const key = /^ {2}KEY=.+$/m.exec(story)?.[0] ?? '';
  const call =
    /((?:^ {2}CHECK=.+\n)?^ {2}curl .+[^|]$|(?:^ {2}CHECK=.+\n)(?:^ {2}curl .+\n)+.+)\n((?:^ {4}.*\n|^\n(?= {4}))+)/gm;
  return [...story.matchAll(call)].map(([, commands = '', shown = '']) => ({
    commands: `${key}\n${commands}`,
    shown,
  }));
}

/** Runs commands in a folder as a person in a checkout does; throws if one fails. */
function runInShell(commands: string, cwd: string): string {
  // Instead of `npm run -s vatfx --`.
  const names = `npm() { shift 4; '${process.execPath}' '${ownProgram()}' "$@"; }; curl() { command curl -sSf "$@"; }`;
  const args = ['-euo', 'pipefail', '-c', `${names}\n${commands}`];
  // oxlint-disable-next-line node/no-process-env -- the folder of curl
  const env = { PATH: process.env['PATH'] ?? '' };
  return execFileSync('bash', args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] }).toString();
}

/** The pieces of a shown output that the real one lacks; blanks and line ends are layout, `…` stands for any text. */
function findAbsent(shown: string, output: string): readonly string[] {
  let rest = output.replaceAll(/\s/g, '');
  return shown
    .replaceAll(/\s/g, '')
    .split('…')
    .filter((piece) => {
      const index = rest.indexOf(piece);
      rest = rest.slice(Math.max(0, index) + piece.length);
      return index < 0;
    });
}

type Check = {
  readonly countryCode: string;
  readonly valid: boolean | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly answeredAt: string | null;
};
type Checks = { readonly checks: readonly Check[] };

/** Hours from the creation of a check to its answer. */
function hoursOf(check: Check | undefined): number {
  return (Date.parse(check?.answeredAt ?? '') - Date.parse(check?.createdAt ?? '')) / 3_600_000;
}

type Received = { readonly verified: boolean; readonly body: { readonly type: string } };

async function readReceived(sandboxUrl: string): Promise<readonly Received[]> {
  const response = await fetch(`${sandboxUrl}/receiver/billing`);
  return ((await response.json()) as { readonly received: readonly Received[] }).received;
}

async function startDemo(args: readonly string[] = [], env: Environment = {}): Promise<Demo> {
  const process = startVatfx(['demo', ...args], env);
  await process.waitForOutput(/Ctrl-C ends it\./, 150_000);
  const find = (pattern: RegExp): string => pattern.exec(process.stdout)?.[1] ?? '';
  return {
    process,
    apiUrl: find(/vatfx is at +(http:\S+)/),
    sandboxUrl: find(/sandbox +(http:\S+)/),
    key: find(/API key +(vfx_\w+)/),
    folder: find(/data folder +(\S+)/),
  };
}

async function readChanges(
  apiUrl: string,
  key: string,
): Promise<{ readonly country: string; readonly field: string; readonly new: number | null }[]> {
  const { text } = await get(`${apiUrl}/changes`, key);
  return (JSON.parse(text) as { changes: [] }).changes;
}

async function scriptSandbox(sandboxUrl: string, script: string): Promise<number> {
  return (await fetch(`${sandboxUrl}/_scenario`, { method: 'POST', body: script })).status;
}
