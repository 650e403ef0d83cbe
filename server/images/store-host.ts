import * as z from 'zod/mini'
import type { ImageSettings } from '#server/config.ts'
import { Refusal } from '#server/http/refusal.ts'
import { invalidImage } from './picture.ts'
import type { ImageStore } from './store.ts'

type Host = Extract<ImageSettings, { kind: 'host' }>

const TIMEOUT_MS = 15_000
const Answer = z.object({
  data: z.object({
    display_url: z.url({ protocol: /^https?$/ }),
    thumb: z.optional(z.object({ url: z.url({ protocol: /^https?$/ }) })),
  }),
})

/** Pictures at an imgbb-compatible host: a multipart POST of `image`, answered with `data.display_url`. */
export function hostStore({ url, key }: Host): ImageStore {
  return {
    async put(hash, [largest]) {
      const form = new FormData()
      form.set(
        'image',
        new Blob([new Uint8Array(largest?.bytes ?? [])], { type: 'image/webp' }),
        `${hash}.webp`,
      )
      const address = new URL(url)
      address.searchParams.set('key', key)
      const answer = await fetch(address, {
        method: 'POST',
        body: form,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((error: Error) => {
        throw down(error.message)
      })
      if (!answer.ok) throw down(`status ${answer.status}`)
      const parsed = Answer.safeParse(await answer.json().catch(() => undefined))
      if (!parsed.success) throw invalidImage()
      const { display_url, thumb } = parsed.data.data
      return { url: display_url, thumbUrl: thumb?.url ?? display_url }
    },
    get: async () => undefined,
    // Such a host offers no deletion; what nobody uses stays there.
    remove: async () => {},
  }
}

function down(reason: string): Refusal {
  return new Refusal('unavailable.image_store', { cause: `image host: ${reason}` })
}
