import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { reportFigure } from '../support/proof.ts';
import { docker, inspect } from './support/docker.ts';
import { Installation } from './support/installation.ts';
import { type Experience, Load } from './support/load.ts';

const replicas = ['vatfx-1', 'vatfx-2'] as const;

describe('compose.yaml in a container engine (R34)', () => {
  const image = inject('image');
  const installation = new Installation(image);
  beforeAll(async () => installation.start(), 300_000);
  afterAll(async () => installation.remove(), 120_000);

  it('starts with every container healthy, and `vatfx doctor` finds no problem', async () => {
    // The command fails if it finds a problem.
    const doctor = await installation.compose('exec', '-T', 'vatfx-2', 'vatfx', 'doctor');
    const health = await Promise.all(
      ['vatfx-1', 'vatfx-2', 'postgres', 'redis'].map(
        async (name) => (await inspect(await installation.container(name))).State.Health?.Status,
      ),
    );

    expect(new Set(health)).toEqual(new Set(['healthy']));
    expect(doctor).not.toBe('');
  });

  it('keeps at most 250 MB of log for each container', async () => {
    for (const name of installation.services) {
      const { HostConfig } = await inspect(await installation.container(name));

      expect(HostConfig.LogConfig).toEqual({
        Type: 'local',
        Config: {
          'max-size': '50m',
          'max-file': '5',
          mode: 'non-blocking',
          'max-buffer-size': '4m',
        },
      });
    }
  });

  it.each(replicas)(
    'runs %s as user 1000, with /tmp and /data as the only folders to write',
    async (name) => {
      const user = await installation.shell(name, 'id -u; id -g');
      const written = await installation.shell(
        name,
        'for d in /tmp /data / /app /etc; do if touch $d/x 2>/dev/null; then echo $d; rm $d/x; fi; done; stat -c %a /data',
      );

      expect(user).toBe('1000\n1000\n');
      expect(written).toBe('/tmp\n/data\n770\n');
    },
  );

  it('gives vatfx and the log of nginx the address that a TLS proxy on this machine names', async () => {
    await installation.get('/status', { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' });

    await expect
      .poll(async () => (await installation.nginxLog()).at(-1)?.['address'])
      .toBe('203.0.113.7');
  });

  it('answers errors of nginx as JSON', async () => {
    const answer = await fetch(`${installation.url}/${'x'.repeat(41_000)}`);

    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status: 414,
      text: '{"error":"URL too long"}',
    });
  });

  it('loses no look-up while a new version replaces one replica after the other', async () => {
    const next = `${image}-next`;
    await docker(['build', '--tag', next, '-'], { input: `FROM ${image}\nLABEL version=next\n` });
    installation.upgradeTo(next);
    const before = await Promise.all(replicas.map(async (name) => installation.container(name)));

    const experience = await underLoad(async () => {
      for (const name of replicas) {
        await installation.compose('up', '-d', '--no-deps', '--wait', name);
      }
    });

    const after = await Promise.all(replicas.map(async (name) => installation.container(name)));
    expect(after).not.toEqual(before);
    expect(failuresOf(experience, 'a rolling replacement of both replicas')).toEqual([]);
    await docker(['image', 'rm', '--force', next]);
  });

  it('loses no look-up if a replica crashes, and starts it again', async () => {
    const container = await installation.container('vatfx-1');
    const { RestartCount: before } = await inspect(container);

    const experience = await underLoad(async () => {
      // Process 1 is the init; its child is vatfx.
      await installation.shell('vatfx-1', 'kill -9 $(cat /proc/1/task/1/children)');
      await eventually(async () => (await inspect(container)).RestartCount > before);
      await installation.untilReady('vatfx-1', 'ready');
    });

    expect(failuresOf(experience, '`kill -9` of a replica')).toEqual([]);
  });

  it('answers every look-up within the patience of a caller if a replica hangs', async () => {
    // nginx sends nothing to a replica for a while after it crashed, so the replica hangs until a look-up has met it.
    const countMoved = async (): Promise<number> => {
      const log = await installation.nginxLog();
      return log.filter(({ replicaStatus }) => replicaStatus === '504, 200').length;
    };
    // The tests before may have moved one from a container that had just ended.
    const before = await countMoved();
    const experience = await underLoad(async (load) => {
      await installation.compose('pause', 'vatfx-1');
      try {
        const sent = load.sent;
        await eventually(async () => load.sent > sent + 300 && (await countMoved()) > before);
      } finally {
        await installation.compose('unpause', 'vatfx-1');
      }
    });

    expect(failuresOf(experience, 'a replica that hangs')).toEqual([]);
  });

  it('loses no look-up while Redis is away, and uses it again', async () => {
    const experience = await underLoad(async (load) => {
      await installation.compose('stop', 'redis');
      const sent = load.sent;
      await eventually(() => load.sent > sent + 100);
      await installation.compose('up', '-d', '--no-deps', '--wait', 'redis');
    });

    expect(failuresOf(experience, 'Redis away and back')).toEqual([]);
  });

  it('answers what is in memory while PostgreSQL is away, and writes again when it is back', async () => {
    await installation.compose('stop', 'postgres');
    await installation.untilReady('vatfx-1', 'degraded');
    const away = await installation.get('/rates');
    await installation.compose('up', '-d', '--no-deps', '--wait', 'postgres');
    for (const name of replicas) await installation.untilReady(name, 'ready');

    const back = await installation.compose('exec', '-T', 'vatfx-1', 'vatfx', 'keys', 'list');

    expect(away.status).toBe(200);
    expect(back).toContain('test');
  });

  it('ends a replica with exit code 0', async () => {
    const container = await installation.container('vatfx-2');

    await installation.compose('stop', 'vatfx-2');

    expect((await inspect(container)).State.ExitCode).toBe(0);
  });

  /** Sends look-ups before, during and after an action. */
  async function underLoad(act: (load: Load) => Promise<void>): Promise<Experience> {
    const load = new Load(installation.url, installation.key);
    const sendMore = async (): Promise<void> => {
      const { sent } = load;
      await eventually(() => load.sent > sent + 100);
    };
    try {
      await sendMore();
      await act(load);
      await sendMore();
    } finally {
      await load.stop();
    }
    return load.stop();
  }
});

/** Reports the figures of a load; returns what failed. */
function failuresOf(experience: Experience, during: string): readonly string[] {
  const { sent, failed, slowestMs } = experience;
  reportFigure(
    'R34',
    `${during}: ${failed.length} of ${sent} look-ups failed, the slowest took ${slowestMs} ms`,
  );
  return failed;
}
