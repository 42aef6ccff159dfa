import { globSync, readFileSync } from 'node:fs';
import { readReason } from './reasons.ts';

/** Commands of a document, and how a test has to treat them. */
export type CommandBlock = {
  /** Path of the document and line of the first command, as `docs/calling.md:11`. */
  readonly place: string;
  readonly document: string;
  /** The commands as they are written, without indentation. */
  readonly commands: string;
  /** The output that the document shows below the commands. */
  readonly shown: string | undefined;
  /** The text of the comment `<!-- not run: … -->` above the commands; for heads of files, the reason that fits. */
  readonly reason: string | undefined;
};

const markdown = globSync(['*.md', 'docs/*.md', 'client/README.md', 'bench/NOTES.md'])
  // Written by a program, with commands that repeat a proof.
  .filter((document) => document !== 'docs/proof.md' && document !== 'CHANGELOG.md');
const filesWithHeads = ['Dockerfile', 'compose.yaml', ...globSync('deploy/*')];

/** The documents in which commands are looked for. */
export const documents: readonly string[] = [...markdown, ...filesWithHeads].toSorted();

/** All command blocks of the repository's documents, in their order. */
export function readAllBlocks(): readonly CommandBlock[] {
  return documents.flatMap((document) => {
    const text = readFileSync(document, 'utf8');
    return document.endsWith('.md') ? readMarkdown(document, text) : readHead(document, text);
  });
}

/** Whether a test runs the commands: those that may need more than a machine has are never tried. */
export function canRun({ reason, commands }: CommandBlock): boolean {
  return reason === undefined && readReason(commands) === undefined;
}

/** Whether the commands need the packages of a checkout: those of npm, and those of an installed vatfx. */
export function needsCheckout({ commands }: CommandBlock): boolean {
  return /^ *(?:npm|vatfx|\(cd packed) /m.test(commands);
}

/** A fenced block with the comment above it, and the block that follows directly, which shows the output. */
const fence =
  /(?:^[ ]*<!-- not run: (?<reason>[^>]+?) -->\n)?^(?<indent>[ ]*)```(?<language>\w*)\n(?<code>[^]*?)\n\k<indent>```(?=\n(?:\n?\k<indent>```(?:json|text)?\n(?<shown>[^]*?)\n\k<indent>```)?)/gm;
const shells = ['sh', 'bash', 'shell', 'console'];
/** The first word of a line that is a command, in a block that names no language. */
const startOfCommand = /^\s*(?:\$ |curl |npm |npx |vatfx |docker |kubectl |sudo )/m;

/** The command blocks of a Markdown document, and the commands of curl within its sentences. */
export function readMarkdown(document: string, text: string): readonly CommandBlock[] {
  const blocks = [...readFences(document, text), ...readSentences(document, text)];
  const lineOf = ({ place }: CommandBlock): number => Number(place.split(':')[1]);
  return blocks.toSorted((a, b) => lineOf(a) - lineOf(b));
}

function readSentences(document: string, text: string): readonly CommandBlock[] {
  // A blank in place of each character of a block keeps the numbers of the lines.
  const sentences = text.replaceAll(/```[^]*?```/g, (block) => block.replaceAll(/[^\n]/g, ' '));
  return [...sentences.matchAll(/`(curl [^`]+)`/g)].map(({ 1: commands = '', index }) => ({
    place: `${document}:${sentences.slice(0, index).split('\n').length}`,
    document,
    commands,
    shown: undefined,
    reason: undefined,
  }));
}

function readFences(document: string, text: string): readonly CommandBlock[] {
  const blocks: CommandBlock[] = [];
  for (const match of text.matchAll(fence)) {
    const { reason, indent = '', language = '', code = '', shown } = match.groups ?? {};
    if (!shells.includes(language) && (language !== '' || !startOfCommand.test(code))) continue;
    const before = text.slice(0, match.index + match[0].indexOf('```'));
    blocks.push({
      place: `${document}:${before.split('\n').length + 1}`,
      document,
      commands: removeIndent(code, indent),
      shown: shown === undefined ? undefined : removeIndent(shown, indent),
      reason,
    });
  }
  return blocks;
}

/**
 * The commands in the comments of a file: lines that are indented by three blanks or more, behind an empty line. An
 * indented sentence begins with a capital letter or with code.
 *
 * Such a comment cannot be hidden from readers, so these blocks name no reason; the list of reasons decides.
 */
function readHead(document: string, text: string): readonly CommandBlock[] {
  return [...text.matchAll(/^#\n(# {3,}[a-z(].*\n(?:# {3,}\S.*\n)*)/gm)].map((match) => {
    const lines = match[1] ?? '';
    const indent = /^#( +)/.exec(lines)?.[1] ?? '';
    const commands = removeIndent(lines.trimEnd().replaceAll(/^#/gm, ''), indent);
    const line = text.slice(0, match.index).split('\n').length + 1;
    const place = `${document}:${line}`;
    return { place, document, commands, shown: undefined, reason: readReason(commands) };
  });
}

function removeIndent(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');
}
