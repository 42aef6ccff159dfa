import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCalls } from '../../reference/page/calls.ts';
import { languages } from '../../reference/page/samples/samples.ts';
import { readSampleCall, type SampleCall } from '../../reference/page/samples/sample-call.ts';
import { packClient, run } from '../client/support/packed-client.ts';
import { Document, type Part } from '../openapi/support/document.ts';
import { banksEnabled } from '../openapi/support/questions.ts';
import { findProgram } from '../support/programs.ts';
import { shareWebhooks } from '../webhooks/support/start-webhooks.ts';
import { addSubscriber } from '../webhooks/support/subscriber.ts';

const runFile = promisify(execFile);
const document = new Document();
const service = shareWebhooks({
  lived: ['2026-11-18T16:00:00Z', '2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
  // A sample is about the fourth quarter of 2022, when Croatia adopted the euro.
  fxFrom: '2022-12-01',
  config: banksEnabled,
});

type Sample = { readonly call: SampleCall; readonly answer: Part | undefined };

/** Every operation. Those that disable and delete the subscription are the last. */
const samples: readonly Sample[] = document.operations
  .map(({ method, path, part }) => {
    const call = readSampleCall(document.whole, { method, path, operation: part });
    const [answer] = Object.entries(part['responses'] as Part).filter(([status]) =>
      status.startsWith('2'),
    );
    return { call, answer: document.resolve(answer?.[1]) };
  })
  .sort((a, b) => placeOf(a) - placeOf(b));

function placeOf({ call }: Sample): number {
  return ['changeSubscription', 'removeSubscription', 'deleteCheck', 'deleteWatch'].indexOf(
    call.operation,
  );
}

let packed: ReturnType<typeof packClient>;
beforeAll(() => {
  packed = packClient();
});
afterAll(() => packed.dispose());

/** How each language runs several files in one process, with a line in front of the output of each. */
const runners = {
  curl: {
    ending: 'sh',
    command: ['bash', '-c', 'for file; do echo "# $file"; . "$file"; echo; done', 'bash'],
  },
  typescript: {
    ending: 'mts',
    command: [
      process.execPath,
      '--input-type=module',
      '-e',
      'for (const file of process.argv.slice(1)) { console.log(`# ${file}`); await import(file); }',
    ],
  },
  python: {
    ending: 'py',
    command: [
      'python3',
      '-c',
      'import sys\nfor file in sys.argv[1:]:\n    print("# " + file)\n    exec(open(file).read(), {})',
    ],
  },
  php: {
    ending: 'php',
    command: [
      'php',
      '-r',
      'foreach (array_slice($argv, 1) as $file) { echo "# $file\n"; include $file; echo "\n"; }',
      '--',
    ],
  },
} as const satisfies Record<(typeof languages)[number]['id'], object>;

describe.each(languages)('the samples of /docs in $name', ({ id, print }) => {
  const { command, ending } = runners[id];
  const [program, ...parameters] = command;
  const isSkipped = program !== process.execPath && findProgram(program) === undefined;

  it.skipIf(isSkipped)('all print what openapi.json shows', async () => {
    const subscriber = await addSubscriber(service());
    const { id: subscription } = await subscriber.subscribe(id);
    const test = await subscriber.done<{ id: string }>('POST', `/webhooks/${subscription}/test`);
    const receiver = service().sandbox.receiverUrl('created');
    const number = { countryCode: 'GR', vatNumber: '100' };
    const check = await subscriber.done<{ id: string }>('POST', '/vatchecks', number);
    const batch = await subscriber.done<{ batchId: string }>('POST', '/vatchecks/batch', {
      checks: [number],
    });
    const files = samples.map(({ call }) => {
      const file = join(packed.project, `${call.operation}.${ending}`);
      const text = print(call)
        .replaceAll(/sub_[0-9a-f]+/g, subscription)
        .replaceAll(/dlv_[0-9a-f]+/g, test.id)
        .replaceAll(/vc_[0-9a-f]+/g, check.id)
        .replaceAll(/vb_[0-9a-f]+/g, batch.batchId)
        .replaceAll(/https:\/\/shop\.example\/\w+/g, receiver);
      writeFileSync(file, text);
      return file;
    });

    const { stdout, stderr } = await runFile(program, [...parameters, ...files], {
      env: { ...process.env, URL: service().apiUrl, KEY: subscriber.key },
      maxBuffer: 10_000_000,
    }).catch((error: unknown) => error as { readonly stdout: string; readonly stderr: string });

    const printed = new Map(
      stdout.split(/^# (?=\/)/m).map((text) => {
        const end = text.indexOf('\n');
        return [text.slice(0, end), text.slice(end)] as const;
      }),
    );
    const wrong = samples.flatMap(({ call, answer }, at) => {
      const text = printed.get(files[at] ?? '') ?? 'nothing';
      const missing = namesOf(answer, call).filter((name) => !text.includes(name));
      return missing.length === 0 ? [] : [`${call.operation} lacks ${missing.join()} in ${text}`];
    });
    expect(wrong).toEqual([]);
    // curl reports its progress there.
    expect(id === 'curl' ? '' : stderr).toBe('');
    expect(samples.length).toBeGreaterThan(25);
  });
});

