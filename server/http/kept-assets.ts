import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'

/** Those of an upgrade that replaces one instance after the other, and one before for open browser tabs. */
const KEPT_BUILDS = 3

/**
 * Copies the assets of this build into the data directory and deletes those of builds that are no longer kept. Instances of several
 * versions serve each other's assets from there, because a page of one may request its scripts from another (docs/operating.md,
 * Upgrade). Returns the folder, which has the assets in `assets`.
 */
export async function keepAssets({ webDir, dataDir }: Pick<Config, 'webDir' | 'dataDir'>): Promise<string> {
  const folder = join(dataDir, 'web')
  const [from, into] = [join(webDir, 'assets'), join(folder, 'assets')]
  await mkdir(into, { recursive: true })
  const own = (await readdir(from)).toSorted()
  const list = join(dataDir, 'web-builds.json')
  const builds = [own, ...(await readBuilds(list)).filter((build) => build.join() !== own.join())]
  const kept = builds.splice(0, KEPT_BUILDS)
  const keptNames = new Set(kept.flat())
  for (const name of builds.flat()) if (!keptNames.has(name)) await rm(join(into, name), { force: true })
  // Listed before they are copied, so that a start of another version does not delete them meanwhile.
  await replace(list, (partial) => writeFile(partial, JSON.stringify(kept)))
  const present = new Set(await readdir(into))
  for (const name of own.filter((asset) => !present.has(asset)))
    await replace(join(into, name), (partial) => copyFile(join(from, name), partial))
  return folder
}

/** Returns the names of the assets of each build that is kept, latest first. */
async function readBuilds(list: string): Promise<string[][]> {
  try {
    return JSON.parse(await readFile(list, 'utf8')) as string[][]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Writes a file that has its name when it is whole: other instances may read it meanwhile. */
async function replace(file: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${file}.${randomUUID()}`
  await write(partial)
  await rename(partial, file)
}
