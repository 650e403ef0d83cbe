import { readFile, writeFile } from 'node:fs/promises'
import subsetFont from 'subset-font'

/**
 * Makes the small fonts that every page loads, the one of Bangla texts and those of PDF files, from the packages of @fontsource. Run by hand
 * after a new version of those: `node scripts/build/fonts.mjs`. The results are kept in the repository.
 */
const files = 'node_modules/@fontsource-variable'

const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')
const punctuation = '\u00a0¢©«»·×–—‘’“”•…€→≈≥'

async function subset(from, to, characters, options = {}) {
  const font = await subsetFont(await readFile(from), characters, { targetFormat: 'woff2', ...options })
  await writeFile(to, font)
  console.log(`${to}: ${font.length} bytes`)
}

await subset(
  `${files}/figtree/files/figtree-latin-wght-normal.woff2`,
  'web/fonts/figtree-ascii.woff2',
  ascii + punctuation,
)
const bengali = `${files}/noto-sans-bengali/files/noto-sans-bengali-bengali-wght-normal.woff2`
await subset(bengali, 'web/fonts/taka.woff2', '৳')
/** The name of the language, for the links to Bangla on English pages. */
await subset(bengali, 'web/fonts/bangla-name.woff2', 'বাংলা', { variationAxes: { wght: 550 } })
/** Letters, signs and digits of Bangla, with dandas and joiners; not the letters of Sanskrit only, nor unused weights. */
await subset(
  bengali,
  'web/fonts/bangla.woff2',
  charactersOf([
    [0x964, 0x965],
    [0x981, 0x983],
    [0x985, 0x9b9],
    [0x9bc, 0x9ce],
    [0x9d7, 0x9d7],
    [0x9dc, 0x9e3],
    [0x9e6, 0x9f2],
    [0x9fa, 0x9fa],
    [0x200c, 0x200d],
  ]),
  { variationAxes: { wght: { min: 400, max: 700, default: 400 } } },
)

function charactersOf(ranges) {
  return ranges
    .flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
    )
    .join('')
}

/** Makes a TrueType font of one weight: the PDF library cannot embed variable fonts. */
async function instance(from, to, weight, ranges) {
  const options = { targetFormat: 'truetype', variationAxes: { wght: weight } }
  const font = await subsetFont(await readFile(`${files}/${from}`), charactersOf(ranges), options)
  await writeFile(to, font)
  console.log(`${to}: ${font.length} bytes`)
}

const printed = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x2b0, 0x36f],
  [0x1e00, 0x1eff],
  [0x2000, 0x206f],
  [0x20a0, 0x20c0],
  [0x2100, 0x2212],
]
const latin = 'figtree/files/figtree-latin-wght-normal.woff2'
await instance(latin, 'server/receipts/fonts/latin-400.ttf', 400, printed)
await instance(latin, 'server/receipts/fonts/latin-600.ttf', 600, printed)
const extended = 'figtree/files/figtree-latin-ext-wght-normal.woff2'
await instance(extended, 'server/receipts/fonts/latin-ext-400.ttf', 400, printed)
