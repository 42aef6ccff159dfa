import { bzst } from './bzst/service.ts';
import { hmrc } from './hmrc/service.ts';
import type { Registry, RegistryName } from './registry.ts';
import type { RegistryService } from './registry-service.ts';
import { vies } from './vies/service.ts';

export type { RegistryName } from './registry.ts';

/** Every registry by its name, as a service has it. */
export const registryServices: Readonly<Record<RegistryName, RegistryService>> = {
  vies,
  hmrc,
  bzst,
};

/** Every registry by its name. */
export const registries = Object.fromEntries(
  Object.entries(registryServices).map(([name, { registry }]) => [name, registry]),
) as Readonly<Record<RegistryName, Registry>>;
