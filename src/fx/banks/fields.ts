/** The fields of a value of JSON; none if it is no object. Fields that a reader does not know are passed over. */
export function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  return isObject ? (given as Readonly<Record<string, unknown>>) : {};
}
