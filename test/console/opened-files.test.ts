import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, it, openOn } from './support/browser.ts';
import { fieldOf } from './support/check-view.ts';

describe.skipIf(isWithoutBrowser)('a file that is opened in the console (rule K12)', () => {
  it('is read in an encoding that is said and can be chosen, and its answers come in it', async () => {
    const service = await startService();
    service.startJobs();
    const page = await openOn(service, { at: '#/check' });
    const text = 'Firma;USt-IdNr.;Umsatz\nM\u00FCller;UID ATU99999901;-1,5\nLeer;;2\n';
    const open = async (content: Buffer): Promise<void> =>
      page
        .getByLabel('Open a CSV file')
        .setInputFiles({ name: 'in.csv', mimeType: 'text/csv', buffer: content });
    await open(Buffer.from(text, 'latin1'));
    await page.getByText('read as windows-1252, because nothing says which').waitFor();
    await expect.poll(async () => fieldOf(page).inputValue()).toContain('Müller');

    await page.getByLabel('Encoding of the file').selectOption('windows-1251');
    await expect.poll(async () => fieldOf(page).inputValue()).toContain('Mьller');
    await page.getByLabel('Encoding of the file').selectOption('iso-8859-1');
    await page.getByText('were read as iso-8859-1: Müller.').waitFor();
    // A list of one number is no batch, so a second one is needed.
    await open(Buffer.from(`${text}B\u00E4r;DE999999901;3\n`, 'latin1'));
    await page.getByRole('button', { name: 'Check 2 numbers' }).click();
    await page.getByText('numbers of 20 Nov').waitFor();
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = readFileSync(await (await downloads).path(), 'latin1').split('\r\n');

    expect(lines[0]).toMatch(/^Firma;USt-IdNr\.;Umsatz;valid;checked on;name;problem;/);
    expect(lines[1]).toMatch(/^M\u00FCller;UID ATU99999901;-1,5;/);
    expect(lines[2]).toMatch(/^Leer;;2;;;;it has no VAT number;/);
  });

  it('is named if it is no text', async () => {
    const service = await startService();
    const page = await openOn(service, { at: '#/check' });
    const buffer = Buffer.from('%PDF-1.7');
    await page
      .getByLabel('Open a CSV file')
      .setInputFiles({ name: 'in.csv', mimeType: 'text/csv', buffer });

    await page.getByText('This file is a PDF document.').waitFor();
  });

  it('is read line by line if the visitor says that it is no table', async () => {
    const service = await startService();
    const page = await openOn(service, { at: '#/check' });
    await fieldOf(page).fill('Hello, here\nMuster, DE 999 999 901\nHuber, ATU99999901');
    await page.getByText('This is a table.').waitFor();

    await page.getByRole('button', { name: 'It is no table' }).click();
    await page.getByText('The text is read line by line.').waitFor();
    await page.getByText('Understood: DE 999999901, AT U99999901.').waitFor();
    await page.getByRole('button', { name: 'It is a table' }).click();

    await page.getByText('This is a table.').waitFor();
  });
});
