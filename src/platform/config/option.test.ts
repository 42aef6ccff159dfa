import { describe, expect, it } from 'vitest';
import {
  databaseUrl,
  folderUrl,
  httpUrl,
  milliseconds,
  networkList,
  oneOf,
  originList,
  port,
  requestLimit,
  switchOption,
  text,
} from './option.ts';

const described = { name: 'NAME', default: 'x', means: 'something' };
const kinds = {
  text: text(described),
  port: port(described),
  milliseconds: milliseconds({ least: 100, most: 60_000 }, described),
  requestLimit: requestLimit(described),
  networks: networkList(described),
  oneOf: oneOf(['hold', 'warn'], described),
  switch: switchOption(described),
  httpUrl: httpUrl(described),
  folderUrl: folderUrl(described),
  origins: originList(described),
  database: databaseUrl(described),
};
type Kind = keyof typeof kinds;

describe('the parsers of settings', () => {
  it.each<[Kind, string, unknown]>([
    ['text', '::', '::'],
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
    ['database', 'file:./vatfx.db', 'file:./vatfx.db'],
    ['database', 'file:/srv/vatfx.db', 'file:/srv/vatfx.db'],
  ])('read a %s from %j', (kind, given, value) => {
    expect(kinds[kind].parse(given)).toEqual({ value });
  });

  it.each<[Kind, string]>([
    ['text', ''],
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
    ['oneOf', ''],
    ['oneOf', 'HOLD'],
    ['switch', 'true'],
    ['httpUrl', ''],
    ['httpUrl', 'ftp://a.example'],
    ['httpUrl', 'a.example'],
    ['httpUrl', 'http://'],
    ['folderUrl', 'file:///tmp'],
    ['origins', 'a.example'],
    ['origins', 'https://a.example/'],
    ['origins', 'https://a.example/path'],
    ['origins', 'https://a.example,'],
    ['origins', 'null'],
    ['database', ''],
    ['database', 'file:'],
    ['database', 'file://host/vatfx.db'],
    ['database', 'postgres://db/vatfx'],
  ])('refuse a %s of %j and say what would do', (kind, given) => {
    expect(kinds[kind].parse(given)).toEqual({ expected: expect.stringMatching(/\S/) });
  });

  it.each(Object.entries(kinds))('keep what is told of a %s', (_, option) => {
    expect(option).toMatchObject(described);
    expect(option.accepts).not.toBe('');
  });
});
