import { assets } from '../../platform/assets.ts';
import { plain } from '../command/command.ts';

/** The licences of packages come from the build, which has put the packages into the program. */
export const licenses = plain({
  examples: ['licenses'],
  run: async (io) => {
    const texts = ['LICENSE', 'dist/THIRD_PARTY_LICENSES'].map((name) =>
      assets.read(name).toString(),
    );
    io.stdout.write(texts.join('\n'));
  },
});
