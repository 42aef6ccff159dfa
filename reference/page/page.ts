import type { Json } from '../openapi/schemas.ts';
import { ArticlePrinter } from './articles.ts';
import { type Call, listCalls, summaryOf } from './calls.ts';
import { printCommonErrors } from './errors.ts';
import { printCode, text } from './html.ts';
import { printLanguages, printSamples } from './samples/samples.ts';
import { pageScript } from './script.ts';
import { pageStyle } from './style.ts';

/** Prints the reference as one page that loads no other file. */
export function printReferencePage(document: Json): string {
  const info = document['info'] as { readonly title: string; readonly description: string };
  const tags = document['tags'] as readonly {
    readonly name: string;
    readonly description: string;
  }[];
  const calls = listCalls(document);
  const groups = tags.map((tag) => ({
    tag,
    calls: calls.filter(({ operation }) => (operation['tags'] as string[])[0] === tag.name),
  }));
  const [first, rules, errors] = sections.map(
    ({ id, name }) => `<section id="${id}"><h2>${name}</h2>`,
  );
  const articles = new ArticlePrinter(document);
  const described = groups.map(
    ({ tag, calls }) =>
      `<section><h2>${text(tag.name)}</h2><p>${text(tag.description)}</p>${calls.map((call) => articles.print(call)).join('')}</section>`,
  );
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${text(info.title)}: reference</title><style>${pageStyle}</style></head>`,
    '<body><div class="frame"><nav aria-label="Reference"><p class="back"><a href="./">← Console</a></p>',
    '<search hidden><input type="search" placeholder="Find in the reference" aria-label="Find in the reference"><p class="found dim" role="status"></p></search>',
    `<details class="menu" open><summary>Contents</summary>${printMenu(groups)}</details>`,
    '</nav><main>',
    `<h1>${text(info.title)}</h1>`,
    '<p><a href="openapi.json">openapi.json</a> is the same reference for programs.</p>',
    printLanguages(),
    first,
    ...printFirstCall(document, calls),
    '</section>',
    rules,
    ...info.description.split('\n\n').map((paragraph) => `<p>${text(paragraph)}</p>`),
    '</section>',
    errors,
    printCommonErrors(document),
    '</section>',
    ...described,
    `</main></div><p class="said hidden" role="status"></p><script>${pageScript}</script></body></html>`,
    '',
  ].join('\n');
}

/** The sections in front of the calls. */
const sections = [
  { id: 'first-call', name: 'First call' },
  { id: 'rules', name: 'Rules of every call' },
  { id: 'errors', name: 'Errors of every call' },
] as const;

/** Prints the list of contents: the sections, then a group that folds for each tag. */
function printMenu(
  groups: readonly { readonly tag: { readonly name: string }; readonly calls: readonly Call[] }[],
): string {
  const ofSections = sections.map(({ id, name }) => `<li><a href="#${id}">${name}</a></li>`);
  const folding = groups.map(
    ({ tag, calls }, at) =>
      `<details class="group"${at === 0 ? ' open' : ''}><summary>${text(tag.name)}</summary><ul>${calls.map(printLink).join('')}</ul></details>`,
  );
  return `<ul>${ofSections.join('')}</ul>${folding.join('')}`;
}

function printLink(call: Call): string {
  const { id, isEvent, method, path } = call;
  const name = isEvent ? text(path) : `<span class="method">${method}</span> ${text(path)}`;
  return `<li><a href="#${id}"><code>${name}</code> <span class="dim">${text(summaryOf(call))}</span></a></li>`;
}

function printFirstCall(document: Json, calls: readonly Call[]): readonly string[] {
  const first = calls.find(({ id }) => id === 'getLatestRates');
  if (first === undefined) throw new Error('the document has no getLatestRates');
  return [
    '<p>You need an API key from the operator of this service; <code>npm run demo</code> prints one. The samples read the address of the service and the key from the environment:</p>',
    // The script of the page replaces the address by the one at which the page is read.
    printCode('export URL=http://127.0.0.1:8080\nexport KEY=vfx_…', 'setup'),
    `<p>Then request ${text(lowerFirst(summaryOf(first)))}:</p>`,
    printSamples(document, first),
    `<p>The response and its fields: <a href="#${first.id}">${text(summaryOf(first))}</a>. Choose another language above; every sample changes. The TypeScript samples are ES modules for Node and use <code>vatfx-client</code>, the folder <code>client</code> of the repository of vatfx. The others need no library.</p>`,
  ];
}

function lowerFirst(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}
