import { readPublishedKeys } from '../../vat-check/stored/evidence/published-keys.ts';
import { verifyEvidence } from '../../vat-check/stored/evidence/verify.ts';
import { describeEvidence } from '../evidence/describe.ts';
import { fetchLocally } from '../running/fetch-locally.ts';
import { printCommand, printJson, wrapLines } from './terminal-text.ts';
import { type DemoWorld, receiverName, reference } from './world.ts';
import { vatfx } from '../../platform/vatfx.ts';

/** A part of the story. */
export type Chapter = {
  readonly title: string;
  /** Sentences, commands that can be copied, and their output; each is a line or several lines. */
  readonly paragraphs: readonly string[];
};

/** Indentation of commands and sentences, and that of output. */
const indent = '  ';
const outputIndent = '    ';
/** Lines that are shown of a response. */
const linesShown = 5;
const authorization = `-H "Authorization: Bearer $KEY"`;

/** Makes the calls of the story, and returns its chapters with the responses. */
export async function tellStory(world: DemoWorld): Promise<readonly Chapter[]> {
  const { service, sandbox } = world;
  const receiverUrl = sandbox.receiverUrl(receiverName);
  const checkPath = `/vatchecks?reference=${reference}`;
  const { checks } = JSON.parse(await read(world, checkPath)) as ShownChecks;
  const { id = '', attempts = 0 } = checks[0] ?? {};
  return [
    {
      title: 'Three weeks of VAT rates, and a change that a webhook announced',
      paragraphs: [
        `${indent}Hungary has lowered its standard rate (invented):`,
        await call(world, '/changes?country=hu'),
        '',
        `${indent}The receiver of a webhook got the event, and its signature is right ("verified"):`,
        printCommand(['curl', receiverUrl], indent),
        printJson(await read(world, receiverUrl), outputIndent, 6),
      ],
    },
    {
      title: 'A VAT number whose registry was unavailable for a day',
      paragraphs: [
        `${indent}Germany's registry was down for a day (simulated). Meanwhile the check was pending, never`,
        `${indent}"valid": false. It had its answer with attempt ${attempts}:`,
        await call(world, checkPath, 12),
      ],
    },
    {
      title: 'The proof of that check, verified from its bytes alone',
      paragraphs: [
        `${indent}CHECK=${id}`,
        `${indent}curl -s -o keys.json ${service.apiUrl}/evidence/keys`,
        `${indent}curl -s ${authorization} ${service.apiUrl}/vatchecks/$CHECK/evidence |`,
        `${indent}  ${vatfx('evidence verify - --keys keys.json')}`,
        await verify(world, id),
        '',
        `${indent}The console prints it on one page:`,
        `${indent}${service.apiUrl}/#/check?id=${id}`,
      ],
    },
    {
      title: "A quarter's exchange rates by law",
      paragraphs: [
        `${indent}The last day of 2023 was a Sunday, so a return for OSS takes the next publication:`,
        await call(world, '/fx/oss/2023-Q4'),
      ],
    },
    {
      title: 'A book in Belgium',
      paragraphs: [
        `${indent}The rates of a product, by its code in the nomenclature of goods:`,
        await call(world, '/rates/categories?country=BE&cn=4901', 9),
      ],
    },
    {
      title: 'Everything that happened, in order',
      paragraphs: [
        `${indent}A reader continues with "after" and the cursor, and gets each event exactly once:`,
        await call(world, '/events', 11, 6),
      ],
    },
  ];
}

type ShownChecks = {
  readonly checks: readonly { readonly id: string; readonly attempts: number }[];
};

/** A command that calls the API, and the response. */
async function call(
  world: DemoWorld,
  path: string,
  lines = linesShown,
  linesOfEnd = 0,
): Promise<string> {
  const command = ['curl', authorization, quote(world.service.apiUrl + path)];
  const output = printJson(await read(world, path), outputIndent, lines, linesOfEnd);
  return `${printCommand(command, indent)}\n${output}`;
}

/** Verifies the evidence of the check as the command does; the published keys are those of the demo. */
async function verify(world: DemoWorld, id: string): Promise<string> {
  const evidence = await read(world, `/vatchecks/${id}/evidence`);
  const keys = readPublishedKeys(Buffer.from(await read(world, '/evidence/keys')));
  const verification = await verifyEvidence(Buffer.from(evidence), keys);
  return wrapLines(describeEvidence(verification), outputIndent);
}

async function read({ service, key }: DemoWorld, target: string): Promise<string> {
  const url = new URL(target, service.apiUrl);
  const response = await fetchLocally(url.href, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(`GET ${url.pathname} of the demo: ${response.status} ${text}`);
}

/** Quotes a URL for a shell if it needs that. */
function quote(url: string): string {
  return /[?&]/.test(url) ? `'${url}'` : url;
}
