import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { DEFAULT_LOCALE, LOCALES, type Locale, localePath } from '#contract/locales.ts'

type Picture = { src: string; sizes: string; type: string; form_factor?: string; label?: string }
type Manifest = { start_url: string; icons: Picture[]; screenshots: Picture[] }

const ROOT = join(import.meta.dirname, '../..')
const SCREENSHOT_BYTES_MAX = 60_000
/** What Chromium requires of screenshots: their sides in pixels, and the longer one by the shorter. */
const SIDE = { min: 320, max: 3840 }
const RATIO_MAX = 2.3

/** Returns the source of a file that the web app of a language serves as it is. */
function sourceOf(locale: Locale, src: string): string {
  if (src.startsWith(localePath(locale, '/screenshots/')) && locale !== DEFAULT_LOCALE)
    return join(ROOT, 'web/locales', locale, 'public', src.slice(localePath(locale, '').length))
  return join(ROOT, 'web/public', src)
}

async function manifestOf(locale: Locale): Promise<Manifest> {
  const folder = locale === DEFAULT_LOCALE ? 'web/public' : `web/locales/${locale}/public`
  return JSON.parse(await readFile(join(ROOT, folder, 'manifest.webmanifest'), 'utf8'))
}

for (const locale of LOCALES) {
  test(`the manifest (${locale}) has pictures of the size and type that it says`, async () => {
    const { icons, screenshots } = await manifestOf(locale)
    for (const { src, sizes, type } of [...icons, ...screenshots]) {
      if (type === 'image/svg+xml') {
        // The server's image library reads none, and tests share its settings.
        assert.match(await readFile(sourceOf(locale, src), 'utf8'), /^<svg /)
        assert.equal(sizes, 'any')
        continue
      }
      const { width, height, format } = await sharp(sourceOf(locale, src)).metadata()
      assert.deepEqual([type, sizes], [`image/${format}`, `${width}x${height}`], src)
    }
  })

  test(`the manifest (${locale}) has small screenshots of phones and desks in its language`, async () => {
    const { screenshots } = await manifestOf(locale)
    const factors = new Set(screenshots.map(({ form_factor }) => form_factor))
    assert.deepEqual(factors, new Set(['narrow', 'wide']))
    for (const { src, sizes, form_factor, label = '' } of screenshots) {
      const sides = sizes.split('x').map(Number)
      const [width = 0, height = 0] = sides
      assert.equal(form_factor, width < height ? 'narrow' : 'wide', src)
      assert.ok(Math.min(...sides) >= SIDE.min && Math.max(...sides) <= SIDE.max, sizes)
      assert.ok(Math.max(...sides) / Math.min(...sides) <= RATIO_MAX, sizes)
      const bytes = (await readFile(sourceOf(locale, src))).length
      assert.ok(bytes <= SCREENSHOT_BYTES_MAX, `${src} has ${bytes} bytes`)
      assert.notEqual(label, '')
      assert.equal(/\p{Script=Bengali}/u.test(label), locale === 'bn', label)
    }
  })
}