describe('the samples of /docs in TypeScript', () => {
  it('compile strictly with the types of the client, as TypeScript and as JavaScript', () => {
    const [, typescript] = languages;
    for (const ending of ['mts', 'mjs']) {
      const files = samples.map(({ call }) => {
        const file = `strict-${call.operation}.${ending}`;
        writeFileSync(join(packed.project, file), typescript.print(call));
        return file;
      });
      const compilerOptions = {
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2022', 'dom'],
        typeRoots: [join(import.meta.dirname, '../../node_modules/@types')],
        types: ['node'],
        strict: true,
        noEmit: true,
        allowJs: true,
        checkJs: true,
      };
      const config = join(packed.project, `tsconfig.${ending}.json`);
      writeFileSync(config, JSON.stringify({ compilerOptions, files }));

      expect(run(packed.project, 'tsc', ['-p', config])).toBe('');
    }
  });

  it('use the client for every request whose answer is JSON, except files for programs', () => {
    const [, typescript] = languages;
    const without = samples.filter(({ call }) => !typescript.print(call).includes('vatfx-client'));

    const ofJson = without.filter(({ call }) => call.answer === 'json');
    expect(ofJson.map(({ call }) => call.operation)).toEqual(['exportVatRates', 'getOpenApi']);
  });
});

describe('/docs', () => {
  it('shows these samples', () => {
    const page = readFileSync('reference.html', 'utf8');
    const plain = page
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');

    const shown = new Set(listCalls(document.whole).map(({ id }) => id));
    for (const { call } of samples.filter(({ call }) => shown.has(call.operation))) {
      for (const { id, print } of languages) {
        expect(plain).toContain(
          `<div class="code" data-in="${id}"><pre tabindex="0">${print(call)}</pre>`,
        );
      }
    }
  });
});

/** Texts that the printed answer has: the names of its fields, or the heading of its CSV. */
function namesOf(
  answer: Part | undefined,
  { answer: kind, operation, values }: SampleCall,
): readonly string[] {
  const [content] = Object.values((answer?.['content'] ?? {}) as Part) as (Part | undefined)[];
  const [example] = Object.values((content?.['examples'] ?? {}) as Part) as (Part | undefined)[];
  const value = example?.['value'];
  // Its heading names the currencies of the request, which are others in the example.
  if (operation === 'getFxRangeCsv') return [`date,${String(values['currencies'])}\r\n`];
  if (kind === 'csv') return [String(value).split('\r\n')[0] ?? ''];
  if (operation === 'getOpenApi') return ['openapi', 'paths'];
  // The client returns the list itself.
  if (operation === 'listSubscriptions') return ['url', 'disabledReason'];
  return Object.keys(value ?? {});
}
