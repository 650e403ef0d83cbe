import sharp from 'sharp'
import type { Statuses } from './attacker.ts'

const AT_ONCE = 4

/** Uploads a file of a few kB that claims 64 megapixels, and one that is as expensive as the limits allow, in turn. */
export async function uploadHostilePictures(
  { port, token }: { port: number; token: string },
  count: number,
): Promise<Statuses> {
  const blank = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#3a7' } })
      .avif({ effort: 0 })
      .toBuffer()
  const files = [await blank(8000), await blank(2800)]
  const statuses: Statuses = {}
  let left = count
  const sender = async () => {
    while (left-- > 0) {
      const body = new FormData()
      body.set('image', new Blob([new Uint8Array(files[left % 2] ?? [])]), 'a.avif')
      const { status } = await fetch(`http://127.0.0.1:${port}/api/images`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body,
      })
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
  return statuses
}
