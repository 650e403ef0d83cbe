import sharp from 'sharp'
import { enterAs, expect, open, test } from './fixtures.ts'

/** A photo of 12 million pixels that no compression makes small. */
async function bigPhoto(): Promise<Buffer> {
  const noise = Buffer.from(
    Array.from({ length: 1000 * 750 * 3 }, (_, n) => (n * 7919 + (n >> 7) * 104729) % 256),
  )
  return sharp(noise, { raw: { width: 1000, height: 750, channels: 3 } })
    .resize(4000, 3000, { kernel: 'nearest' })
    .jpeg({ quality: 98 })
    .toBuffer()
}

test.describe('pictures', () => {
  test.use({ expected: ['status of 422'] })

  test('a large photo is resized, uploaded and shown; a file that is no picture is refused', async ({
    context,
    page,
  }) => {
    await enterAs(context, 'Buyer')
    await open(page, '/dashboard/add-task')
    const choose = page.locator('input[type=file]')
    const buffer = await bigPhoto()
    expect(buffer.length).toBeGreaterThan(3_000_000)

    const sent = page.waitForRequest((request) => request.url().endsWith('/api/images'))
    await choose.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer })
    const request = await sent
    expect(Number((await request.allHeaders())['content-length'])).toBeLessThan(buffer.length / 2)
    const field = page.getByLabel('Task image')
    await expect(field).toHaveValue(/\/images\/[0-9a-f]{40}-1280\.webp$/)
    const stored = await context.request.get(await field.inputValue())
    const { width, height } = await sharp(await stored.body()).metadata()
    expect([width, height]).toEqual([1280, 960])

    await choose.setInputFiles({
      name: 'photo.png',
      mimeType: 'image/png',
      buffer: Buffer.from('not a picture'),
    })
    await expect(page.getByText('Please upload a valid image.')).toBeVisible()
  })
})
