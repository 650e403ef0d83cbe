import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PICTURE_SIZES } from '#contract/picture-sizes.ts'
import { fileName, type ImageStore, imageUrls } from './store.ts'

/** Stores pictures in a folder; this server serves them under `/images/`. */
export function folderStore(folder: string, publicUrl: string): ImageStore {
  return {
    async put(hash, sizes) {
      await mkdir(folder, { recursive: true })
      for (const { size, bytes } of sizes) {
        // Written to a temporary file and renamed, so that no request reads an incomplete picture.
        const temporary = join(folder, `.${randomUUID()}`)
        await writeFile(temporary, bytes, { flush: true })
        await rename(temporary, join(folder, fileName(hash, size)))
      }
      return imageUrls(`${publicUrl}/images`, hash)
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
      await Promise.all(PICTURE_SIZES.map((size) => rm(join(folder, fileName(hash, size)), { force: true })))
    },
  }
}
