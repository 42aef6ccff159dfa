import type { Change } from '../support/broken-build.ts';

const publish = 'rates/publish.ts';
const insertion = 'await insertSnapshot(tx, { version, body, situationDate, inputDigest, at });';
const rows = 'await insertChanges(tx, toChanges(moves, { version, detectedAt: at }));';
const moves = 'const moves = previous === null ? [] : diffSnapshots(previous, snapshot);';

/** Broken builds by what is wrong with them; each has to be caught by an invariant. */
export const breaks = {
  'rows written outside the transaction': [
    { file: publish, what: rows, by: 'parts.lost = { moves, version, at };' },
    {
      file: 'rates/refresh.ts',
      what: `import { findLatest } from './store.ts';`,
      by: `import { toChanges } from './diff.ts'; import { findLatest, insertChanges } from './store.ts';`,
    },
    {
      file: 'rates/refresh.ts',
      what: 'await this.#parts.onPublished();',
      by: `const { db, lost } = this.#parts;
      this.#parts.lost = undefined;
      if (lost !== undefined) {
        const of = { version: lost.version, detectedAt: lost.at };
        await insertChanges(db, toChanges(lost.moves, of));
      }
      await this.#parts.onPublished();`,
    },
  ],
  'rows computed from the latest instead of the previous': [
    {
      file: publish,
      what: moves,
      by: `await insertSnapshot(tx, {
        version, body: printSnapshot(snapshot, parts.flagCdnUrl), situationDate, inputDigest, at,
      });
      const latest = parseSnapshot((await findLatest(tx)).body);
      const moves = previous === null ? [] : diffSnapshots(latest, snapshot);`,
    },
    { file: publish, what: insertion, by: '' },
  ],
  'all missed days compared with the same one': [
    {
      file: 'rates/refresh.ts',
      what: 'await publishAnswer(this.#parts, run, { version, reading, inputDigest });',
      by: 'await publishAnswer({ ...this.#parts, latest }, run, { version, reading, inputDigest });',
    },
    {
      file: publish,
      what: 'const previous = latest === undefined ? null : parseSnapshot(latest.body);',
      by: `const previous = latest === undefined ? null : parseSnapshot(parts.latest.body);`,
    },
  ],
  'missed days are left out': [
    {
      file: 'rates/timetable.ts',
      what: 'const days = Math.min(daysBetween(newest, until), catchUpDaysMax);',
      by: 'const days = Math.min(1, catchUpDaysMax);',
    },
  ],
  'an event for an empty diff': [
    { file: publish, what: 'if (moves.length > 0) {', by: 'if (previous !== null) {' },
  ],
  'an event lost when a held snapshot is approved': [
    {
      file: publish,
      what: 'if (moves.length > 0) {',
      by: `if (moves.length > 0 && !detail?.startsWith('approved')) {`,
    },
  ],
  'a second answer overwrites a stored version': [
    {
      file: publish,
      what: 'if (stored !== undefined) {',
      by: `if (stored !== undefined) {
        const body = printSnapshot({ version, entries: reading.entries }, parts.flagCdnUrl);
        await tx.updateTable('rate_snapshots').set({ body }).where('version', '=', version).execute();`,
    },
  ],
  'a moment for each row': [
    {
      file: 'rates/diff.ts',
      what: 'return moves.map((move) => ({',
      by: 'return moves.map((move, at) => ({',
    },
    {
      file: 'rates/diff.ts',
      what: 'detectedAt: of.detectedAt,',
      by: 'detectedAt: new Date(Date.parse(of.detectedAt) + at).toISOString(),',
    },
  ],
  'local time instead of that of Brussels': [
    { file: 'rates/timetable.ts', what: `'Europe/Brussels'`, by: `'UTC'` },
  ],
  'local time instead of that of Frankfurt': [
    { file: 'fx/timetable.ts', what: `'Europe/Berlin'`, by: `'UTC'` },
  ],
  'the latest is what was stored last': [
    {
      file: 'rates/store.ts',
      what: `    .where('origin', '=', 'job')
    .orderBy('version', 'desc')`,
      by: `    .orderBy('stored_at', 'desc')`,
    },
  ],
  'the latest exchange rates are what was stored last': [
    { file: 'fx/store.ts', what: `.orderBy('date', 'desc')`, by: `.orderBy('stored_at', 'desc')` },
  ],
  'immutable before it is final': [
    {
      file: 'rates/routes.ts',
      what: `newestDate !== null && date <= newestDate ? 'immutable' : 'changes'`,
      by: `newestDate !== null ? 'immutable' : 'changes'`,
    },
  ],
  'fx correct without audit': [
    {
      file: 'fx/corrections.ts',
      what: `await writeAudit(tx, { at, action: 'fx.correct', subject: date, detail });`,
      by: '',
    },
  ],
  'corrections of the ECB are taken over by themselves': [
    {
      file: 'fx/plan.ts',
      what: 'if (differences.length > 0) corrected.push({ date: snapshot.date, differences });',
      by: 'if (differences.length > 0) accepted.push(snapshot);',
    },
    {
      file: 'fx/store.ts',
      what: `await tx.insertInto('fx_snapshots').values(rows).execute();`,
      by: `await tx.replaceInto('fx_snapshots').values(rows).execute();`,
    },
  ],
  'a parking rate that is not the one of the database': [
    {
      file: 'rates/tedb-rows.ts',
      what: "parking: positive('PARKING_RATE')[0] ?? null",
      by: "parking: positive('PARKING_RATE').at(-1) === undefined ? null : '12'",
    },
  ],
  'what is doubted is published': [
    { file: publish, what: `(parts.gate === 'hold' || isOlder)`, by: 'isOlder' },
  ],
  'answers outlive a publication': [
    {
      file: 'platform/http/responses/published-snapshots.ts',
      what: 'this.#memory.forget();',
      by: '',
    },
  ],
  'a backfill writes rows': [
    {
      file: 'rates/store.ts',
      what: '      count += numInsertedOrUpdatedRows;',
      by: `      count += numInsertedOrUpdatedRows;
      const row = { id: 'rc_' + version, snapshot_date: version, country: 'HU', field: 'standard' };
      await insertChanges(tx, []);
      await tx.insertInto('rate_changes')
        .values({ ...row, old: null, new: '27', detected_at: from.at }).execute();`,
    },
  ],
  'a failed run that nobody records': [
    {
      file: 'platform/schedule/run-log.ts',
      what: `.set({ ended_at: formatInstant(this.#clock.now()), outcome: 'failed', detail })`,
      by: '.set({ detail })',
    },
  ],
  'the key in the log': [
    {
      file: 'platform/http/server/access-log.ts',
      what: `request.routeOptions.url ?? 'unknown'`,
      by: 'request.url',
    },
  ],
} satisfies Readonly<Record<string, readonly Change[]>>;
