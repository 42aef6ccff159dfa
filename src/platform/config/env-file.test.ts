import { describe, expect, it } from 'vitest';
import { ConfigError, type LoadedConfig, readConfig } from './config.ts';
import { parseEnvFile } from './env-file.ts';

function problemsOf(dotenv: string, environment = {}): readonly string[] {
  try {
    readConfig(environment, dotenv);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('parseEnvFile (rule O11)', () => {
  it.each<readonly [string, string, Readonly<Record<string, string>>]>([
    ['a byte order mark', '\uFEFFA=1\nB=2', { A: '1', B: '2' }],
    [
      'CRLF, blank lines and comments',
      '\r\n# no "setting\r\n A = 1 \r\n\t\r\nB=2 # b\r\n',
      { A: '1', B: '2' },
    ],
    ['`export`, `=` and quotes in a value', "export A=1=2\nB=it's", { A: '1=2', B: "it's" }],
    ['quotes', 'A="a # b" # c\nB=\'"b"\'\nC=`c`', { A: 'a # b', B: '"b"', C: 'c' }],
    ['values of several lines', 'A="1\nB=2\n"\nC="a\\nb"', { A: '1\nB=2\n', C: 'a\nb' }],
    [
      'an empty value, which does not take the next line',
      'A=\nB=  \nC=3',
      { A: '', B: '', C: '3' },
    ],
  ])('reads %s', (_, text, variables) => {
    expect(parseEnvFile(text)).toMatchObject({ variables, problems: [], warnings: [] });
  });

  it.each([
    ['a name alone', 'PORT=1\n\nFOO\n', '.env line 3 is no setting'],
    ['a name with a space', 'set PORT=80', '.env line 1 is no setting'],
    ['a colon', 'PORT: 80', '.env line 1 is no setting'],
    ['no name', '=80', '.env line 1 is no setting'],
    [
      'a quote that is not closed',
      'A=1\nB="secret\nC=1',
      '.env line 2 has a quote (") that is not',
    ],
    ['a closing quote too early', "A='don't'", '.env line 1 has text after its closing quote'],
    ['a # in a value', 'A=1\nPASSWORD=secret#1', '.env line 2 has a # in its value'],
    ['a # at its begin', 'PASSWORD=#secret', '.env line 1 has a # in its value'],
    ['lines that end in CR', 'PORT=1\rHOST=::\r', '.env line 1 has a carriage return'],
  ])('reports %s, without a value', (_, text, problem) => {
    const problems = problemsOf(text);

    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain('secret');
  });

  it('warns of a name that is there twice', () => {
    const { config, warnings } = readConfig({}, 'PORT=1\nA=2\nPORT=3') satisfies LoadedConfig;

    expect(config.port).toBe(3);
    expect(warnings).toEqual(['PORT is in .env twice, in lines 1 and 3; the last one counts']);
  });

  it.each([
    [
      'NODE_EXTRA_CA_CERTS=/ca.pem',
      {},
      ['NODE_EXTRA_CA_CERTS is in .env line 2, where Node does not'],
    ],
    ['NODE_OPTIONS=', {}, []],
    ['SSL_CERT_FILE=a', { SSL_CERT_FILE: 'b' }, []],
    ['UV_THREADPOOL_SIZE=8', { UV_THREADPOOL_SIZE: '' }, ['UV_THREADPOOL_SIZE is in .env line 2']],
    ['NODE_TLS_REJECT_UNAUTHORIZED=0', {}, ['NODE_TLS_REJECT_UNAUTHORIZED is 0']],
  ])('reports what Node reads from the environment alone: %s', (line, environment, expected) => {
    expect(problemsOf(`PORT=1\n${line}`, environment)).toEqual(
      expected.map((text) => expect.stringContaining(text)),
    );
  });
});
