import { describe, expect, it } from 'vitest';
import {
  databaseUrl,
  folderUrl,
  httpUrl,
  milliseconds,
  oneOf,
  originList,
  port,
  switchOption,
  text,
} from './option.ts';

const described = { name: 'NAME', default: 'x', means: 'something' };
const kinds = {
  text: text(described),
  port: port(described),
  milliseconds: milliseconds({ least: 100, most: 60_000 }, described),
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
