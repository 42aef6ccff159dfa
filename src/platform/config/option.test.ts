import { describe, expect, it } from 'vitest';
import { databaseUrl, folderUrl, httpUrl, originList, redisUrl } from './address-option.ts';
import { readOption } from './config.ts';
import {
  cidrList,
  contactOption,
  hostOption,
  networkList,
  oneOf,
  type Option,
  port,
  portList,
  requestLimit,
  secondsList,
  switchOption,
  wholeNumber,
} from './option.ts';
import { publicUrlOption } from './public-url.ts';
import { Secret } from './secret.ts';
import { secretKeyOption } from './secret-key.ts';

const described = { name: 'NAME', default: 'x', means: 'something' };
const kinds = {
  host: hostOption(described),
  contact: contactOption(described),
  port: port(described),
  wholeNumber: wholeNumber({ least: 100, most: 60_000 }, described),
  requestLimit: requestLimit(described),
  networks: networkList(described),
  cidrs: cidrList(described),
  ports: portList(described),
  seconds: secondsList(described),
  secretKey: secretKeyOption(described),
  oneOf: oneOf(['hold', 'warn'], described),
  switch: switchOption(described),
  httpUrl: httpUrl(described),
  folderUrl: folderUrl(described),
  origins: originList(described),
  database: databaseUrl(described),
  redis: redisUrl(described),
  publicUrl: publicUrlOption(described),
};
type Kind = keyof typeof kinds;

/** The value of a text, or the end of its error behind "expected". */
function read(kind: Kind, given: string): object {
  const option: Option<unknown> = kinds[kind];
  const { value, problems } = readOption(option, given);
  return problems.length === 0
    ? { value }
    : { expected: problems.join('; ').replace(/^NAME (?:is|has) .*?, expected /s, '') };
}

