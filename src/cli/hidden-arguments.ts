/** Addresses with a user, keywords of libpq, API keys and signing secrets, and texts in the form of a SECRET_KEY. */
const secretForms = /:\/\/.|@.|password=.|^(?:vfx|whsec)_|^[0-9a-f]{64}$|^[0-9a-z+/_-]{43}=?$/i;

/**
 * Replaces in a sentence every argument of the command line that may hold a secret (contract C33). Errors quote
 * arguments, and an operator may have typed the address of a database in the wrong place.
 */
export function hideArguments(sentence: string, args: readonly string[]): string {
  const candidates = args.flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)]);
  return candidates
    .filter((arg) => secretForms.test(arg))
    .reduce((text, arg) => text.replaceAll(arg, '(not shown)'), sentence);
}
