import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkoutProgram, ownProgram } from '../support/own-program.ts';
import { reportFigure } from '../support/proof.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { type Finished, runVatfx } from './support/run-vatfx.ts';
import { startServe } from './support/serve-process.ts';

/** Preloads a module into a process; returns the setting. */
const preload = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
});
/** The first sentence for a person cannot be written, so an error leaves the command. */
const unwritable = preload(`
const write = process.stderr.write;
process.stderr.write = () => {
  process.stderr.write = write;
  throw new Error('not written');
};`);
/** `openapi.json` cannot be read. Prints the source maps that were read, at the end. */
const unreadable = preload(`
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const read = fs.readFileSync;
const maps = [];
fs.readFileSync = (file, ...rest) => {
  if (String(file).endsWith('openapi.json')) throw new Error('not read');
  if (String(file).endsWith('.map')) maps.push(file);
  return read(file, ...rest);
};
syncBuiltinESMExports();
process.on('exit', () => fs.writeSync(1, JSON.stringify({ maps }) + '\\n'));`);

/** A place as a trace names it: the line of the source that has this text. */
function placeOf(file: string, text: string): string {
  const lines = readFileSync(file, 'utf8').split('\n');
  return `${file}:${lines.findIndex((line) => line.includes(text)) + 1}`;
}

const places = [
  placeOf('src/cli/command/report.ts', 'stderr.write(`${sentence}\\n`)'),
  placeOf('src/cli/run-cli.ts', 'printToStderr(io, hideArguments('),
];

/** Runs a command with wrong settings, whose error cannot be written. */
async function failToWrite(program?: string): Promise<Finished> {
  const options = program === undefined ? {} : { program };
  return runVatfx(['serve'], { ...unwritable, PORT: '99999' }, options);
}

/** The bundle in a folder of its own. */
function copyBundle(): { readonly program: string; readonly maps: readonly string[] } {
  const root = temporaryFolder();
  const folder = join(root, 'dist/service');
  cpSync(dirname(ownProgram()), folder, { recursive: true });
  cpSync('package.json', join(root, 'package.json'));
  return {
    program: join(folder, 'main.js'),
    maps: globSync('*.map', { cwd: folder }).map((name) => join(folder, name)),
  };
}

function withoutSources(map: string): string {
  return JSON.stringify({ ...(JSON.parse(map) as object), sources: [] });
}

describe('the trace of an error (reliability R47)', () => {
  it.each([
    ['the bundle', ownProgram(), ['at printToStderr (', 'at runCli (']],
    ['the sources', checkoutProgram, ['file:///', 'file:///']],
  ])(
    'names functions, sources and lines that end a process: %s',
    async (_what, program, before) => {
      const { code, stderr } = await failToWrite(program);

      expect(code).toBe(1);
      expect(stderr).toMatch(/^error: Error: not written\n/);
      for (const [at, place] of places.entries()) {
        expect(stderr.split('\n').find((line) => line.includes(place))).toContain(before[at]);
      }
    },
  );

  it('names them in the log, and reads each map once, however often an error is logged', async () => {
    const { process, apiUrl } = await startServe({
      ...unreadable,
      PORT: '0',
      OPS_PORT: '0',
      JOBS: 'off',
    });
    for (let n = 0; n < 10; n += 1) await fetch(`${apiUrl}/openapi.json`);
    process.signal('SIGTERM');
    const lines = (await process.ended()).stdout.split('\n');

    const stacks = lines.filter((line) => line.includes('"request failed"'));
    expect(stacks).toHaveLength(10);
    expect(new Set(stacks.map((line) => /"stack":"[^"]+"/.exec(line)?.[0])).size).toBe(1);
    const place = placeOf('src/platform/http/routes/reference-routes.ts', ".read('openapi.json')");
    expect(stacks[0]).toContain(`at readDocument (${place})`);
    expect(stacks[0]).toContain('(node_modules/fastify/lib/');
    const { maps } = JSON.parse(lines.find((line) => line.startsWith('{"maps"')) ?? '') as {
      readonly maps: readonly string[];
    };
    expect(maps.length).toBeGreaterThan(0);
    expect(new Set(maps).size).toBe(maps.length);
    reportFigure(
      'R47',
      `traces of the bundle name sources; ten errors read ${maps.length} maps once`,
    );
  });

  it.each<[string, (map: string) => void]>([
    ['are missing', (map) => rmSync(map)],
    ['are cut off', (map) => writeFileSync(map, readFileSync(map).subarray(0, 100))],
    ['name no source', (map) => writeFileSync(map, withoutSources(readFileSync(map, 'utf8')))],
  ])('stays as Node writes it if the maps %s', async (_what, spoil) => {
    const { program, maps } = copyBundle();
    for (const map of maps) spoil(map);

    const { code, stderr } = await failToWrite(program);

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: Error: not written\n[^]* at printToStderr \(file:\/\/\S+\/dist\/service\/\S+\.js:\d+:\d+\)\n/,
    );
  });
});
