/**
 * The only reasons for which a documented command is not run, each with the commands that it is for.
 *
 * A reason that does not fit the commands below it is a failure, so commands that could run are run.
 */
export const reasons: Readonly<Record<string, RegExp>> = {
  'needs root and systemd': /^(?:.* && )?(?:sudo|systemctl) /m,
  // test/containers/executable.test.ts runs it.
  'needs the executable': /^\.\/vatfx /m,
  'needs Docker': /^docker /m,
  'needs a Kubernetes cluster': /^kubectl /m,
  // test/journeys/upgrade-back.test.ts runs these.
  'needs PostgreSQL': /^pg_(?:dump|restore) /m,
  'needs a public name': /https:\/\/vat\.example\.com\//,
  'needs Prometheus': /^promtool /m,
  'runs all tests': /^npm (?:test|run (?:test:engines|prove))\b/m,
  // test/walkthrough/checkout.test.ts runs the first of them, test/journeys/signals.test.ts starts the server of the last.
  'runs all tests, and reaches the real upstreams': /^npm ci && npm test\b[^]*^npm start\b/m,
};

/** The first reason that fits the commands. */
export function readReason(commands: string): string | undefined {
  return Object.keys(reasons).find((reason) => reasons[reason]?.test(commands));
}
