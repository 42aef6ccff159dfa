/* Preloaded (`node --import`): the process is killed at one point of a rotation of the secret key, KILL_AT. */
import { breakOnLoad, type Change } from '../../support/broken-build.ts';

const kill = `process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});`;
const rotation = 'platform/encryption/rotation.ts';
const makesKey = 'const newKey = makeNextKey(keyFile);';
const setsKey = 'await setKeyInUse(tx, keyId);';

const points: Readonly<Record<string, Change>> = {
  'next key written': { file: rotation, what: makesKey, by: `${makesKey} ${kill}` },
  'before the commit': { file: rotation, what: setsKey, by: `${setsKey} ${kill}` },
  'after the commit': {
    file: rotation,
    what: 'if (inUse !== null) replaceKeyFile(keyFile, inUse);',
    by: kill,
  },
  'after the replacement': {
    file: 'platform/encryption/secret-keys.ts',
    what: 'renameSync(next, keyFile);',
    by: `renameSync(next, keyFile); process.kill(process.pid, 'SIGKILL'); for (;;);`,
  },
};

// oxlint-disable-next-line node/no-process-env -- how a preloaded module is told what to do
const point = points[process.env['KILL_AT'] ?? ''];
if (point !== undefined) breakOnLoad([point]);
