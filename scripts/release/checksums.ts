import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Returns the SHA-256 of each file of a folder, in the form that `sha256sum -c` reads. */
export async function checksumsOf(folder: string, names: readonly string[]): Promise<string> {
  const lines = await Promise.all(
    names.map(async (name) => {
      const hash = createHash('sha256')
      await pipeline(createReadStream(path.join(folder, name)), hash)
      return `${hash.digest('hex')}  ${name}\n`
    }),
  )
  return lines.join('')
}
