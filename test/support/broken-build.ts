import { registerHooks } from 'node:module';
import { parseSync } from 'oxc-parser';

/** A function, method or constant of the product, and the code that replaces it in a broken build. */
export type Change = {
  /** Path below `src/`. */
  readonly file: string;
  /** Name of the declaration, after those around it: `claimDue`, `Lease.assertHeld`, `RunLog.#fail`. */
  readonly name: string;
  /**
   * JavaScript of a function. Instead of a function or method it is called with the original and the arguments:
   * `(whole, ...args) => result`. Instead of a constant it is called once, with the value. It sees what is visible
   * at the place of the original: imports, `this`, private members.
   */
  readonly by: string;
};

type Node = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly start: number;
  readonly end: number;
};

/** Gives the source of a module in a broken build. Throws if a replaced declaration is missing or ambiguous. */
export function breakSource(changes: readonly Change[], path: string, source: string): string {
  return changes
    .filter(({ file }) => path.endsWith(`/src/${file}`))
    .reduce((broken, change) => replaceDeclared(broken, change), source);
}

/** Breaks the product as it is loaded into this process; called before that, by a preloaded module. */
export function breakOnLoad(changes: readonly Change[]): void {
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (!changes.some(({ file }) => url.endsWith(`/src/${file}`))) return loaded;
      const source = Buffer.from(loaded.source as Uint8Array).toString();
      return { ...loaded, source: breakSource(changes, url, source) };
    },
  });
}

function replaceDeclared(source: string, { file, name, by }: Change): string {
  let found: Node = parseSync(file, source).program as unknown as Node;
  for (const part of name.split('.')) {
    const [declared, ...others] = declaredIn(found, part);
    if (declared === undefined) throw new Error(`src/${file} no longer declares ${name}`);
    if (others.length > 0) throw new Error(`src/${file} declares ${name} more than once`);
    found = declared;
  }
  return replace(source, found, by);
}

/** The declarations of a name that are nearest to the surface. */
function declaredIn(scope: Node, name: string): Node[] {
  for (let level = childrenOf(scope); level.length > 0; level = level.flatMap(childrenOf)) {
    const found = level.filter((node) => declaredBy(node) === name);
    if (found.length > 0) return found;
  }
  return [];
}

function childrenOf(node: Node): Node[] {
  // Destructuring of an object uses a name and does not declare it here.
  if (node.type === 'ObjectPattern') return [];
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function declaredBy(node: Node): string | undefined {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'VariableDeclarator':
      return nameOf(node['id']);
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'Property':
      return nameOf(node['key']);
    default:
      return undefined;
  }
}

function nameOf(id: unknown): string | undefined {
  if (!isNode(id)) return undefined;
  const name = String(id['name']);
  return id.type === 'PrivateIdentifier' ? `#${name}` : name;
}

/** The original stays beside its replacement, as `<name>$whole`. */
function replace(source: string, node: Node, by: string): string {
  const edit = (from: number, to: number, text: string): string =>
    source.slice(0, from) + text + source.slice(to);
  const beside = (name: unknown, replacement: (text: string) => string): string => {
    const { start, end } = name as Node;
    const text = source.slice(start, end);
    const renamed = `${source.slice(node.start, end)}$whole`;
    return edit(node.start, end, `${replacement(text)} ${renamed}`);
  };
  if (node.type === 'FunctionDeclaration') {
    return beside(
      node['id'],
      (name) => `function ${name}(...args) { return (${by})(${name}$whole, ...args); }`,
    );
  }
  if (node.type === 'MethodDefinition') {
    const isStatic = node['static'] === true ? 'static ' : '';
    return beside(node['key'], (name) =>
      node['kind'] === 'get'
        ? `${isStatic}get ${name}() { return (${by})(() => this.${name}$whole); }`
        : `${isStatic}${name}(...args) {
            return (${by})((...given) => this.${name}$whole(...given), ...args);
          }`,
    );
  }
  const value = (node['init'] ?? node['value']) as Node;
  const text = source.slice(value.start, value.end);
  const replaced = value.type.endsWith('FunctionExpression')
    ? `((whole) => (...args) => (${by})(whole, ...args))(${text})`
    : `(${by})(${text})`;
  return edit(value.start, value.end, replaced);
}
