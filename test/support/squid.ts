import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findSquid } from './programs.ts';
import { ServerProcess } from './server-process.ts';
import { temporaryFolder } from './temporary-database.ts';

/** The names that only Squid resolves, all to this machine. */
const hosts = '127.0.0.1 upstreams.test receiver.test';
/** `me` with the password `pass@word`. */
const users = 'me:$apr1$proxytst$N6vtLWLs8ZdIUgJuL/e7m1';

/** The rules of docs/operating.md for WEBHOOK_PROXY. */
function readDocumentedRules(): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  const form = /^acl private4 dst [^`]*^http_access deny private6$/m;
  return form.exec(page)?.[0] ?? 'the rules are not documented';
}

/**
 * Starts Squid until the test ends. `rules` are its access rules; by default everybody may send anything. `judged` sends nothing:
 * what the documented rules do not deny is redirected.
 */
export async function startSquid(
  rules: 'allow' | 'deny' | 'password' | 'documented' | 'judged' = 'allow',
): Promise<{
  /** Host and port. */
  readonly address: string;
  /** Method, target and status of each request so far, such as `CONNECT receiver.test:443 200`. */
  readonly asked: () => readonly string[];
  /** What Squid says about its configuration that is no plain information: ranges that it ignores, for example. */
  readonly warnings: () => readonly string[];
}> {
  const program = findSquid();
  if (program === undefined) throw new Error('squid is not installed');
  const folder = temporaryFolder();
  // Squid gives up the rights of root.
  chmodSync(folder, 0o777);
  const file = (name: string): string => join(folder, name);
  const access = {
    allow: 'http_access allow all',
    deny: 'http_access deny all',
    documented: `${readDocumentedRules()}\nhttp_access allow all`,
    judged: `${readDocumentedRules()}
acl others src all
deny_info 302:http://not-denied.test/ others
http_access deny others`,
    password: `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${file('users')}
acl known proxy_auth REQUIRED
http_access allow known
http_access deny all`,
  }[rules];
  writeFileSync(file('hosts'), `${hosts}\n`);
  writeFileSync(file('users'), `${users}\n`);
  const command = (port: number): readonly string[] => {
    writeFileSync(
      file('squid.conf'),
      `http_port 127.0.0.1:${port}
hosts_file ${file('hosts')}
${access}
logformat asked %rm %ru %>Hs
access_log stdio:${file('asked')} asked
buffered_logs off
cache_log stdio:${file('cache')}
cache deny all
pid_filename none
coredump_dir ${folder}
pinger_enable off
shutdown_lifetime 0 seconds
`,
    );
    return [program, '-N', '-f', file('squid.conf')];
  };
  const server = await ServerProcess.start({ command });
  onTestFinished(async () => server.kill());
  return {
    address: `127.0.0.1:${server.port}`,
    warnings: () => {
      const parsing = [program, ['-k', 'parse', '-f', file('squid.conf')]] as const;
      const { stderr } = spawnSync(...parsing, { encoding: 'utf8' });
      return stderr.match(/^.*\| (?:WARNING|ERROR|FATAL).*$/gm) ?? [];
    },
    asked: () => readFileSync(file('asked'), 'utf8').match(/^[A-Z].*$/gm) ?? [],
  };
}
