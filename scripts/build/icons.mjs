import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'

/**
 * Draws the icons and the social preview from the logo. Run by hand when the logo changes:
 * `node scripts/build/icons.mjs`. The results are kept in the repository.
 */
const logo = await readFile('web/public/favicon.svg')
const draw = (svg, size) =>
  sharp(svg, { density: 72 * (size / 32) * 2 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })

/** A maskable icon is cut to any shape: the ground fills the square and the coin stays in its safe middle. */
const maskable = Buffer.from(
  logo
    .toString()
    .replace('rx="8"', '')
    .replace('viewBox="0 0 32 32"', 'viewBox="-3 -3 38 38"')
    .replace('<rect width="32" height="32"', '<rect x="-3" y="-3" width="38" height="38"'),
)
const square = Buffer.from(logo.toString().replace('rx="8"', ''))

await draw(logo, 192).toFile('web/public/icon-192.png')
await draw(logo, 512).toFile('web/public/icon-512.png')
await draw(maskable, 512).toFile('web/public/icon-maskable-512.png')
await draw(square, 180).toFile('web/public/apple-touch-icon.png')
await writeFile('web/public/favicon.ico', ico(await draw(logo, 32).toBuffer()))

/** An icon file with one PNG in it. */
function ico(png) {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(32, 6)
  head.writeUInt8(32, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(22, 18)
  return Buffer.concat([head, png])
}
