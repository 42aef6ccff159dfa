import { describe, expect, it } from 'vitest';
import { RawConnection } from '../support/raw-connection.ts';
import { auth, host, readAll } from '../support/raw-requests.ts';
import { shareService } from '../support/start-service.ts';

const forged = '"}%0A{"level":60,"msg":"forged"}';

describe('the log (style: Logs, reliability R20)', () => {
  const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

  it.each([
    ['its target', `GET /rates?"${forged} HTTP/1.1\r\n${host}${auth}`],
    ['an unknown path', `GET /x","status":200,"y":"${forged} HTTP/1.1\r\n${host}${auth}`],
    ['a date', `GET /rates/2026"\\${forged} HTTP/1.1\r\n${host}${auth}`],
    ['its key', `GET /rates HTTP/1.1\r\n${host}Authorization: Bearer a"${forged}\r\n`],
    ['its Host', `GET /rates HTTP/1.1\r\nHost: x"${forged}\r\n${auth}`],
    ['its agent', `GET /rates HTTP/1.1\r\n${host}${auth}User-Agent: a"\\${forged}\r\n`],
  ])('has one line of JSON for a request, without text of the caller: %s', async (_, head) => {
    const { apiUrl, key, logLines } = service();
    const before = logLines.length;
    const connection = await RawConnection.open(apiUrl);

    connection.send(`${head}Connection: close\r\n\r\n`.replaceAll('{key}', key));
    const answers = await readAll(connection);

    expect(answers).toHaveLength(1);
    await expect.poll(() => logLines.length).toBeGreaterThan(before);
    const lines = logLines.slice(before);
    expect(lines.map(readLine)).toEqual([
      expect.objectContaining({ level: 'info', msg: 'request' }),
    ]);
    expect(lines.join('')).not.toContain('forged');
  });
});

describe('the route in a line of the log', () => {
  const service = shareService({ config: { corsOrigins: ['https://shop.example'] } });

  it.each([
    ['another method', 'DELETE', '/rates/2026-11-20', {}, [405, '/rates/:date']],
    ['a method without routes', 'PROPFIND', '/webhooks/sub_0', {}, [405, '/webhooks/:id']],
    ['a long parameter', 'PUT', `/rates/${'9'.repeat(500)}`, {}, [405, '/rates/:date']],
    ['another method of a public page', 'POST', '/docs', {}, [405, '/docs']],
    [
      'a preflight',
      'OPTIONS',
      '/fx/2026-11-20',
      { origin: 'https://a.example' },
      [204, '/fx/:date'],
    ],
    ['an unknown path', 'DELETE', '/nowhere', {}, [404, 'unknown']],
  ] as const)('is that of the path: %s', async (_what, method, path, headers, expected) => {
    const { key, logLines } = service();
    const before = logLines.length;

    await service().sendRequest({
      method,
      path,
      headers: { authorization: `Bearer ${key}`, ...headers },
    });

    await expect.poll(() => logLines.length).toBeGreaterThan(before);
    const { status, route } = readLine(logLines[before] ?? '') as Record<string, unknown>;
    expect([status, route]).toEqual(expected);
  });
});

/** A line as a log collector reads it; its text if it is not JSON. */
function readLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
