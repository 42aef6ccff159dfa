const preload = new URL('../defects/break-build.ts', import.meta.url).href;

/**
 * Environment that starts a process of Node with a broken build, by its name; empty without a name. `a + b` has the
 * changes of both.
 */
export function brokenEnvironment(build: string | undefined): Readonly<Record<string, string>> {
  return build === undefined ? {} : { NODE_OPTIONS: `--import=${preload}`, BROKEN_BUILD: build };
}
