import { createReadStream, existsSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import {
  copyInUse,
  findRefusedObjects,
  type PublishedRows,
  readKeyInUse,
} from '../../platform/database/sqlite/backup.ts';
import { requireEmbedded } from '../../platform/database/database.ts';
import { objectsPage } from '../../platform/database/objects/differences.ts';
import { keyFileOf } from '../../platform/database/sqlite/embedded-file.ts';
import { giveToOwner } from '../../platform/files/files.ts';
import { writingInto } from '../../platform/files/full-disk.ts';
import { idOfKey } from '../../platform/encryption/secret-box.ts';
import { readKeyFiles } from '../../platform/encryption/secret-keys.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { embeddedFile } from '../installation/embedded-database.ts';
import { withInterrupt } from '../running/stop-signal.ts';
import { anyText, flag, reporting } from '../command/command.ts';
import type { Io } from '../command/io.ts';
import { CommandFailure, printToStderr } from '../command/report.ts';
import { nameFile, requireWritableFolder } from '../running/name-file.ts';
import { createProgress } from '../running/progress.ts';
import {
  refuseTerminal,
  requireBareOutput,
  standardStream,
  writeOutput,
} from '../running/standard-streams.ts';
import { nameDraft, removeDraft, removeLeftDrafts } from './drafts.ts';
import { loadWithWarnings } from '../running/with-database.ts';
import { dataSets } from '../../composition/data-sets.ts';

/** Copies the embedded database, also while a server runs, and the key that encrypts stored secrets. */
export const backup = reporting({
  examples: [
    'backup /backups/vatfx-2026-11-20.db',
    'backup --without-key monday.db',
    'backup - > monday.db',
  ],
  argument: { says: 'the new file; it must not exist yet. - is standard output', form: anyText },
  options: { withoutKey: flag('leave out the key of the stored secrets') },
  run: async (io, { argument: to, options, isJson }) => {
    const isSent = to === standardStream;
    if (isSent) {
      requireBareOutput(io, isJson);
      refuseTerminal(io, vatfx('backup - > FILE'));
    }
    const { config } = loadWithWarnings(io);
    const file = isSent ? '' : `--file=${to} `;
    const source = embeddedFile(
      config.databaseUrl,
      `use its own tools: pg_dump --format=custom ${file}"$DATABASE_URL"`,
    );
    requireEmbedded(source);
    const keyFile = keyFileOf(source);
    const isConfigured = config.secretKey !== undefined;
    const isKeyCopied =
      !isSent && !isConfigured && options.withoutKey !== true && existsSync(keyFile);
    const copy = resolve(to);
    const keyCopy = isKeyCopied ? keyFileOf(copy) : undefined;

    const { rows, bytes, refused, usesKey } = isSent
      ? await sendBackup(io, source)
      : await makeBackup(io, { source, copy, keyFile: isKeyCopied ? keyFile : undefined });
    if (refused !== undefined) {
      printToStderr(
        io,
        `warning: restore refuses this backup, because of ${refused} (${objectsPage})`,
      );
    }
    const key =
      keyCopy === undefined
        ? describeMissingKey({
            isConfigured,
            file: existsSync(keyFile) ? keyFile : undefined,
            isUsed: usesKey,
          })
        : `${keyCopy}: the key of the stored secrets. With the database and this key, a thief can sign webhooks and ` +
          'evidence in your name: keep them apart, or keep both safe.';
    return {
      document: { file: copy, bytes, rows, secretKeyFile: keyCopy ?? null },
      text: `${isSent ? 'standard output' : copy}: ${describeRows(rows)}; ${(bytes / 1e6).toFixed(1)} MB, checked\n${key}`,
      isBesideBytes: isSent,
    };
  },
});

/** Says why the key of the stored secrets is not in the backup, and what follows. */
function describeMissingKey(key: {
  readonly isConfigured: boolean;
  /** Undefined if there is none. */
  readonly file: string | undefined;
  /** Whether a server has used a key for the secrets of this database. */
  readonly isUsed: boolean;
}): string {
  if (key.isConfigured) {
    return 'SECRET_KEY is configured and not in the backup: without it, stored secrets cannot be decrypted.';
  }
  if (key.file !== undefined) {
    return `The key of the stored secrets, ${key.file}, is not in the backup: without it, they cannot be decrypted.`;
  }
  // A supervisor can give SECRET_KEY to the service alone.
  return key.isUsed
    ? 'The secrets in this database are encrypted with a SECRET_KEY that this command does not have, and the key is ' +
        'not in the backup. Back up the SECRET_KEY of the service as well: without it, they cannot be decrypted.'
    : 'There is no key of stored secrets yet.';
}

/** Refuses files that exist, and a folder that is missing or cannot be written. */
function refuseUnusable(files: readonly string[]): void {
  const taken = files.find((file) => existsSync(file));
  if (taken !== undefined) {
    throw new CommandFailure(`${taken} exists already; backup overwrites no file`);
  }
  requireWritableFolder(dirname(files[0] ?? ''));
}

/** What a backup has in it. */
type Made = {
  readonly rows: PublishedRows;
  readonly bytes: number;
  /** The objects because of which `restore` refuses it. */
  readonly refused: string | undefined;
  /** Whether a server has used a key for the secrets of this database. */
  readonly usesKey: boolean;
};

/** Copies a database that may be in use to a draft, and looks at what it has. */
async function makeDraft(source: string, draft: string, signal: AbortSignal): Promise<Made> {
  const rows = await copyInUse(source, draft, publishedTables);
  if (signal.aborted) throw new CommandFailure('interrupted; there is no backup');
  return {
    rows,
    bytes: statSync(draft).size,
    refused: findRefusedObjects(draft),
    usesKey: readKeyInUse(draft) !== undefined,
  };
}

/**
 * Writes a backup to standard output. The copy is made beside the database, and checked, before its first byte is sent. It has no
 * name while it is sent, so that nothing of it stays, however the process ends.
 */
async function sendBackup(io: Io, source: string): Promise<Made> {
  requireWritableFolder(dirname(source));
  removeLeftDrafts(source);
  using progress = createProgress(io.stderr);
  const draft = nameDraft(source, 'backup');
  try {
    return await withInterrupt(io, async (signal) => {
      progress.show(describeProgress(source));
      const made = await makeDraft(source, draft, signal);
      const descriptor = openSync(draft, 'r');
      removeDraft(draft);
      await writeOutput(io, createReadStream('', { fd: descriptor }), signal);
      return made;
    });
  } finally {
    removeDraft(draft);
  }
}

function describeProgress(source: string): string {
  return `copying and checking ${(statSync(source).size / 1e6).toFixed(1)} MB …`;
}

/** Writes a draft, and gives it the name of the copy when it is complete. */
async function makeBackup(
  io: Io,
  files: {
    readonly source: string;
    readonly copy: string;
    /** Undefined if the key is not copied. */
    readonly keyFile: string | undefined;
  },
): Promise<Made> {
  const { source, copy, keyFile } = files;
  refuseUnusable(keyFile === undefined ? [copy] : [copy, keyFileOf(copy)]);
  using progress = createProgress(io.stderr);
  const draft = `${copy}.part-${randomBytes(4).toString('hex')}`;
  const keys: string[] = [];
  try {
    return await withInterrupt(io, async (signal) => {
      progress.show(describeProgress(source));
      const before = keyFile === undefined ? [] : readKeyFiles(keyFile);
      const made = await makeDraft(source, draft, signal);
      // In a folder of the database's owner, who can read everything in the copy already.
      const isOwned = statSync(source).uid === statSync(dirname(copy)).uid;
      if (isOwned) giveToOwner(draft);
      if (keyFile !== undefined) {
        const key = chooseKey(draft, before, readKeyFiles(keyFile));
        const text = `${key.toString('hex')}\n`;
        await writingInto(dirname(copy), () =>
          writeFileSync(keyFileOf(copy), text, { mode: 0o600, flag: 'wx', flush: true }),
        );
        keys.push(keyFileOf(copy));
        if (isOwned) giveToOwner(keyFileOf(copy));
      }
      // Fails if a file of that name was made meanwhile.
      nameFile(draft, copy);
      keys.length = 0;
      return made;
    });
  } finally {
    removeDraft(draft);
    for (const file of keys) rmSync(file, { force: true });
  }
}

type KeyFiles = ReturnType<typeof readKeyFiles>;

/** Chooses the key that the secrets in the copy are encrypted with; `secrets rotate` may run meanwhile. */
function chooseKey(copy: string, before: KeyFiles, after: KeyFiles): Buffer {
  const inUse = readKeyInUse(copy);
  const fitting = [...before, ...after].find(({ key }) => idOfKey(key) === inUse);
  // A database of an earlier version names no key. If an operator changed the key by hand, it names another one.
  const key = fitting?.key ?? after.at(-1)?.key;
  const isSame =
    before.map(({ key: one }) => idOfKey(one)).join() ===
    after.map(({ key: one }) => idOfKey(one)).join();
  if (key !== undefined && (fitting !== undefined || isSame)) return key;
  throw new CommandFailure(
    'the key of the stored secrets was changed meanwhile; there is no backup, call backup again',
  );
}

/** The tables of all data sets, with the words for their rows. */
const nouns = new Map(
  Object.values(dataSets).flatMap((set) => Object.entries(set.publishedTables)),
);

export const publishedTables: readonly string[] = [...nouns.keys()];

/** Prints the counts of published rows: `3 rate snapshots, 5 rate changes`. */
export function describeRows(rows: PublishedRows): string {
  const counts = Object.entries(rows)
    .filter(([, count]) => count > 0)
    .map(([table, count]) => `${count} ${nouns.get(table)}`);
  return counts.join(', ') || 'nothing published';
}