describe('the parsers of settings', () => {
  it.each<[Kind, string, unknown]>([
    ['host', '::', '::'],
    ['host', 'fe80::1%eth0', 'fe80::1%eth0'],
    ['host', 'my-host_1.example.', 'my-host_1.example.'],
    ['contact', '', ''],
    ['contact', 'mailto:ops@shop.example', 'mailto:ops@shop.example'],
    ['contact', 'https://shop.example/about; +43 1 234', 'https://shop.example/about; +43 1 234'],
    ['contact', 'x'.repeat(200), 'x'.repeat(200)],
    ['port', '0', 0],
    ['port', '65535', 65_535],
    ['port', '08080', 8080],
    ['wholeNumber', '100', 100],
    ['wholeNumber', '60000', 60_000],
    ['requestLimit', 'none', 'none'],
    ['requestLimit', '1', 1],
    ['requestLimit', '1000000000', 1_000_000_000],
    ['networks', '', []],
    ['networks', '10.0.0.0/8', ['10.0.0.0/8']],
    ['networks', '192.0.2.1', ['192.0.2.1']],
    ['networks', '192.0.2.1/32', ['192.0.2.1/32']],
    ['networks', '192.0.0.0/1', ['192.0.0.0/1']],
    ['networks', '::1', ['::1']],
    ['networks', '2001:db8::1/128', ['2001:db8::1/128']],
    ['networks', ' fd00::/8 ,10.0.0.0/8', ['fd00::/8', '10.0.0.0/8']],
    ['cidrs', '', []],
    ['cidrs', '10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
    ['cidrs', '127.0.0.1/32', ['127.0.0.1/32']],
    ['ports', '443', [443]],
    ['ports', '1, 65535', [1, 65_535]],
    ['ports', Array(20).fill('443').join(','), Array(20).fill(443)],
    ['seconds', '0', [0]],
    ['seconds', '0,5,604800', [0, 5, 604_800]],
    ['secretKey', '', undefined],
    ['redis', '', undefined],
    ['oneOf', 'warn', 'warn'],
    ['switch', 'on', true],
    ['switch', 'off', false],
    ['httpUrl', 'http://127.0.0.1:9100/ws/', 'http://127.0.0.1:9100/ws/'],
    ['httpUrl', 'https://a.example', 'https://a.example'],
    ['folderUrl', 'https://a.example/b//', 'https://a.example/b'],
    ['folderUrl', 'https://a.example', 'https://a.example'],
    ['origins', '', []],
    ['origins', '*', ['*']],
    [
      'origins',
      'https://a.example, http://b.example:8080',
      ['https://a.example', 'http://b.example:8080'],
    ],
    ['publicUrl', '', ''],
    ['publicUrl', 'https://tax.example.com/', 'https://tax.example.com'],
    ['publicUrl', 'HTTPS://Tax.example.com:8443/vatfx/', 'https://tax.example.com:8443/vatfx'],
    ['publicUrl', 'http://[::1]/tools/rates/v1.0~a_b-c', 'http://[::1]/tools/rates/v1.0~a_b-c'],
  ])('read a %s from %j', (kind, given, value) => {
    expect(read(kind, given)).toEqual({ value });
  });

  it.each<[Kind, string, string, unknown?]>([
    ['secretKey', 'aF'.repeat(32), 'set, 64 characters', Buffer.alloc(32, 0xaf)],
    ['database', 'file:./vatfx.db', 'file:./vatfx.db'],
    ['database', 'file:/srv/vatfx.db', 'file:/srv/vatfx.db'],
    ['database', 'postgresql://db:6432/vatfx', 'postgresql://db:6432/vatfx'],
    ['database', 'postgres:///vatfx?host=/run/db', 'postgres:///vatfx'],
    ['database', 'postgres://u:p%40ss@db/vatfx', 'postgres://db/vatfx'],
    ['database', 'postgres://u:p:w@db:5432', 'postgres://db:5432'],
    ['database', 'postgres://u:a@b@db/x', 'postgres://db/x'],
    ['database', 'postgres://db/x?user=u&password=secret', 'postgres://db/x'],
    ['redis', 'redis://cache', 'redis://cache'],
    ['redis', 'redis://:secret@[::1]:6380/2', 'redis://[::1]:6380/2'],
    ['redis', 'rediss://u:p@cache:6380', 'rediss://cache:6380'],
  ])('read the secret of a %s from %j and show only: %s', (kind, given, shown, value = given) => {
    const { value: secret } = readOption<unknown>(kinds[kind], given);

    expect(secret).toBeInstanceOf(Secret);
    expect((secret as Secret<unknown>).reveal()).toEqual(value);
    expect(String(secret)).toBe(shown);
  });

  it.each<[Kind, string, string]>([
    ['host', '/run/api.sock', 'an IP address or a name, without port, brackets and `http://`'],
    ['host', 'unix:/run/api', 'an IP address or a name, without port, brackets and `http://`'],
    ['host', './api.sock', 'an IP address or a name, without port, brackets and `http://`'],
    ['port', '/run/api.sock', 'a port from 0 to 65535 (0 takes a free one)'],
    ['port', 'api.sock', 'a port from 0 to 65535 (0 takes a free one)'],
  ])('refuse a %s of %j, because it is a Unix socket (rule O14)', (kind, given, accepted) => {
    const expected = `${accepted}; vatfx does not listen on Unix sockets`;

    expect(read(kind, given)).toEqual({ expected });
  });

  // A password's unescaped character ends a host: the rest would be shown as a path.
  // A network of every address would make every caller a proxy.
  const refused: Readonly<Partial<Record<Kind, string>>> = {
    host: '|http://0.0.0.0|0.0.0.0:8080|[::1]|::1]|localhost:8080|a b|-a|a/b|*',
    contact: String.raw`ops (shop)|ops\|büro@shop.example| ops@shop.example|https://me:secret@shop.example`,
    port: '|65536|-1|80.5|1e3| 80|000080',
    wholeNumber: '|99|60001|1e3|1 s|none',
    requestLimit: '|0|1000000001|default',
    networks:
      ' |,|10.0.0.0/8,|10.0.0.0/8 192.0.2.1|10.0.0.0/8,proxy.example|loopback|10.0.0|010.0.0.1|/8|10.0.0.0/' +
      '|10.0.0.0/33|10.0.0.0/-8|10.0.0.0/8.5|10.0.0.0/ 8|10.0.0.0/8/8|10.0.0.0/255.0.0.0|fd00::/129|fd00::/0008' +
      '|fe80::1%eth0|[::1]|0.0.0.0/0|::/0|10.0.0.0/00',
    cidrs: '10.0.0.1|10.0.0.0/8,::1|::ffff:10.0.0.0/104|private',
    ports: `|0|65536|443,|443 8443|https|${Array(21).fill('443').join(',')}`,
    seconds: '-1|604801|1.5|5s',
    secretKey: `${'a'.repeat(63)}| `,
    oneOf: '|HOLD',
    switch: 'true',
    httpUrl:
      '|ftp://a.example|a.example|http://|https://user@a.example/|https://user:secret@a.example/' +
      '|https://:secret@a.example/|https://user:12/secret@a.example/|https://a.example/?key=secret|https://a.example/#secret',
    folderUrl: 'https://user:secret@a.example/|file:///tmp',
    origins: 'a.example|https://a.example/|https://a.example/path|https://a.example,|null',
    database:
      '|file:|file://host/vatfx.db|postgres:///vatfx|mysql://db/vatfx|postgres://|db:5432/vatfx|redis://db/0' +
      '|user:secret@db/vatfx|host=db password=secret|postgres://u:12/secret@db/vatfx|postgres://u:12?secret@db/vatfx' +
      '|postgres://u:12#secret@db/vatfx|postgres://u:secret/@db/vatfx',
    redis:
      'redis://u:12/secret@cache|redis://cache/secret|secret@cache:6379|cache:6379|redis://|redis:///0|http://cache' +
      '|postgres://cache/vatfx|/run/redis.sock',
    publicUrl:
      ' |/vatfx|tax.example.com/vatfx|ftp://a.example/vatfx|https://|https:///vatfx|https://a.example:99999/vatfx' +
      '|https://a.example/vatfx?a|https://a.example/vatfx#a|https://user:secret@a.example/vatfx|https://a.example/v/../x' +
      '|https://a.example/./vatfx|https://a.example//vatfx|https://a.example/vatfx//|https://a.example/v%61tfx' +
      '|https://a.example/büro|https://a.example/a b|https://a.example\\vatfx|https://a.example/va"tfx' +
      '|https://a.example/rates|https://a.example/rates.csv|https://a.example/fx/a|https://a.example/console' +
      '|https://a.example/favicon.ico',
  };

  it.each(Object.entries(refused))('refuse of a %s: %j', (kind, all) => {
    for (const given of all.split('|')) {
      expect([given, read(kind as Kind, given)]).toEqual([
        given,
        { expected: expect.stringMatching(/\S/) },
      ]);
    }
  });

  it.each(['x'.repeat(201), 'ops\r\nX: y'])('refuse the contact %j', (given) => {
    expect(read('contact', given)).toHaveProperty('expected');
  });

  it.each(Object.entries(kinds))('keep name, default and meaning of a %s', (_, option) => {
    expect(option).toMatchObject(described);
    expect(option.expected).not.toBe('');
  });
});
