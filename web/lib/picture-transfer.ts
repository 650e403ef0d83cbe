import { TRANSFER_KEY, type TransferredForms } from '#web/lib/language-switch.ts'
import { resizeImage } from '#web/lib/resize-image.ts'

/** Pictures chosen in forms, by the key of the form and the name of the field. */
type ChosenPictures = Record<string, Record<string, File>>
type TransferredPicture = NonNullable<TransferredForms['pictures']>[string][string]

/** Browsers keep about five million characters for a tab. */
const CHARACTERS_MAX = 3_000_000

/**
 * Adds chosen pictures to the values that are carried to the page in another language, as small as they are uploaded. One that
 * is too large stays behind.
 */
export async function transferPictures(chosen: ChosenPictures): Promise<void> {
  const pictures: TransferredForms['pictures'] = {}
  for (const [form, fields] of Object.entries(chosen)) {
    for (const [field, original] of Object.entries(fields)) {
      const picture = await contentOf(await resizeImage(original))
      if (picture.content.length <= CHARACTERS_MAX) pictures[form] = { ...pictures[form], [field]: picture }
    }
  }
  const transferred = JSON.parse(sessionStorage.getItem(TRANSFER_KEY) ?? 'null') as TransferredForms | null
  if (transferred === null) return
  sessionStorage.setItem(TRANSFER_KEY, JSON.stringify({ ...transferred, pictures }))
}

/** Returns the files of the pictures that were carried over for a form, by the names of their fields. */
export function filesOf(pictures: Record<string, TransferredPicture>): Record<string, File> {
  const entries = Object.entries(pictures).map(([field, { name, type, content }]) => {
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
    return [field, new File([bytes], name, { type })]
  })
  return Object.fromEntries(entries)
}

async function contentOf(file: File): Promise<TransferredPicture> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const content = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return { name: file.name, type: file.type, content }
}
