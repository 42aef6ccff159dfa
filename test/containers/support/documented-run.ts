import { readDeployment } from '../../deploy/support/deployment-files.ts';

/** The options in which a test differs from the documented command. */
type Changes = {
  readonly name: string;
  readonly image: string;
  /** Further options, for example a network and settings. */
  readonly options: readonly string[];
};

/**
 * The arguments of the `docker run` at the head of the Dockerfile, with another name, volume and image, and with a free port.
 *
 * Each text to be replaced must be there; otherwise the test would use names of another installation.
 */
export function documentedRun({ name, image, options }: Changes): string[] {
  const head = readDeployment('Dockerfile').split('\nFROM ')[0] ?? '';
  const command = /^# +docker (run .*?[^\\])$/ms.exec(head.replaceAll(/ \\\n# +/g, ' '))?.[1] ?? '';
  let changed = ` ${command} `;
  for (const [documented, here] of [
    [' --name vatfx ', ` --name ${name} `],
    [' -p 127.0.0.1:8080:8080 ', ' -p 127.0.0.1::8080 -p 127.0.0.1::9080 '],
    [' -v vatfx:/data ', ` -v ${name}:/data `],
    [/ vatfx:\S+ $/, ` ${options.join(' ')} ${image}`],
  ] as const) {
    const replaced = changed.replace(documented, here);
    if (replaced === changed) throw new Error(`the Dockerfile's docker run has no "${documented}"`);
    changed = replaced;
  }
  return changed.trim().split(/ +/);
}
