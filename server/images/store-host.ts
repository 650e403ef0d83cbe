import * as z from 'zod/mini'
import type { ImageSettings } from '#server/config.ts'
import { Refusal } from '#server/http/refusal.ts'
import { invalidImage } from './picture.ts'
import type { ImageStore } from './store.ts'

type Host = Extract<ImageSettings, { kind: 'host' }>

const TIMEOUT_MS = 15_000
const UploadResponse = z.object({
  data: z.object({
    display_url: z.url({ protocol: /^https?$/ }),
    thumb: z.optional(z.object({ url: z.url({ protocol: /^https?$/ }) })),
  }),
})

/** Stores pictures at an imgbb-compatible host: a multipart POST of `image`, whose response has `data.display_url`. */
export function hostStore({ url, key }: Host): ImageStore {
  return {
    async put(hash, [largest]) {
      const form = new FormData()
      form.set(
        'image',
        new Blob([new Uint8Array(largest?.bytes ?? [])], { type: 'image/webp' }),
        `${hash}.webp`,
      )
      const uploadUrl = new URL(url)
      uploadUrl.searchParams.set('key', key)
      const response = await fetch(uploadUrl, {
        method: 'POST',
        body: form,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((error: Error) => {
        throw unavailable(error.message)
      })
      if (!response.ok) throw unavailable(`status ${response.status}`)
      const parsed = UploadResponse.safeParse(
        await response.json().catch((error: Error) => {
          if (!(error instanceof SyntaxError)) throw unavailable(error.message)
        }),
      )
      if (!parsed.success) throw invalidImage()
      const { display_url, thumb } = parsed.data.data
      return { url: display_url, thumbUrl: thumb?.url ?? display_url }
    },
    get: async () => undefined,
    // These hosts offer no deletion; unused pictures stay stored there.
    remove: async () => {},
  }
}

function unavailable(reason: string): Refusal {
  return new Refusal('unavailable.image_store', { cause: `image host: ${reason}` })
}
