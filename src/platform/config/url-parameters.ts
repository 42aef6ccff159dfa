import { findSimilarName, plainName } from './similar-names.ts';

/** A parameter that is applied, and the values that it may have. */
export type Parameter = {
  readonly expected: string;
  readonly isAccepted: (value: string) => boolean;
};

export type ParameterTable = {
  readonly accepted: Readonly<Record<string, Parameter>>;
  /** What to do instead of well-known parameters of other drivers, by their plain name. */
  readonly instead: Readonly<Record<string, string>>;
};

/**
 * Lists the parameters of a URL that its driver would ignore without a word: misspelt, another driver's, twice, or with
 * a value that is not accepted. Values are not quoted: any of them may be a password.
 */
export function listParameterProblems({ searchParams }: URL, table: ParameterTable): string[] {
  const names = [...new Set(searchParams.keys())];
  return names.flatMap((name) => {
    const known = Object.hasOwn(table.accepted, name) ? table.accepted[name] : undefined;
    const shown = showName(name, { searchParams, table });
    if (known === undefined) {
      return `has ${shown}, which has no effect; ${adviceFor(name, table)}`;
    }
    const [value = '', ...more] = searchParams.getAll(name);
    if (more.length > 0) return `has ${shown} twice, expected it once`;
    return known.isAccepted(value)
      ? []
      : `has ${shown} with ${value.length} characters, expected ${known.expected}`;
  });
}

function adviceFor(name: string, { accepted, instead }: ParameterTable): string {
  const names = Object.keys(accepted);
  const similar = findSimilarName(name, names);
  const advice = Object.hasOwn(instead, plainName(name)) ? instead[plainName(name)] : undefined;
  if (advice !== undefined) return advice;
  return similar === undefined ? `expected one of ${names.join(', ')}` : `did you mean ${similar}?`;
}

/** In `?password=a&b=c` the name `b` is a part of the password: behind a password only well-known names are shown. */
function showName(
  name: string,
  {
    searchParams,
    table,
  }: { readonly searchParams: URLSearchParams; readonly table: ParameterTable },
): string {
  const isKnown =
    Object.hasOwn(table.instead, plainName(name)) ||
    findSimilarName(name, Object.keys(table.accepted)) !== undefined;
  const mayBeSecret = searchParams.has('password') || !/^[a-z][\w.-]{0,40}$/i.test(name);
  return mayBeSecret && !isKnown ? 'a parameter' : `the parameter ${name}`;
}
