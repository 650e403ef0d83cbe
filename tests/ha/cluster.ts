import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, signalProcess } from '#tests/support/processes.ts'
import { freePort } from '#tests/support/server-process.ts'
import { COPY, haproxyConfig, patroniConfig } from './configuration.ts'

const PACKAGES = 'patroni etcd-server haproxy postgresql-15'
export const POSTGRES_BIN = '/usr/lib/postgresql/15/bin'
const NODES = 3

export type Node = {
  name: string
  folder: string
  port: number
  rest: number
  process: ChildProcess | undefined
}

/** Says what is missing on this machine, or nothing. */
export function missingTools(): string | undefined {
  const there = (command: string) => spawnSync('which', [command], { env: { PATH: PATHS } }).status === 0
  const missing = ['patroni', 'etcd', 'haproxy'].filter((command) => !there(command))
  if (!existsSync(POSTGRES_BIN)) missing.push('postgresql-15')
  if (missing.length === 0) return undefined
  return `This needs ${missing.join(', ')}. On Debian 12, as root: apt-get install -y --no-install-recommends ${PACKAGES}`
}

const PATHS = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`

/** PostgreSQL refuses to run as root: there its Debian user runs it. */
export function owner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (what: string) => Number(execFileSync('id', [what, 'postgres']).toString())
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * Three PostgreSQL nodes under Patroni with synchronous replication, etcd for their agreement, and HAProxy in front,
 * which asks Patroni who the primary is. Everything on loopback ports, in one temporary folder.
 */
export async function startCluster(serverPorts: readonly number[], log: (line: string) => void) {
  const folder = await mkdtemp(join(tmpdir(), 'tallywork-ha-'))
  await chmod(folder, 0o755)
  const user = owner()
  const password = randomBytes(12).toString('hex')
  const run = (name: string, command: string, parameters: string[], as = user): ChildProcess => {
    const child = spawn(command, parameters, {
      cwd: folder,
      env: { PATH: PATHS, HOME: folder, LANG: 'C.UTF-8', ETCD_UNSUPPORTED_ARCH: process.arch },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...as,
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on(
        'data',
        (chunk: Buffer) => void appendFile(join(folder, `${name}.log`), chunk).catch(() => {}),
      )
    return child
  }
  if (user !== undefined) await chown(folder, user.uid, user.gid)

  const [etcdPort, etcdPeer] = [await freePort(), await freePort()]
  const client = `http://127.0.0.1:${etcdPort}`
  const peer = `http://127.0.0.1:${etcdPeer}`
  const etcd = run('etcd', 'etcd', [
    ...['--name', 'only', '--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync', '--log-level', 'error'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer],
    ...['--initial-advertise-peer-urls', peer, '--initial-cluster', `only=${peer}`],
  ])

  const nodes: Node[] = []
  for (let number = 1; number <= NODES; number++) {
    const name = `node${number}`
    const node: Node = {
      name,
      folder: join(folder, name),
      port: await freePort(),
      rest: await freePort(),
      process: undefined,
    }
    await mkdir(node.folder, { mode: 0o700 })
    await writeFile(join(node.folder, 'patroni.yml'), patroniConfig(node, etcdPort, POSTGRES_BIN, password))
    await writeFile(join(node.folder, 'copy.sh'), COPY)
    if (user !== undefined) await chown(node.folder, user.uid, user.gid)
    nodes.push(node)
  }
  const startNode = (node: Node) => {
    node.process = run(node.name, 'patroni', [join(node.folder, 'patroni.yml')])
  }
  for (const node of nodes) startNode(node)

  const [databasePort, webPort] = [await freePort(), await freePort()]
  await writeFile(join(folder, 'haproxy.cfg'), haproxyConfig(databasePort, nodes, webPort, serverPorts))
  const haproxy = run('haproxy', 'haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])

  /** What Patroni says of a node now; undefined for one that does not respond. */
  async function stateOf(
    node: Node,
  ): Promise<{ state: string; role: string; sync_standby?: boolean } | undefined> {
    try {
      const response = await fetch(`http://127.0.0.1:${node.rest}/patroni`, {
        signal: AbortSignal.timeout(1_000),
      })
      return (await response.json()) as { state: string; role: string; sync_standby?: boolean }
    } catch {
      return undefined
    }
  }
  async function primary(): Promise<Node | undefined> {
    for (const node of nodes) {
      const response = await fetch(`http://127.0.0.1:${node.rest}/primary`, {
        signal: AbortSignal.timeout(1_000),
      }).catch(() => undefined)
      if (response?.status === 200) return node
    }
    return undefined
  }
  /** Waits until one node leads, the two others follow, and one of them synchronously. */
  async function whole(): Promise<Node> {
    for (let wait = 0; wait < 360; wait++) {
      const [leads, states] = [await primary(), await Promise.all(nodes.map(stateOf))]
      const following = states.filter(
        (one) => one?.role === 'replica' && ['running', 'streaming'].includes(one.state),
      )
      const isSafe = states.some((one) => one?.sync_standby === true)
      if (leads !== undefined && following.length === NODES - 1 && isSafe) return leads
      await sleep(500)
    }
    throw new Error(`The cluster was not whole in three minutes; its logs are in ${folder}`)
  }
  /** The processes of a node: Patroni first, then PostgreSQL's. */
  async function pidsOf(node: Node): Promise<number[]> {
    const first = await readFile(join(node.folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '')
    const postmaster = Number(first.split('\n', 1)[0])
    const children = postmaster > 0 ? childrenOf(postmaster) : []
    return [node.process?.pid ?? 0, postmaster, ...children].filter((pid) => pid > 0)
  }
  async function signal(node: Node, name: NodeJS.Signals): Promise<void> {
    for (const pid of await pidsOf(node)) signalProcess(pid, name)
  }
  const end = async (child: ChildProcess | undefined) => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await gone
    clearTimeout(late)
  }

  /** `keep`: leaves the folder with the logs, and says where it is. */
  async function stop({ keep }: { keep: boolean }): Promise<void> {
    await end(haproxy)
    await Promise.all(nodes.map((node) => end(node.process)))
    for (const node of nodes) await signal(node, 'SIGKILL')
    await end(etcd)
    await sleep(200)
    if (keep) log(`The logs of all are in ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }

  log(`Three nodes under Patroni in ${folder} …`)
  try {
    await whole()
  } catch (error) {
    await Promise.all([etcd, haproxy].map(end))
    for (const node of nodes) await signal(node, 'SIGKILL')
    throw error
  }
  return {
    folder,
    nodes,
    /** The URL for users: HAProxy in front of both instances. */
    url: `http://127.0.0.1:${webPort}`,
    databaseUrl: (database: string) =>
      `postgres://postgres:${password}@127.0.0.1:${databasePort}/${database}`,
    primary,
    whole,
    signal,
    startNode,
    stop,
  }
}
