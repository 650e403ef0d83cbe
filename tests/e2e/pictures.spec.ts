import sharp from 'sharp'
import { UPLOAD_PART_BYTES } from '#contract/uploads.ts'
import { CEILING_MS } from '#tests/support/eventually.ts'
import { asDemo, taskBody } from './api-client.ts'
import { expect, open, signInAsDemo, test } from './fixtures.ts'

/** A photo that no compression makes small. */
async function aPhoto(width: number, height: number): Promise<Buffer> {
  const noise = Buffer.from(
    Array.from({ length: 1000 * 750 * 3 }, (_, n) => (n * 7919 + (n >> 7) * 104729) % 256),
  )
  return sharp(noise, { raw: { width: 1000, height: 750, channels: 3 } })
    .resize(width, height, { kernel: 'nearest' })
    .jpeg({ quality: 98 })
    .toBuffer()
}

test.describe('pictures', () => {
  // A decoder that finds no processor for a minute is a 503, and the form sends the picture again.
  test.use({ expected: ['status of 422', 'status of 503', 'ERR_CONNECTION_RESET'] })

  test('a large photo is resized, uploaded and shown; a file that is no picture is refused', async ({
    context,
    page,
  }) => {
    // Decoders have a low priority: on a busy machine a second of processor time takes minutes.
    const decoded = { timeout: CEILING_MS * 3 }
    test.slow()
    await signInAsDemo(context, 'Buyer')
    await open(page, '/dashboard/add-task')
    const choose = page.locator('input[type=file]')
    const buffer = await aPhoto(4000, 3000)
    expect(buffer.length).toBeGreaterThan(3_000_000)

    const begun = page.waitForRequest((request) => request.url().endsWith('/api/uploads'))
    const part = page.waitForRequest((request) => /\/api\/uploads\/.*offset=0$/.test(request.url()))
    await choose.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer })
    expect((await begun).postDataJSON().size).toBeLessThan(buffer.length / 4)
    expect(Number((await (await part).allHeaders())['content-length'])).toBe(UPLOAD_PART_BYTES)
    const field = page.getByLabel('Task image')
    await expect(field).toHaveValue(/\/images\/[0-9a-f]{40}-1280\.webp$/, decoded)
    const stored = await context.request.get(await field.inputValue())
    const { width, height } = await sharp(await stored.body()).metadata()
    expect([width, height]).toEqual([1280, 960])

    // The connection breaks in the middle, and comes back: only the rest is sent.
    const offsets: string[] = []
    await page.route('**/api/uploads/*?offset=*', async (route) => {
      const offset = new URL(route.request().url()).searchParams.get('offset') ?? ''
      offsets.push(offset)
      if (offsets.length === 2) await route.abort('connectionreset')
      else await route.continue()
    })
    await field.fill('')
    const another = await aPhoto(1600, 1200)
    await choose.setInputFiles({ name: 'another.jpg', mimeType: 'image/jpeg', buffer: another })
    await expect(field).toHaveValue(/\/images\/[0-9a-f]{40}-1280\.webp$/, decoded)
    const again = offsets.indexOf(String(UPLOAD_PART_BYTES), 2)
    expect(offsets.slice(0, 2)).toEqual(['0', String(UPLOAD_PART_BYTES)])
    expect(again, 'the part that was lost').toBe(2)
    expect(offsets.filter((offset) => offset === '0')).toHaveLength(1)

    await choose.setInputFiles({
      name: 'photo.png',
      mimeType: 'image/png',
      buffer: Buffer.from('not a picture'),
    })
    await expect(page.getByText('Please upload a valid image.')).toBeVisible()
  })
})

test("the picture of another buyer's task opens in full, and the task cannot be changed", async ({
  visitor,
}) => {
  const buyer = await visitor('Buyer', 'Bashir Ahmed')
  const title = `Describe the picture ${crypto.randomUUID().slice(0, 6)}`
  const task = taskBody({ task_title: title, task_image_url: `${process.env.E2E_URL}/social.png` })
  const { insertedId } = await asDemo(buyer.context(), 'Buyer', (call) => call('POST', '/add-task', task))
  await open(buyer, `/dashboard/task-details/${insertedId}`)
  const opener = buyer.getByRole('button', { name: 'Open the picture' })
  await opener.click()
  const viewer = buyer.getByRole('dialog', { name: title })
  const picture = viewer.locator('img')
  await expect(picture).toHaveJSProperty('naturalWidth', 1200)
  await expect.poll(() => picture.evaluate(({ clientWidth }) => clientWidth)).toBeGreaterThan(400)
  await viewer.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(() => picture.evaluate(({ clientWidth }) => clientWidth)).toBeGreaterThan(1200)
  await buyer.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
  await expect(opener).toBeFocused()

  await open(buyer, `/dashboard/update-task/${insertedId}`)
  await expect(buyer.getByRole('heading', { name: "This is another buyer's task" })).toBeVisible()
})
