import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-database.ts';
import { UnreadPipe } from '../../../test/support/unread-pipe.ts';
import { countDroppedLines } from './gathered-lines.ts';
import { createLineWriter, createLog, type Log, type LogLevel } from './log.ts';

/** The lines that a log of this level writes of a debug message and an error. */
function written(level: LogLevel): string[] {
  const file = join(temporaryFolder(), 'log');
  const fd = openSync(file, 'a');
  onTestFinished(() => closeSync(fd));
  const log = createLog(level, { fd });
  log.debug({ runId: 'run_1' }, 'looked');
  const err = Object.assign(new Error('no'), { input: 'postgres://me:secret@db' });
  log.error({ runId: 'run_1', err }, 'run failed');
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

describe('createLog', () => {
  it('writes JSON lines with an instant, without host name and process id', () => {
    const [line = '{}', ...others] = written('info');

    expect(others).toEqual([]);
    expect(JSON.parse(line)).toEqual({
      level: 'error',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      runId: 'run_1',
      err: { type: 'Error', message: 'no', stack: expect.stringContaining('Error: no') },
      msg: 'run failed',
    });
  });
});

describe.skipIf(!existsSync('/dev/full'))('createLog with a full disk', () => {
  it('goes on if its lines cannot be written', () => {
    const fd = openSync('/dev/full', 'a');
    onTestFinished(() => closeSync(fd));
    const log = createLog('info', { fd });

    for (let line = 0; line < 3; line += 1) {
      expect(() => log.error({ line }, 'a line that needs room')).not.toThrow();
    }
  });
});

/** A log into a file, and the messages that are in it. */
function openLog(): {
  readonly log: Log;
  readonly messages: () => string[];
  readonly text: () => string;
} {
  const file = join(temporaryFolder(), 'log');
  const fd = openSync(file, 'a');
  onTestFinished(() => closeSync(fd));
  const log = createLog('info', { fd });
  const text = (): string => readFileSync(file, 'utf8');
  const messages = (): string[] =>
    text()
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
  return { log, messages, text };
}

describe('log lines', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('wait for 50 ms to be written together, and later lines do not prolong that', () => {
    const { log, messages } = openLog();

    log.info('one');
    vi.advanceTimersByTime(30);
    log.info('two');
    vi.advanceTimersByTime(19);
    const before = messages();
    vi.advanceTimersByTime(1);

    expect(before).toEqual([]);
    expect(messages()).toEqual(['one', 'two']);
  });

  it.each(['warn', 'error', 'fatal'] as const)(
    'are written immediately with a line of the level %s, in order',
    (level) => {
      const { log, messages } = openLog();

      log.info('one');
      createLineWriter(log)?.('"a":1', 'two');
      log[level]('three');
      const written = messages();
      log.info('four');
      vi.advanceTimersByTime(50);

      expect(written).toEqual(['one', 'two', 'three']);
      expect(messages()).toEqual(['one', 'two', 'three', 'four']);
    },
  );

  it('are written immediately at 16,000 characters, and none is lost', () => {
    const { log, messages } = openLog();
    const writeLine = createLineWriter(log);

    for (let count = 0; count < 1_000; count += 1)
      writeLine?.(`"a":"${'x'.repeat(50)}"`, `${count}`);
    const early = messages();
    vi.advanceTimersByTime(50);

    expect(early.length).toBeGreaterThan(800);
    expect(messages()).toEqual(Array.from({ length: 1_000 }, (_, count) => `${count}`));
  });
});

describe('a reader that stops and reads again (rule O1)', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('gets whole lines in their order, and the number of those beyond 1 MB', () => {
    const pipe = new UnreadPipe();
    const log = createLog('info', { fd: pipe.fd });
    const droppedBefore = countDroppedLines();
    const count = 3_000;
    for (let index = 0; index < count; index += 1) log.info({ index, text: 'x'.repeat(500) }, 'a');
    vi.advanceTimersByTime(50);
    const droppedCount = countDroppedLines() - droppedBefore;

    let text = pipe.read();
    for (let turn = 0; turn < 50; turn += 1) {
      vi.advanceTimersByTime(50);
      text += pipe.read();
    }
    log.info('later');
    vi.advanceTimersByTime(50);

    const lines = (text + pipe.read()).split('\n').filter((line) => line.trim() !== '');
    const read = lines.map((line) => JSON.parse(line) as { index?: number; lines?: number });
    const kept = read.slice(0, -2);
    const indexes = kept.map(({ index = -1 }) => index);
    expect(indexes).toEqual(indexes.toSorted((one, other) => one - other));
    expect(indexes.slice(0, 1_500)).toEqual([...Array(1_500).keys()]);
    expect(kept.length).toBe(count - droppedCount);
    expect(read.at(-2)).toMatchObject({
      level: 'warn',
      lines: droppedCount,
      msg: 'log lines were dropped, because they could not be written',
    });
    expect(read.at(-1)).toMatchObject({ msg: 'later' });
  });
});

it.each([
  ['ends', 'process.exit(0)'],
  ['has nothing more to do', ''],
])('waiting log lines are written if the process %s', (_how, end) => {
  const script = `
    import { createLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))};
    const log = createLog('info', { fd: 1 });
    log.info('one');
    log.info('two');
    ${end}`;

  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script]);

  expect(String(output).match(/"msg":"\w+"/g)).toEqual(['"msg":"one"', '"msg":"two"']);
});
