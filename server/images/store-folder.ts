import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SIZES } from './picture.ts'
import { addressesUnder, fileName, type ImageStore } from './store.ts'

/** Pictures in a folder, served by this program under `/images/`. */
export function folderStore(folder: string, publicUrl: string): ImageStore {
  return {
    async put(hash, sizes) {
      await mkdir(folder, { recursive: true })
      for (const { size, bytes } of sizes) {
        // Written aside and moved into place: nobody reads half a picture.
        const aside = join(folder, `.${randomUUID()}`)
        await writeFile(aside, bytes, { flush: true })
        await rename(aside, join(folder, fileName(hash, size)))
      }
      return addressesUnder(`${publicUrl}/images`, hash)
    },
    async get(name) {
      try {
        return await readFile(join(folder, name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async remove(hash) {
      await Promise.all(SIZES.map((size) => rm(join(folder, fileName(hash, size)), { force: true })))
    },
  }
}
