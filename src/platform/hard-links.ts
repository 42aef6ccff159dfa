/** Codes with which file systems refuse a hard link: FAT and exFAT, network drives, and some in user space. */
const refusals: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Whether an error of a link means that the file system has no hard links. */
export function hasNoHardLinks(error: unknown): boolean {
  return error instanceof Error && 'code' in error && refusals.includes(error.code);
}
