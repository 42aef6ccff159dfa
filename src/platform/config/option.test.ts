import { describe, expect, it } from 'vitest';
import { databaseUrl, folderUrl, httpUrl, originList, redisUrl } from './address-option.ts';
import {
  cidrList,
  contactOption,
  milliseconds,
  networkList,
  oneOf,
  port,
  portList,
  requestLimit,
  secondsList,
  switchOption,
  text,
} from './option.ts';
import { Secret } from './secret.ts';
import { secretKeyOption } from './secret-key.ts';

const described = { name: 'NAME', default: 'x', means: 'something' };
const kinds = {
  text: text(described),
  contact: contactOption(described),
  port: port(described),
  milliseconds: milliseconds({ least: 100, most: 60_000 }, described),
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
};
type Kind = keyof typeof kinds;

/** A key of 32 bytes, all of them 0 but for the last one. */
function oneLastByte(last: number): Buffer {
  const key = Buffer.alloc(32);
  key[31] = last;
  return key;
}

describe('the parsers of settings', () => {
  it.each<[Kind, string, unknown]>([
    ['text', '::', '::'],
    ['contact', '', ''],
    ['contact', 'mailto:ops@shop.example', 'mailto:ops@shop.example'],
    ['contact', 'https://shop.example/about; +43 1 234', 'https://shop.example/about; +43 1 234'],
    ['contact', 'x'.repeat(200), 'x'.repeat(200)],
    ['port', '0', 0],
    ['port', '65535', 65_535],
    ['port', '08080', 8080],
    ['milliseconds', '100', 100],
    ['milliseconds', '60000', 60_000],
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
  ])('read a %s from %j', (kind, given, value) => {
    expect(kinds[kind].parse(given)).toEqual({ value });
  });

  it.each<[Kind, string, unknown, string]>([
    ['secretKey', 'aF'.repeat(32), Buffer.alloc(32, 0xaf), 'set, 64 characters'],
    ['secretKey', `${'A'.repeat(42)}8=`, oneLastByte(0x0f), 'set, 44 characters'],
    ['secretKey', `${'_'.repeat(42)}8`, Buffer.alloc(32, 0xff), 'set, 43 characters'],
    ['secretKey', ` ${'00'.repeat(32)}\n`, Buffer.alloc(32), 'set, 66 characters'],
    ['database', 'file:./vatfx.db', 'file:./vatfx.db', 'file:./vatfx.db'],
    ['database', 'file:/srv/vatfx.db', 'file:/srv/vatfx.db', 'file:/srv/vatfx.db'],
    ['database', 'postgres://u@db/vatfx', 'postgres://u@db/vatfx', 'postgres://db/vatfx'],
    [
      'database',
      'postgresql://db:6432/vatfx',
      'postgresql://db:6432/vatfx',
      'postgresql://db:6432/vatfx',
    ],
    [
      'database',
      'postgres:///vatfx?host=/run/db',
      'postgres:///vatfx?host=/run/db',
      'postgres:///vatfx',
    ],
    [
      'database',
      'postgres://u:p%40ss@db/vatfx',
      'postgres://u:p%40ss@db/vatfx',
      'postgres://db/vatfx',
    ],
    ['redis', 'redis://cache', 'redis://cache', 'redis://cache'],
    [
      'redis',
      'redis://:secret@[::1]:6380/2',
      'redis://:secret@[::1]:6380/2',
      'redis://[::1]:6380/2',
    ],
    ['redis', 'rediss://u:p@cache:6380', 'rediss://u:p@cache:6380', 'rediss://cache:6380'],
    ['database', 'postgres://u:p:w@db:5432', 'postgres://u:p:w@db:5432', 'postgres://db:5432'],
    ['database', 'postgres://u:a@b@db/x', 'postgres://u:a@b@db/x', 'postgres://db/x'],
    [
      'database',
      'postgres://db/x?password=secret&sslpassword=secret',
      'postgres://db/x?password=secret&sslpassword=secret',
      'postgres://db/x',
    ],
  ])(
    'read the secret of a %s from %j and show only what it may hold',
    (kind, given, value, shown) => {
      const parsed = kinds[kind].parse(given);
      const secret = 'value' in parsed ? parsed.value : undefined;

      expect(secret).toBeInstanceOf(Secret);
      expect((secret as Secret<unknown>).reveal()).toEqual(value);
      expect(String(secret)).toBe(shown);
    },
  );

  it.each<[Kind, string]>([
    ['text', ''],
    ['contact', 'x'.repeat(201)],
    ['contact', 'ops (shop)'],
    ['contact', 'ops\\'],
    ['contact', 'ops\r\nX: y'],
    ['contact', 'büro@shop.example'],
    ['contact', ' ops@shop.example'],
    ['contact', 'https://me:secret@shop.example'],
    ['port', ''],
    ['port', '65536'],
    ['port', '-1'],
    ['port', '80.5'],
    ['port', '1e3'],
    ['port', ' 80'],
    ['port', '000080'],
    ['milliseconds', ''],
    ['milliseconds', '99'],
    ['milliseconds', '60001'],
    ['milliseconds', '1e3'],
    ['milliseconds', '1 s'],
    ['requestLimit', ''],
    ['requestLimit', '0'],
    ['requestLimit', '1000000001'],
    ['requestLimit', 'default'],
    ['networks', ' '],
    ['networks', ','],
    ['networks', '10.0.0.0/8,'],
    ['networks', '10.0.0.0/8 192.0.2.1'],
    ['networks', '10.0.0.0/8,proxy.example'],
    ['networks', 'loopback'],
    ['networks', '10.0.0'],
    ['networks', '010.0.0.1'],
    ['networks', '/8'],
    ['networks', '10.0.0.0/'],
    ['networks', '10.0.0.0/33'],
    ['networks', '10.0.0.0/-8'],
    ['networks', '10.0.0.0/8.5'],
    ['networks', '10.0.0.0/ 8'],
    ['networks', '10.0.0.0/8/8'],
    ['networks', '10.0.0.0/255.0.0.0'],
    ['networks', 'fd00::/129'],
    ['networks', 'fd00::/0008'],
    ['networks', 'fe80::1%eth0'],
    ['networks', '[::1]'],
    // Nobody would be a stranger, and Fastify does not start with it.
    ['networks', '0.0.0.0/0'],
    ['networks', '::/0'],
    ['networks', '10.0.0.0/00'],
    ['cidrs', '10.0.0.1'],
    ['cidrs', '10.0.0.0/8,::1'],
    ['cidrs', '::ffff:10.0.0.0/104'],
    ['cidrs', 'private'],
    ['ports', ''],
    ['ports', '0'],
    ['ports', '65536'],
    ['ports', '443,'],
    ['ports', '443 8443'],
    ['ports', 'https'],
    ['ports', Array(21).fill('443').join(',')],
    ['seconds', '-1'],
    ['seconds', '604801'],
    ['seconds', '1.5'],
    ['seconds', '5s'],
    ['secretKey', 'a'.repeat(63)],
    ['secretKey', 'g'.repeat(64)],
    ['secretKey', 'a'.repeat(42)],
    ['secretKey', `${'a'.repeat(43)}==`],
    // Bits that no byte has: a key that was cut off or mistyped.
    ['secretKey', 'B'.repeat(43)],
    ['secretKey', ' '],
    ['oneOf', ''],
    ['oneOf', 'HOLD'],
    ['switch', 'true'],
    ['httpUrl', ''],
    ['httpUrl', 'ftp://a.example'],
    ['httpUrl', 'a.example'],
    ['httpUrl', 'http://'],
    ['httpUrl', 'https://user@a.example/'],
    ['httpUrl', 'https://user:secret@a.example/'],
    ['httpUrl', 'https://:secret@a.example/'],
    ['httpUrl', 'https://user:12/secret@a.example/'],
    ['httpUrl', 'https://a.example/?key=secret'],
    ['httpUrl', 'https://a.example/#secret'],
    ['folderUrl', 'https://user:secret@a.example/'],
    ['folderUrl', 'file:///tmp'],
    ['origins', 'a.example'],
    ['origins', 'https://a.example/'],
    ['origins', 'https://a.example/path'],
    ['origins', 'https://a.example,'],
    ['origins', 'null'],
    ['database', ''],
    ['database', 'file:'],
    ['database', 'file://host/vatfx.db'],
    ['database', 'postgres:///vatfx'],
    ['database', 'mysql://db/vatfx'],
    ['database', 'postgres://'],
    ['database', 'db:5432/vatfx'],
    ['database', 'redis://db/0'],
    ['database', 'user:secret@db/vatfx'],
    ['database', 'host=db password=secret'],
    // An unescaped character of the password ends the host, and the rest would be shown as a path.
    ['database', 'postgres://u:12/secret@db/vatfx'],
    ['database', 'postgres://u:12?secret@db/vatfx'],
    ['database', 'postgres://u:12#secret@db/vatfx'],
    ['database', 'postgres://u:secret/@db/vatfx'],
    ['redis', 'redis://u:12/secret@cache'],
    ['redis', 'redis://cache/secret'],
    ['redis', 'secret@cache:6379'],
    ['redis', 'cache:6379'],
    ['redis', 'redis://'],
    ['redis', 'redis:///0'],
    ['redis', 'http://cache'],
    ['redis', 'postgres://cache/vatfx'],
    ['redis', '/run/redis.sock'],
  ])('refuse a %s of %j and say what would do', (kind, given) => {
    expect(kinds[kind].parse(given)).toEqual({ expected: expect.stringMatching(/\S/) });
  });

  it.each(Object.entries(kinds))('keep what is told of a %s', (_, option) => {
    expect(option).toMatchObject(described);
    expect(option.accepts).not.toBe('');
  });
});
