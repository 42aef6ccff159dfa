import type { Break } from './documents.ts';

/** An entry of the changelog: what it names, and the text behind that. */
type Entry = {
  readonly operations: readonly string[];
  readonly changes: readonly string[];
  readonly rest: string;
};

/**
 * Compares changes that break callers with those that the changelog names above the heading of a release.
 *
 * An entry names operations and changes, in the words of the comparison, in one sentence. Others may follow:
 * ``- **Breaking**: `GET /rates`, `GET /rates/{date}`: `a` of answer 200 is gone; `b` of answer 200 may be null. Read `c`.``
 *
 * @returns Lines for a person: entries that are missing, and entries that name a change that there is not.
 * @throws If the changelog has no heading of the release.
 */
export function compareWithChangelog(
  breaks: readonly Break[],
  changelog: string,
  release: string,
): readonly string[] {
  const heading = new RegExp(`^## ${RegExp.escape(release)}\\s`, 'm').exec(changelog);
  if (heading === null) throw new Error(`CHANGELOG.md has no heading "## ${release} (…)"`);
  const entries = listEntries(changelog.slice(0, heading.index)).map((text) =>
    readEntry(text, breaks),
  );
  const missing = breaks.filter(({ operation, what }) =>
    entries.every((one) => !one.operations.includes(operation) || !one.changes.includes(what)),
  );
  return [
    ...(missing.length === 0
      ? []
      : [
          `openapi.json breaks callers of ${release}. Take the change back, or add these entries to CHANGELOG.md:`,
          ...printEntries(missing),
        ]),
    ...entries.flatMap((entry) => describeExcess(entry, breaks)),
  ];
}

function listEntries(changelog: string): readonly string[] {
  return changelog.split(/^(?=- |#|$)/m).flatMap((item) => {
    const text = item.trim().replaceAll(/\s+/g, ' ');
    return text.startsWith('- **Breaking**') ? [text.slice('- **Breaking**'.length).trim()] : [];
  });
}

function readEntry(text: string, breaks: readonly Break[]): Entry {
  const [head, list] = /^: ((?:`[^`]+`(?:, )?)+): /.exec(text) ?? ['', ''];
  const operations = [...(list ?? '').matchAll(/`([^`]+)`/g)].map(
    ([, operation]) => operation ?? '',
  );
  const known = breaks.filter(({ operation }) => operations.includes(operation));
  const changes: string[] = [];
  let rest = text.slice(head.length);
  for (;;) {
    const next = known.find(({ what }) => /^(?:; |\.|$)/.test(after(rest, what)))?.what;
    if (next === undefined) break;
    changes.push(next);
    rest = after(rest, next);
    if (!rest.startsWith('; ')) return { operations, changes, rest: '' };
    rest = rest.slice('; '.length);
  }
  return { operations, changes, rest };
}

/** The part of a text behind its beginning; `?` if it does not begin so. */
function after(text: string, beginning: string): string {
  return text.startsWith(beginning) ? text.slice(beginning.length) : '?';
}

/** What an entry says beyond the changes. */
function describeExcess({ operations, changes, rest }: Entry, breaks: readonly Break[]): string[] {
  const beginning = 'CHANGELOG.md has an entry **Breaking**';
  if (operations.length === 0) return [`${beginning} that begins with no operation: ${rest}`];
  const sayGone = (of: readonly string[], what: string): string =>
    `${beginning} for a change that openapi.json does not have: ${quote(of)}: ${what}`;
  if (rest !== '') return [sayGone(operations, rest)];
  return operations
    .filter(
      (operation) =>
        !breaks.some((one) => one.operation === operation && changes.includes(one.what)),
    )
    .map((operation) => sayGone([operation], `${changes.join('; ')}.`));
}

/** The entries that name all of these changes, one for the operations that have the same. */
function printEntries(breaks: readonly Break[]): readonly string[] {
  const ofOperation = Map.groupBy(breaks, ({ operation }) => operation);
  const changesOf = (operation: string): string =>
    (ofOperation.get(operation) ?? []).map(({ what }) => what).join('; ');
  return [...Map.groupBy(ofOperation.keys(), changesOf)].map(
    ([changes, operations]) => `- **Breaking**: ${quote(operations)}: ${changes}.`,
  );
}

function quote(operations: readonly string[]): string {
  return operations.map((one) => `\`${one}\``).join(', ');
}
