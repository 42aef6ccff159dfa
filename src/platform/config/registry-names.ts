/** Every registry of VAT numbers, in the order of the documents. */
export const registryNames = ['vies', 'hmrc', 'bzst'] as const;

export type RegistryName = (typeof registryNames)[number];
