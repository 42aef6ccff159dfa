import { readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

/** A deployment file as text. */
export function readDeployment(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

type ComposeService = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks: Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly ports?: readonly string[];
  readonly extra_hosts?: Readonly<Record<string, string>>;
  readonly stop_grace_period?: string;
  readonly tmpfs?: readonly string[];
  readonly logging?: {
    readonly driver: string;
    readonly options: Readonly<Record<string, string>>;
  };
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly secrets?: readonly string[];
};

type Compose = {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: {
    readonly front: {
      readonly ipam: {
        readonly config: readonly [{ readonly subnet: string; readonly gateway: string }];
      };
    };
  };
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};

/** The file of Compose, in which `VATFX_NETWORK` has its default or this value. */
export function readCompose(network?: string): Compose {
  const text = readDeployment('compose.yaml').replaceAll(
    /\$\{VATFX_NETWORK:-([0-9.]+)\}/g,
    (_, usual: string) => network ?? usual,
  );
  return parse(text, { merge: true, strict: true }) as Compose;
}

type Probe = { readonly httpGet: { readonly path: string; readonly port: string } };

type Container = {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
};

/** The parts of a Kubernetes object that the tests read. */
type Manifest = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly enableServiceLinks: boolean;
        readonly containers: readonly [Container];
      };
    };
  };
};

/** The objects in a file for Kubernetes; throws if its YAML is malformed. */
export function readManifests(path: string): readonly Manifest[] {
  // Kubernetes reads YAML 1.1, where `on` is a boolean and 0440 an octal number.
  const documents = parseAllDocuments(readDeployment(path), { version: '1.1' });
  if (!Array.isArray(documents)) throw new Error(`${path} is empty`);
  return documents.map((document) => {
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) throw error;
    return document.toJS() as Manifest;
  });
}
