import { readFile, writeFile } from 'node:fs/promises'
import subsetFont from 'subset-font'

/**
 * Makes the two small fonts that every page loads, from the packages of @fontsource. Run by hand after a new
 * version of those: `node scripts/build/fonts.mjs`. The results are kept in the repository.
 */
const files = 'node_modules/@fontsource-variable'

const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')
const punctuation = '\u00a0¢©«»·×–—‘’“”•…€→≈≥'

async function subset(from, to, characters) {
  const font = await subsetFont(await readFile(from), characters, { targetFormat: 'woff2' })
  await writeFile(to, font)
  console.log(`${to}: ${font.length} bytes`)
}

await subset(
  `${files}/figtree/files/figtree-latin-wght-normal.woff2`,
  'web/fonts/figtree-ascii.woff2',
  ascii + punctuation,
)
await subset(
  `${files}/noto-sans-bengali/files/noto-sans-bengali-bengali-wght-normal.woff2`,
  'web/fonts/taka.woff2',
  '৳',
)
