import { spawnSync } from 'node:child_process'

const APT = 'apt-get'
const PACKAGES = { wrk: 'wrk', pgbench: 'postgresql' }

/** Makes sure that the load generators are here: on Debian as root they are installed, elsewhere we say what is missing. */
export function needTools(log: (line: string) => void): void {
  const missing = Object.keys(PACKAGES).filter(
    (tool) => spawnSync(tool, ['--version']).error !== undefined,
  ) as (keyof typeof PACKAGES)[]
  if (missing.length === 0) return
  const packages = missing.map((tool) => PACKAGES[tool])
  if (process.getuid?.() === 0 && spawnSync(APT, ['--version']).error === undefined) {
    log(`Installing ${packages.join(' and ')} from Debian.`)
    spawnSync(APT, ['update', '-q'], { stdio: 'ignore' })
    const { status } = spawnSync(APT, ['install', '-qy', '--no-install-recommends', ...packages], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status === 0) return
  }
  throw new Error(
    `The bench needs ${missing.join(' and ')}: apt-get install ${packages.join(' ')} (macOS: brew install wrk postgresql)`,
  )
}
