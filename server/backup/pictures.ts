import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PICTURE_SIZES } from '#contract/picture-sizes.ts'
import { BadConfig } from '#server/bad-config.ts'
import { Refusal } from '#server/http/refusal.ts'
import { type BucketSettings, openBucket } from '#server/images/bucket.ts'
import { fileName } from '#server/images/store.ts'
import { PICTURES } from './manifest.ts'

/** Files that are copied at a time. */
const PARALLEL = 8

/**
 * Copies the files of these pictures from their bucket into a folder, without those that the bucket does not have: unused
 * pictures are deleted while a backup runs.
 * @throws BadConfig when the bucket cannot be read.
 */
export async function copyFromBucket(
  settings: BucketSettings,
  hashes: readonly string[],
  folder: string,
): Promise<void> {
  const bucket = openBucket(settings)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = hashes.flatMap((hash) => PICTURE_SIZES.map((size) => fileName(hash, size)))
  await forEachConcurrently(names, async (name) => {
    const bytes = await bucket.read(name)
    if (bytes !== undefined) await writeFile(join(folder, name), bytes, { mode: 0o600 })
  })
}

/** Returns which of these pictures lack a file in a folder, which need not exist. */
export async function picturesMissingIn(folder: string, hashes: readonly string[]): Promise<string[]> {
  const names = new Set(existsSync(folder) ? await readdir(folder) : [])
  return hashes.filter((hash) => PICTURE_SIZES.some((size) => !names.has(fileName(hash, size))))
}

/**
 * Copies these files of a data folder into another folder. The server stores and deletes pictures meanwhile: those that are not
 * complete are left out, and so are those that were deleted after they were listed.
 */
export async function copyDataFiles(dataDir: string, names: readonly string[], into: string): Promise<void> {
  await mkdir(into, { recursive: true, mode: 0o700 })
  for (const name of names) {
    const [from, to] = [join(dataDir, name), join(into, name)]
    if (name === PICTURES) await copyPictures(from, to)
    else await copyFile(from, to)
  }
}

async function copyPictures(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  const names = (await readdir(from)).filter((name) => name.endsWith('.webp'))
  await forEachConcurrently(names, async (name) => {
    await copyFile(join(from, name), join(to, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  })
}

/**
 * Copies the pictures of a folder into a bucket.
 * @throws BadConfig when the bucket cannot be written.
 */
export async function copyToBucket(settings: BucketSettings, folder: string): Promise<void> {
  const bucket = openBucket(settings)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.webp'))
  await forEachConcurrently(names, async (name) => bucket.write(name, await readFile(join(folder, name))))
}

async function forEachConcurrently(
  names: readonly string[],
  copy: (name: string) => Promise<void>,
): Promise<void> {
  const rest = names.values()
  const failures: Error[] = []
  const copyRest = async () => {
    for (const name of rest) {
      await copy(name).catch((error: Error) => failures.push(error))
      if (failures.length > 0) return
    }
  }
  // Also after a failure the copies that have begun are awaited: the caller deletes their folder.
  await Promise.all(Array.from({ length: PARALLEL }, copyRest))
  const [failure] = failures
  if (failure instanceof Refusal)
    throw new BadConfig(
      `The pictures could not be copied (${String(failure.cause)}). Check IMAGES_BUCKET_URL.`,
    )
  if (failure !== undefined) throw failure
}
