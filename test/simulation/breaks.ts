import type { Change } from '../support/broken-build.ts';

const publish = 'rates/publish.ts';

/** Broken builds by their mistake; an invariant has to detect each. */
export const breaks = {
  'rows written outside the transaction': [
    {
      file: 'rates/store.ts',
      name: 'insertChanges',
      by: `async (whole, tx, changes) => {
        globalThis.writeLateRows = async (db) => whole(db, changes);
      }`,
    },
    {
      file: 'platform/schedule/run-log.ts',
      name: 'RunLog.record',
      by: `(whole, started, work) => whole(started, async (run) => {
        await work(run);
        const writeLateRows = globalThis.writeLateRows;
        globalThis.writeLateRows = undefined;
        await writeLateRows?.(this.#db);
      })`,
    },
  ],
  'rows computed from the latest instead of the previous': [
    {
      file: publish,
      name: 'publishSnapshot',
      by: `(whole, tx, parts, run, publication) => {
        const { previous, snapshot } = publication;
        return whole(tx, parts, run, { ...publication, previous: previous && snapshot });
      }`,
    },
  ],
  'all missed days compared with the same one': [
    {
      file: 'rates/refresh.ts',
      name: 'RatesRefresh.refreshTo',
      by: `(whole, ...args) => {
        globalThis.comparedWith = undefined;
        return whole(...args);
      }`,
    },
    {
      file: publish,
      name: 'publishSnapshot',
      by: `(whole, tx, parts, run, publication) => {
        globalThis.comparedWith ??= publication.previous;
        return whole(tx, parts, run, { ...publication, previous: globalThis.comparedWith });
      }`,
    },
  ],
  'missed days are left out': [
    {
      file: 'rates/timetable.ts',
      name: 'versionsToAsk',
      by: '(whole, asked) => whole(asked).slice(-1)',
    },
  ],
  'an event for an empty diff': [
    {
      file: publish,
      name: 'publishSnapshot',
      by: `async (whole, tx, parts, run, publication) => {
        await whole(tx, { ...parts, announce: async () => {} }, run, publication);
        const { version } = publication.snapshot;
        if (!publication.previous) return;
        await parts.announce(tx, { type: 'rates.changed', snapshotDate: version, at: run.at });
      }`,
    },
  ],
  'an event lost when a held snapshot is approved': [
    {
      file: publish,
      name: 'publishSnapshot',
      by: `(whole, tx, parts, run, publication) => {
        const isApproved = publication.detail?.startsWith('approved');
        const silent = isApproved ? { ...parts, announce: async () => {} } : parts;
        return whole(tx, silent, run, publication);
      }`,
    },
  ],
  'a second answer overwrites a stored version': [
    {
      file: publish,
      name: 'publishAnswer',
      by: `async (whole, parts, run, answer) => {
        const { version, reading } = answer;
        const body = printSnapshot({ version, entries: reading.entries }, parts.flagCdnUrl);
        const stored = parts.db.updateTable('rate_snapshots').set({ body });
        await stored.where('version', '=', version).execute();
        await whole(parts, run, answer);
      }`,
    },
  ],
  'a moment for each row': [
    {
      file: 'rates/diff.ts',
      name: 'toChanges',
      by: `(whole, ...args) => whole(...args).map((row, at) => {
        const detectedAt = new Date(Date.parse(row.detectedAt) + at).toISOString();
        return { ...row, detectedAt };
      })`,
    },
  ],
  'local time instead of that of Brussels': [
    {
      file: 'rates/timetable.ts',
      name: 'versionAt',
      by: '(whole, nowMs) => new Date(nowMs).toISOString().slice(0, 10)',
    },
  ],
  'local time instead of that of Frankfurt': [
    { file: 'fx/ecb/calendar.ts', name: 'timeZone', by: `() => 'UTC'` },
  ],
  'the latest is the snapshot that was stored last': [
    {
      file: 'rates/store.ts',
      name: 'findLatest',
      by: `async (whole, db) => {
        const stored = db.selectFrom('rate_snapshots').selectAll().orderBy('stored_at', 'desc');
        const row = await stored.limit(1).executeTakeFirst();
        return row && { ...(await whole(db)), date: row.version, body: row.body };
      }`,
    },
  ],
  'the latest exchange rates are those that were stored last': [
    {
      file: 'platform/publication/snapshot-table.ts',
      name: 'SnapshotTable.findLatest',
      by: `(whole, db) => db.selectFrom('fx_snapshots').select(['date', 'body'])
        .orderBy('stored_at', 'desc').limit(1).executeTakeFirst()`,
    },
  ],
  'immutable before it is final': [
    {
      file: 'rates/routes.ts',
      name: 'addChangeRoutes',
      by: `(whole, parts) => {
        const ahead = {
          get newestDate() {
            return parts.published.newestDate && '9999-12-31';
          },
        };
        return whole({ ...parts, published: ahead });
      }`,
    },
  ],
  'fx correct without audit': [
    {
      file: 'platform/database/audit.ts',
      name: 'writeAudit',
      by: `async (whole, tx, entry) => {
        if (entry.action !== 'fx.correct') await whole(tx, entry);
      }`,
    },
  ],
  'corrections of the ECB are applied without an operator': [
    {
      file: 'fx/publishing/plan.ts',
      name: 'planPublications',
      by: `(whole, offered, ...rest) => {
        const plan = whole(offered, ...rest);
        const isTaken = ({ snapshot }) =>
          plan.accepted.includes(snapshot) || plan.corrected.some(({ date }) => date === snapshot.date);
        const accepted = offered.filter(isTaken).map(({ snapshot }) => snapshot);
        return { ...plan, accepted, corrected: [] };
      }`,
    },
    {
      file: 'fx/store.ts',
      name: 'insertSnapshots',
      by: `async (whole, tx, series, given) => {
        for (const { date } of given.publications) {
          await tx.deleteFrom('fx_snapshots').where('date', '=', date).execute();
        }
        await whole(tx, series, given);
      }`,
    },
  ],
  'a parking rate that differs from that of TEDB': [
    {
      file: 'rates/tedb-rows.ts',
      name: 'readEntry',
      by: `(whole, ...args) => {
        const entry = whole(...args);
        return entry.parking === undefined ? entry : { ...entry, parking: '12' };
      }`,
    },
  ],
  'implausible snapshots are published': [
    {
      file: publish,
      name: 'publishAnswer',
      by: `(whole, parts, ...rest) => whole({ ...parts, gate: 'warn' }, ...rest)`,
    },
  ],
  'a wrong clock publishes': [
    {
      file: 'platform/time/clock-guard.ts',
      name: 'ClockGuard.compare',
      by: '(whole, ...args) => ({ ...whole(...args), isWrong: false })',
    },
  ],
  'answers outlive a publication': [
    {
      file: 'platform/http/responses/response-cache.ts',
      name: 'ResponseCache.clear',
      by: '() => {}',
    },
  ],
  'a backfill writes rows': [
    {
      file: 'rates/store.ts',
      name: 'insertBackfilled',
      by: `async (whole, db, snapshots, from) => {
        const rows = snapshots.map(({ version }) => ({
          id: 'rc_' + version, snapshot_date: version, country: 'HU', field: 'standard',
          old: null, new: '27', detected_at: from.at,
        }));
        const once = (conflict) => conflict.column('id').doNothing();
        if (rows.length > 0) {
          await db.insertInto('rate_changes').values(rows).onConflict(once).execute();
        }
        return whole(db, snapshots, from);
      }`,
    },
  ],
  'a failed run that is not recorded': [
    { file: 'platform/schedule/run-log.ts', name: 'RunLog.#fail', by: 'async () => {}' },
  ],
  'the key in the log': [
    {
      file: 'platform/http/server/access-log.ts',
      name: 'routeOf',
      by: '(whole, request) => request.url',
    },
  ],
} satisfies Readonly<Record<string, readonly Change[]>>;
