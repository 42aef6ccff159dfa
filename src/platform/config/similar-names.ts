/** The name of a list that a mistyped name probably stands for: other letter case, separators, or one letter more or less. */
export function findSimilarName(given: string, names: readonly string[]): string | undefined {
  const plain = plainName(given);
  return (
    names.find((name) => plainName(name) === plain) ??
    names.find((name) => name.length > 3 && isOneEditAway(plain, plainName(name)))
  );
}

/** A name in lower case and without separators: `ssl_mode` and `sslMode` are the same. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Equal, or equal after one letter is added, dropped or replaced. */
export function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1);
}
