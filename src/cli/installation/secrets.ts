import { embeddedFileOf, keyFileOf } from '../../platform/database/sqlite/embedded-file.ts';
import { secretKeyCommand } from '../../platform/config/secret-key.ts';
import type { Operator } from '../../platform/database/audit.ts';
import type { Tx } from '../../platform/database/database.ts';
import { listReplicas, type Replica } from '../../platform/database/replicas/replicas.ts';
import { formatInstant, systemClock } from '../../platform/time/time.ts';
import { idOfKey } from '../../platform/encryption/secret-box.ts';
import { followsKeyFile, readKeyFiles, SecretKeys } from '../../platform/encryption/secret-keys.ts';
import { rotateKeyFile, rotateTo } from '../../platform/encryption/rotation.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { describeServer, mayStillRun } from './embedded-database.ts';
import { changing, type NamedCommand } from '../command/command.ts';
import { CommandFailure, type Report } from '../command/report.ts';
import { type DatabaseParts, withDatabase } from '../running/with-database.ts';

const notChanged = 'Nothing was changed';

/** Encrypts every stored secret with a new key; servers may run. */
const rotate = changing({
  words: 'rotate',
  says: 'encrypt every stored secret with a new key; servers may run',
  examples: ['secrets rotate', 'secrets rotate --json'],
  run: async (io, { by }) =>
    withDatabase(io, async (parts) =>
      parts.config.secretKey === undefined ? rotateFile(parts, by) : rotateConfigured(parts, by),
    ),
});

export const secretCommands: readonly NamedCommand[] = [rotate];

async function rotateConfigured(parts: DatabaseParts, by: Operator): Promise<Report> {
  const { config, db } = parts;
  const [key, next] = [config.secretKey?.reveal(), config.secretKeyNext?.reveal()];
  if (next === undefined) {
    throw new CommandFailure(
      `SECRET_KEY_NEXT is not set. ${notChanged}. To change SECRET_KEY:
  1. make a key: ${secretKeyCommand}
  2. set SECRET_KEY_NEXT (or SECRET_KEY_NEXT_FILE) to it for every server, beside SECRET_KEY, and restart one
     server after the other: each can then decrypt secrets with both keys
  3. call "${vatfx('secrets rotate')}" with the same settings`,
    );
  }
  if (key?.equals(next) === true) {
    throw new CommandFailure(
      `SECRET_KEY and SECRET_KEY_NEXT are the same key; set SECRET_KEY_NEXT to a new one, or remove it if ` +
        `the rotation is done. ${notChanged}`,
    );
  }
  const keyId = idOfKey(next);
  const rotation = await rotateTo(db, next, {
    keys: SecretKeys.load(config),
    at: formatInstant(parts.clock.now()),
    by,
    refuse: async (tx) =>
      refuseServers(tx, {
        canFollow: ({ secretKeys }) => secretKeys?.includes(keyId) === true,
        advice: 'give it the SECRET_KEY_NEXT of this command, restart it',
      }),
  });
  const done =
    rotation.kind === 'rotated'
      ? `${rotation.secrets} secrets are now encrypted with SECRET_KEY_NEXT (key ${rotation.keyId}).`
      : `Every secret is encrypted with SECRET_KEY_NEXT (key ${rotation.keyId}) already.`;
  return {
    document: rotation,
    text: `${done} Running servers use both keys.

What to do next:
  1. for every server, set SECRET_KEY to what SECRET_KEY_NEXT is now, and remove SECRET_KEY_NEXT
  2. restart one server after the other
  3. keep the old key as long as you keep backups from before the rotation`,
  };
}

async function rotateFile(parts: DatabaseParts, by: Operator): Promise<Report> {
  const { config, db } = parts;
  const database = embeddedFileOf(config.databaseUrl.reveal());
  if (database === undefined) throw new CommandFailure(`SECRET_KEY is not set; ${asServers}`);
  const keyFile = keyFileOf(database);
  if (readKeyFiles(keyFile).length === 0) {
    throw new CommandFailure(
      `there is no key file ${keyFile}: the first start makes it. If SECRET_KEY is configured, ${asServers}`,
    );
  }
  const rotation = await rotateKeyFile(db, keyFile, {
    keys: SecretKeys.load(config),
    at: formatInstant(parts.clock.now()),
    by,
    refuse: async (tx) =>
      refuseServers(tx, {
        canFollow: ({ secretKeys }) => secretKeys?.includes(followsKeyFile) === true,
        advice:
          'it has SECRET_KEY configured, or is an older version: give this command its settings, or restart it',
      }),
  });
  const done =
    rotation.kind === 'rotated'
      ? `${rotation.secrets} secrets are now encrypted with a new key (${rotation.keyId}).`
      : `A rotation that was interrupted is now complete (key ${rotation.keyId}).`;
  return {
    document: rotation,
    text: `${done}
It is in ${keyFile}; running servers read it from there, and you need not do anything else.
Make a backup: earlier backups have the old key.`,
  };
}

const asServers = `call "${vatfx('secrets rotate')}" with the settings of the servers. ${notChanged}`;

/** Refuses if a running server does not have the new key: it could not sign webhooks after the rotation. */
async function refuseServers(
  tx: Tx,
  rule: { readonly canFollow: (server: Replica) => boolean; readonly advice: string },
): Promise<void> {
  const servers = await listReplicas(tx, systemClock.now());
  const server = servers.find((one) => mayStillRun(one) && !rule.canFollow(one));
  if (server === undefined) return;
  throw new CommandFailure(
    `${describeServer(server)} could not decrypt the secrets with the new key; ` +
      `${rule.advice}, and call "${vatfx('secrets rotate')}" again. If it has crashed, wait 15 s. ${notChanged}`,
  );
}
