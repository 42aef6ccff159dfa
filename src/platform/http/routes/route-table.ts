/** A segment that the router compares as it stands, or the name of a parameter, with a suffix such as `.csv` or without. */
const segmentForm = /^(?::(?<name>\w+)(?<suffix>\.\w+)?|[\w\-.]+)$/;

type Node<T> = {
  readonly literals: Map<string, Node<T>>;
  named: Node<T> | undefined;
  /** Named segments that end in a suffix. */
  readonly suffixed: Map<string, Node<T>>;
  /** The pattern that ends here. */
  route: Route<T> | undefined;
  /** The pattern that ends in `*` here: for paths that go on and have no other pattern. */
  rest: Route<T> | undefined;
};

type Route<T> = {
  /** Undefined if the path is left to the router. */
  readonly value: T | undefined;
  /** The named segments. */
  readonly names: readonly NamedSegment[];
};

type NamedSegment = {
  readonly position: number;
  readonly name: string;
  /** Empty if there is none. */
  readonly suffix: string;
};

export type TableMatch<T> = {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
};

/**
 * Finds values by path, for patterns such as `/rates/:date/changes` and `/rates/:date.csv`: literal and named segments
 * at any position.
 *
 * The order is that of the framework's router: at each position a literal segment is preferred to a named one, a
 * named one with a suffix to one without, and that to `*`. Patterns without a value belong in the table too, because
 * the router may prefer them to one with a value. A pattern that the router would read in another way (expressions,
 * several names in a segment) is refused, so that a route is never reached through one and missed through the other.
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
    const names: NamedSegment[] = [];
    for (const [position, segment] of segments.entries()) {
      const { name, suffix = '' } = segmentForm.exec(segment)?.groups ?? {};
      if (name !== undefined) names.push({ position, name, suffix });
      if (name === undefined) node = childOf(node.literals, segment);
      else node = suffix === '' ? (node.named ??= createNode()) : childOf(node.suffixed, suffix);
    }
    node[hasRest ? 'rest' : 'route'] = { value, names };
  }

  /** The value for a path, given as its segments; none of them may be empty. */
  find(segments: readonly string[]): TableMatch<T> | undefined {
    const { value, names = [] } = findRoute(this.#root, segments, 0) ?? {};
    if (value === undefined) return undefined;
    const params: Record<string, string> = {};
    for (const { position, name, suffix } of names) {
      const segment = segments[position] ?? '';
      params[name] = suffix === '' ? segment : segment.slice(0, -suffix.length);
    }
    return { value, params };
  }
}

function createNode<T>(): Node<T> {
  return {
    literals: new Map(),
    named: undefined,
    suffixed: new Map(),
    route: undefined,
    rest: undefined,
  };
}

function childOf<T>(children: Map<string, Node<T>>, name: string): Node<T> {
  const known = children.get(name) ?? createNode<T>();
  children.set(name, known);
  return known;
}

function findRoute<T>(
  node: Node<T>,
  segments: readonly string[],
  position: number,
): Route<T> | undefined {
  const segment = segments[position];
  if (segment === undefined) return node.route;
  // In the order of preference. A suffix has one dot, so only that after the last dot can fit.
  const suffix = node.suffixed.size === 0 ? -1 : segment.lastIndexOf('.');
  const next = [
    node.literals.get(segment),
    suffix === -1 ? undefined : node.suffixed.get(segment.slice(suffix)),
    node.named,
  ];
  for (const child of next) {
    const found = child && findRoute(child, segments, position + 1);
    if (found !== undefined) return found;
  }
  return node.rest;
}
