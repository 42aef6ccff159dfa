import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-database.ts';
import { createLog, type LogLevel } from './log.ts';

/** What a log of this level has written of a message at every level. */
function written(level: LogLevel, isTTY: boolean): string[] {
  const file = join(temporaryFolder(), 'log');
  const fd = openSync(file, 'a');
  onTestFinished(() => closeSync(fd));
  const log = createLog(level, { fd, isTTY });
  log.debug({ runId: 'run_1' }, 'looked');
  log.error({ runId: 'run_1', err: new Error('no') }, 'run failed');
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

describe('createLog', () => {
  it('writes JSON lines with an instant, and nothing of the machine', () => {
    const [line = '{}', ...others] = written('info', false);

    expect(others).toEqual([]);
    expect(JSON.parse(line)).toEqual({
      level: 50,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      runId: 'run_1',
      err: expect.objectContaining({ message: 'no' }),
      msg: 'run failed',
    });
  });

  it('writes readable text where a person is looking', () => {
    const [first, second] = written('debug', true);

    expect(first).toMatch(/DEBUG.*: looked .*run_1/);
    expect(second).toMatch(/ERROR.*: run failed .*run_1/);
  });

  it.each([
    ['debug', 2],
    ['error', 1],
    ['silent', 0],
  ] as const)('writes from the level %s on', (level, lines) => {
    expect(written(level, false)).toHaveLength(lines);
  });
});
