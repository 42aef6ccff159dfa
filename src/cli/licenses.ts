import { assets } from '../platform/assets.ts';
import type { Io } from './report.ts';

/** Prints the licence of vatfx, and those of the packages that the build has put into it. */
export function printLicenses(io: Pick<Io, 'stdout'>): void {
  const texts = ['LICENSE', 'dist/THIRD_PARTY_LICENSES'].map((name) =>
    assets.read(name).toString(),
  );
  io.stdout.write(texts.join('\n'));
}
