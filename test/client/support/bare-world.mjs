// Runs the built client with only those globals that every runtime has: `bare-world.mjs FOLDER URL KEY`.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createContext, SourceTextModule } from 'node:vm';

const [folder = '', url, key] = process.argv.slice(2);
const printed = [];
const context = createContext({
  fetch,
  crypto,
  TextEncoder,
  TextDecoder,
  URL,
  URLSearchParams,
  AbortController,
  Headers,
  setTimeout,
  clearTimeout,
  performance,
  atob,
  btoa,
  print: (value) => printed.push(value),
});
const modules = new Map();

function load(path) {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const loaded = new SourceTextModule(readFileSync(path, 'utf8'), { context, identifier: path });
  modules.set(path, loaded);
  return loaded;
}

const program = `
  import { convertAmount, VatfxClient, verifyWebhook } from './index.js';
  import { signWebhook, testSecret } from './testing.js';
  const client = new VatfxClient(${JSON.stringify({ url, key })});
  const { rates } = await client.rates();
  print(rates.AT.standard);
  print((await client.convert('100', 'EUR', 'EUR')).amount);
  print((await client.checkVat('GR', '100')).valid);
  print(await client.fx('2026-11-15').catch(({ name, previousDate }) => name + ' ' + previousDate));
  // An aborted wait must leave no timer behind, because a timer would keep the process alive.
  const abort = new AbortController();
  const patient = new VatfxClient({
    ...${JSON.stringify({ url, key })},
    timeoutMs: 1_000_000,
    fetch: async (...asked) => {
      const answer = await fetch(...asked);
      setTimeout(() => abort.abort('given up'), 50);
      return answer;
    },
  });
  print(await patient.checkVat('PT', '301', { signal: abort.signal }).catch((reason) => reason));
  const body = '{"type":"webhook.test"}';
  print((await verifyWebhook(body, await signWebhook(body, testSecret), testSecret)).type);
`;
const main = new SourceTextModule(program, { context, identifier: resolve(folder, 'main.js') });
await main.link((specifier, { identifier }) => {
  if (!specifier.startsWith('./')) throw new Error(`${identifier} imports ${specifier}`);
  return load(resolve(folder, specifier));
});
await main.evaluate();
process.stdout.write(JSON.stringify(printed));
