/**
 * Lists the modules of a build as paths below the checkout, ordered; modules that the bundler itself makes are left out.
 * Licences are collected by this list, so none may be lost.
 *
 * @param root The folder of the checkout, with `/` at the end.
 * @throws If a module is outside the checkout.
 */
export function listModules(root: string, ids: readonly string[]): readonly string[] {
  const files = ids.filter((id) => !id.startsWith('\0'));
  const outside = files.find((id) => !id.startsWith(root));
  if (outside !== undefined) throw new Error(`${outside} is outside the checkout ${root}`);
  return files.map((id) => id.slice(root.length)).toSorted();
}
