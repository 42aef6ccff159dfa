export const mebibyte = 2 ** 20;

/** Counts the decoded bytes of a body, and reads no further once there are `enough`. */
export async function countBytes({ body }: Response, enough: number): Promise<number> {
  let count = 0;
  for await (const chunk of body ?? []) {
    count += chunk.length;
    if (count >= enough) break;
  }
  return count;
}
