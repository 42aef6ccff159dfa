/** Addresses with a user, key words of libpq, keys of ours, and whatever looks like a SECRET_KEY. */
const secretForms = /:\/\/.|@.|password=.|^(?:vfx|whsec)_|^[0-9a-f]{64}$|^[0-9a-z+/_-]{43}=?$/i;

/**
 * Removes from a sentence every argument of the command line that may hold a secret (contract C33). Errors quote
 * what was typed, and a database's address may have been typed in the wrong place.
 */
export function hideArguments(sentence: string, args: readonly string[]): string {
  const typed = args.flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)]);
  return typed
    .filter((arg) => secretForms.test(arg))
    .reduce((text, arg) => text.replaceAll(arg, '(not shown)'), sentence);
}
