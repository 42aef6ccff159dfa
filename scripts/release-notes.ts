/** The part of a changelog about one version. */
export type ReleaseNotes = {
  /** YYYY-MM-DD; undefined if the version has no date. */
  readonly date: string | undefined;
  /** Markdown that begins with the heading of the version and ends with a line feed. */
  readonly text: string;
};

/**
 * Cuts the part about a version out of a changelog. The heading of a version is `## 0.3.0 (2026-11-27)`, `## 0.3.0 (unreleased)`
 * or `## 0.2.0`.
 *
 * @throws If the changelog has no such heading.
 */
export function cutNotes(changelog: string, version: string): ReleaseNotes {
  const parts = changelog.split(/^(?=## )/m);
  const text = parts.find((part) => /^## (\S+)/.exec(part)?.[1] === version);
  if (text === undefined) throw new Error(`CHANGELOG.md has no heading "## ${version} (…)"`);
  return { date: /^## \S+ \((\d{4}-\d\d-\d\d)\)$/m.exec(text)?.[1], text: `${text.trimEnd()}\n` };
}
