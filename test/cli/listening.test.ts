import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeListenFailure } from '../../src/platform/http/server/place.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { startCommand } from '../support/run-cli.ts';
import { findFreePort } from '../support/server-process.ts';
import { runDoctor } from './support/run-doctor.ts';

const noSuchName = 'x86_64-conda-linux-gnu.invalid';
/** An address for documents (RFC 5737), which no machine has. */
const notOurs = '203.0.113.9';
const addressAdvice = 'to one of its addresses, to 127.0.0.1, or to 0.0.0.0 for all of them';

const unresolved = `HOST is ${noSuchName}, a name that does not resolve (`;
const rows: readonly [string, readonly string[], Record<string, string>, string][] = [
  ['HOST without an address', ['serve'], { HOST: noSuchName }, unresolved],
  ['HOST of another machine', ['serve'], { HOST: notOurs }, `; set HOST ${addressAdvice}`],
  [
    'OPS_HOST of another machine',
    ['serve'],
    { OPS_HOST: notOurs },
    `OPS_HOST is ${notOurs}, which`,
  ],
  [
    'an incomplete HOST',
    ['serve'],
    { HOST: 'fe80::1' },
    'HOST is fe80::1, which is not an address',
  ],
  ['HOST as a URL', ['serve'], { HOST: 'http://a:1' }, 'HOST is "http://a:1", expected an IP'],
  ['HOST without an address', ['demo'], { HOST: noSuchName }, unresolved],
  ['--host of another machine', ['demo', '--host', notOurs], {}, `--host is ${notOurs}, which`],
  [
    '--host of another machine',
    ['sandbox', '--host', notOurs],
    {},
    `; set --host ${addressAdvice}`,
  ],
];

describe('a failure to listen (rule O12)', () => {
  it.each(rows)('names %s before %j touches the database', async (_, args, env, sentence) => {
    const running = startCommand(args, { PORT: '0', OPS_PORT: '0', ...env });
    const { code, stdout, stderr } = await running.ended();

    // A value of another form is an error of the settings; the network of a machine may come later.
    const expected = sentence.includes('expected an IP') ? 78 : 1;
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(readdirSync(running.folder)).toEqual([]);
  });

  it.each(['PORT', 'OPS_PORT'])('names %s if its port is taken', async (name) => {
    const { port } = new URL(await serveHttp((_, answer) => answer.end('mine')));
    const running = startCommand(['serve'], { PORT: '0', OPS_PORT: '0', [name]: port });
    const { code, stderr } = await running.ended();

    expect(code).toBe(1);
    expect(stderr).toBe(
      `error: ${name} is ${port}, and 127.0.0.1:${port} is taken by another process; ` +
        `stop that process, or set ${name} to another port\n`,
    );
    expect(readdirSync(running.folder)).toEqual([]);
  });

  it.each(['localhost', '0.0.0.0'])(
    'says that both ports are the same, also if OPS_HOST is %s',
    async (host) => {
      const port = String(await findFreePort());
      const env = { PORT: port, OPS_PORT: port, OPS_HOST: host };
      const { stderr } = await startCommand(['serve'], env).ended();

      expect(stderr).toBe(
        `error: PORT and OPS_PORT are both ${port}; set one of them to another port\n`,
      );
    },
  );

  it.each([
    ['PORT', { HOST: '127.0.0.1', OPS_HOST: '127.0.0.2' }],
    ['OPS_PORT', { HOST: '127.0.0.2', OPS_HOST: '127.0.0.1' }],
  ])(
    'names %s if another process has its address, and both ports are the same',
    async (name, hosts) => {
      const { port } = new URL(await serveHttp((_, answer) => answer.end('mine')));
      const env = { ...hosts, PORT: port, OPS_PORT: port };
      const { stderr } = await startCommand(['serve'], env).ended();

      expect(stderr).toContain(
        `error: ${name} is ${port}, and 127.0.0.1:${port} is taken by another`,
      );
    },
  );

  it('has the same sentences in doctor', async () => {
    const upstream = 'http://127.0.0.1:1';
    const urls = { TEDB_URL: upstream, ECB_URL: upstream, VIES_URL: upstream };
    const { found } = await runDoctor({ HOST: notOurs, PORT: '0', OPS_HOST: noSuchName, ...urls });

    expect(found['API port']).toMatchObject({
      found: `HOST is ${notOurs}, which is not an address of this machine (EADDRNOTAVAIL)`,
      advice: `set HOST ${addressAdvice}`,
    });
    expect(found['operations port']?.found).toContain(`OPS_HOST is ${noSuchName}, a name`);
  });

  // This machine may have IPv6, and let every user listen on every port.
  it.each([
    ['EACCES', 'PORT is 80, on which the user of vatfx may not listen (EACCES)'],
    ['EAFNOSUPPORT', 'HOST is ::, and this machine has no IPv6 (EAFNOSUPPORT)'],
    ['EMFILE', 'HOST is ::, and vatfx cannot listen on its port 80 (EMFILE)'],
  ])('describes %s', (code, sentence) => {
    const place = { host: '::', port: 80, hostName: 'HOST', portName: 'PORT' };
    const error = Object.assign(new Error('no'), { code });

    expect(describeListenFailure(place, error).found).toBe(sentence);
  });
});
