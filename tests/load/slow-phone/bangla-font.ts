import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import type { Browser } from '#tests/support/browser.ts'

const LETTERS = String.fromCodePoint(...Array.from({ length: 0x80 }, (_, index) => 0x0980 + index))

/** Returns the browser with a font for Bangla among its system's fonts, as every Android phone has. The font is put into `folder`. */
export async function withBanglaFont(browser: Browser, folder: string): Promise<Browser> {
  const font = await subsetFont(await readFile('web/fonts/bangla.woff2'), LETTERS, {
    targetFormat: 'truetype',
  })
  await writeFile(join(folder, 'bangla.ttf'), font)
  const config = join(folder, 'fonts.conf')
  const ofSystem = join(browser.env.FONTCONFIG_PATH ?? '/etc/fonts', 'fonts.conf')
  await writeFile(
    config,
    `<fontconfig><include ignore_missing="yes">${ofSystem}</include><dir>${folder}</dir><cachedir>${folder}</cachedir></fontconfig>`,
  )
  return { ...browser, env: { ...browser.env, FONTCONFIG_FILE: config } }
}
