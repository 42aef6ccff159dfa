import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-cli.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';

describe('--json (operator.md)', () => {
  it('keeps the log on standard error', async () => {
    const { env } = await startUpstreams();

    const run = await runCommand(['jobs', 'run', 'rates', '--json'], { ...env, LOG_LEVEL: 'info' });

    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'published' });
    const lines = run.stderr.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['run ended']);
  });
});
