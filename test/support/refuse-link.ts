/** Refuses a hard link as a file system without them does: FAT, and some network drives. */
export function refuseLink(): never {
  throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
}
