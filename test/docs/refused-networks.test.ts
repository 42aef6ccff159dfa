import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runCommand, runForJson } from '../support/run-cli.ts';

// Read before a command runs, which has a folder of its own.
const page = readFileSync('docs/operating.md', 'utf8');
const manifests = readFileSync('deploy/kubernetes.yaml', 'utf8');

type Policy = {
  readonly kind: string;
  readonly spec: {
    readonly egress?: readonly {
      readonly to: readonly { readonly ipBlock?: { readonly except: readonly string[] } }[];
    }[];
  };
};

it('docs/operating.md has the rules of Squid that `webhooks networks --squid` prints', async () => {
  const { stdout } = await runCommand(['webhooks', 'networks', '--squid'], {});

  expect(page).toContain(`\n\`\`\`\n${stdout}\`\`\`\n`);
});

it('deploy/kubernetes.yaml excepts the networks that `webhooks networks` prints', async () => {
  const { stdout, stderr } = await runCommand(['webhooks', 'networks'], {});
  const networks = await runForJson<string[]>(['webhooks', 'networks'], {});

  const policies = parseAllDocuments(manifests).map((document) => document.toJS() as Policy);
  const excepted = policies
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .flatMap(({ spec }) => spec.egress ?? [])
    .flatMap(({ to }) => to)
    .flatMap(({ ipBlock }) => ipBlock?.except ?? []);
  expect(networks).toEqual(excepted);
  expect(networks).toEqual(stdout.trimEnd().split('\n'));
  expect(stderr).toContain('ISATAP addresses of all networks are refused as well');
});
