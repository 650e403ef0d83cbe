import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy')
const PATH = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`

/** A reverse proxy with the file of deploy/ for operators, changed to the ports of a test. */
export type ReverseProxy = {
  name: string
  start(folder: string, port: number, instances: number[]): ChildProcess
}

const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8')

function launch(command: string, parameters: string[], folder: string): ChildProcess {
  const env = { PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  return spawn(command, parameters, { cwd: folder, env, stdio: 'ignore' })
}

export const PROXIES: ReverseProxy[] = [
  {
    name: 'caddy',
    start(folder, port, instances) {
      const file = join(folder, 'Caddyfile')
      const site = read('Caddyfile')
        .replace(/^work\.example\.com /m, `http://127.0.0.1:${port} `)
        .replace('app1:3000 app2:3000', instances.map((instance) => `127.0.0.1:${instance}`).join(' '))
      writeFileSync(file, `{\n\tadmin off\n}\n${site}`)
      return launch('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], folder)
    },
  },
  {
    name: 'haproxy',
    start(folder, port, instances) {
      const file = join(folder, 'haproxy.cfg')
      const servers = instances.map((instance, index) => `\tserver instance${index} 127.0.0.1:${instance}`)
      const configuration = read('haproxy.cfg')
        .replace('bind :80', `bind 127.0.0.1:${port}`)
        .replace(/(\tserver .+\n)+/, `${servers.join('\n')}\n`)
      writeFileSync(file, configuration)
      return launch('haproxy', ['-db', '-f', file], folder)
    },
  },
]

/** Whether this machine has the proxy. */
export function isInstalled({ name }: ReverseProxy): boolean {
  return spawnSync('which', [name], { env: { PATH } }).status === 0
}

export async function stopProxy(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
