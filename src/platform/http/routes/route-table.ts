/** A segment that the router compares as it stands, or the name of a parameter. */
const segmentForm = /^(?::\w+|[\w\-.]+)$/;

type Node<T> = {
  readonly literals: Map<string, Node<T>>;
  named: Node<T> | undefined;
  /** The pattern that ends here. */
  route: Route<T> | undefined;
  /** The pattern that ends in `*` here: for paths that go on and have no other pattern. */
  rest: Route<T> | undefined;
};

type Route<T> = {
  /** Undefined if the path is left to the router. */
  readonly value: T | undefined;
  /** The names of parameters by the positions of their segments. */
  readonly names: readonly (readonly [position: number, name: string])[];
};

export type TableMatch<T> = {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
};

/**
 * Finds values by path, for patterns such as `/rates/:date/changes`: literal and named segments at any position.
 *
 * The order is that of the framework's router: at each position a literal segment is preferred to a named one, and a
 * named one to `*`. Patterns without a value belong in the table too, because the router may prefer them to one with a
 * value. A pattern that the router would read in another way (expressions, several names in a segment) is refused, so
 * that a route is never reached through one and missed through the other.
 */
export class RouteTable<T> {
  readonly #root = createNode<T>();

  /**
   * Adds a pattern that the router accepts, so it is no other pattern for the same paths. Throws for a pattern that is
   * not supported. Only one without a value may be `/` or end in `*`.
   */
  add(url: string, value: T | undefined): void {
    const segments = url.slice(1).split('/');
    const isLeft = value === undefined;
    if (isLeft && url === '/') return;
    const hasRest = isLeft && segments.at(-1) === '*';
    if (hasRest) segments.pop();
    if (!url.startsWith('/') || !segments.every((segment) => segmentForm.test(segment))) {
      throw new Error(`${url} is no pattern of literal segments and :names`);
    }
    let node = this.#root;
    for (const segment of segments)
      node = isNamed(segment) ? namedOf(node) : literalOf(node, segment);
    const names = segments.flatMap((segment, position): [number, string][] =>
      isNamed(segment) ? [[position, segment.slice(1)]] : [],
    );
    node[hasRest ? 'rest' : 'route'] = { value, names };
  }

  /** The value for a path, given as its segments; none of them may be empty. */
  find(segments: readonly string[]): TableMatch<T> | undefined {
    const { value, names = [] } = findRoute(this.#root, segments, 0) ?? {};
    if (value === undefined) return undefined;
    const params: Record<string, string> = {};
    for (const [position, name] of names) params[name] = segments[position] ?? '';
    return { value, params };
  }
}

function createNode<T>(): Node<T> {
  return { literals: new Map(), named: undefined, route: undefined, rest: undefined };
}

function isNamed(segment: string): boolean {
  return segment.startsWith(':');
}

function namedOf<T>(node: Node<T>): Node<T> {
  return (node.named ??= createNode());
}

function literalOf<T>({ literals }: Node<T>, segment: string): Node<T> {
  const known = literals.get(segment) ?? createNode<T>();
  literals.set(segment, known);
  return known;
}

function findRoute<T>(
  node: Node<T>,
  segments: readonly string[],
  position: number,
): Route<T> | undefined {
  const segment = segments[position];
  if (segment === undefined) return node.route;
  const literal = node.literals.get(segment);
  const found = literal && findRoute(literal, segments, position + 1);
  return found ?? (node.named && findRoute(node.named, segments, position + 1)) ?? node.rest;
}
