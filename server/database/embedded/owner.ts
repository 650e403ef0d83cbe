import { existsSync, readFileSync, statSync } from 'node:fs'

/** The operating system user that PostgreSQL runs as. */
export type Owner = { uid: number; gid: number }

/**
 * Returns the user that runs PostgreSQL, which refuses to run as root. Under root that is the owner of the cluster, or
 * `postgres`, else `nobody` for a new cluster. Under any other user it is that user (null).
 * @throws Error when the cluster belongs to a user that this process cannot switch to.
 */
export function ownerOf(clusterDir: string): Owner | null {
  const ownUid = process.getuid?.()
  const found = existsSync(clusterDir) ? statSync(clusterDir) : null
  if (ownUid !== 0) {
    if (found && ownUid !== undefined && found.uid !== ownUid) {
      throw new Error(
        `The database folder ${clusterDir} belongs to another user (uid ${found.uid}). ` +
          'Start as that user or as root, or choose another DATA_DIR.',
      )
    }
    return null
  }
  if (found && found.uid !== 0) return { uid: found.uid, gid: found.gid }
  return userNamed('postgres') ?? userNamed('nobody') ?? noUser()
}

function userNamed(name: string): Owner | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null
}

function noUser(): never {
  throw new Error(
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor a user nobody. ' +
      'Start as an ordinary user.',
  )
}
