import { existsSync, readFileSync, statSync } from 'node:fs'

/** The person of the operating system that PostgreSQL runs as. */
export type Owner = { uid: number; gid: number }

/**
 * PostgreSQL refuses to run as root. Started by root, it runs as whoever owns the cluster, and a new cluster goes to
 * `postgres`, else `nobody`. Started by anybody else, it runs as they do (null).
 * @throws when the cluster belongs to somebody whom we cannot become.
 */
export function ownerOf(clusterDir: string): Owner | null {
  const me = process.getuid?.()
  const found = existsSync(clusterDir) ? statSync(clusterDir) : null
  if (me !== 0) {
    if (found && me !== undefined && found.uid !== me) {
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
