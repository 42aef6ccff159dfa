import { bzst } from './bzst/bzst.ts';
import { hmrc } from './hmrc/hmrc.ts';
import type { Registry, RegistryName } from './registry.ts';
import { vies } from './vies/vies.ts';

export type { RegistryName } from './registry.ts';

/** Every registry by its name. */
export const registries: Readonly<Record<RegistryName, Registry>> = { vies, hmrc, bzst };
