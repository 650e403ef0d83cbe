import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { lintSource } from '@secretlint/core'
import { creator as recommended } from '@secretlint/secretlint-rule-preset-recommend'

/**
 * Looks for secrets in files, packages from other registries and packages with known vulnerabilities. `npm run check:supply`;
 * part of the tests' checks. Exits with 1 if it finds any; prints "Skipped" where the registry offers no audit.
 */
const REGISTRY = 'https://registry.npmjs.org/'
const AUDIT_MS = 8_000
const SERIOUS = new Set(['high', 'critical'])
const BINARY = /\.(png|jpe?g|webp|ico|woff2|gz|br|tgz|dump)$/

const findings = [...(await secrets()), ...foreignPackages(), ...knownVulnerabilities()]
for (const finding of findings) console.error(finding)
process.exitCode = findings.length > 0 ? 1 : 0

/** Files that git knows, or would with the next `git add`. */
async function secrets(): Promise<string[]> {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !BINARY.test(file))
  const config = {
    rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: recommended, options: {} }],
  }
  const found = await Promise.all(
    files.map(async (file) => {
      const content = readIfThere(file)
      if (content === undefined) return []
      const source = { filePath: file, content, contentType: 'text' as const }
      const { messages } = await lintSource({ source, options: { config, maskSecrets: true } })
      return messages.map(({ loc, message }) => `${file}:${loc.start.line} ${message}`)
    }),
  )
  if (files.length < 100) throw new Error('The files of the repository were not found')
  return found.flat()
}

/** A file that was deleted and not yet committed is listed as well. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Packages of the lockfile that come from elsewhere than the registry, which is where one without an address comes from,
 * or without the hash of what was taken in. npm writes no hash for packages that the registry did not offer where the
 * lockfile was made; only development tools for systems other than Linux with glibc may lack one.
 */
function foreignPackages(): string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .filter(
      ([, entry]) =>
        !(entry.resolved ?? REGISTRY).startsWith(REGISTRY) ||
        !(entry.integrity?.startsWith('sha512-') || isToolForOtherSystem(entry)),
    )
    .map(([place]) => `package-lock.json: ${place} does not come from the registry, or has no hash`)
}

type LockedPackage = {
  resolved?: string
  integrity?: string
  optional?: boolean
  dev?: boolean
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
}

function isToolForOtherSystem({ optional, dev, os, cpu, libc }: LockedPackage): boolean {
  const isLinux = [os].flat().includes('linux') && ['x64', 'arm64'].some((own) => [cpu].flat().includes(own))
  return optional === true && dev === true && !(isLinux && !/musl/.test(String(libc)))
}

/** What the registry knows against the packages that run in production. */
function knownVulnerabilities(): string[] {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    encoding: 'utf8',
    timeout: AUDIT_MS,
  })
  const report = readReport(stdout)
  if (report.vulnerabilities === undefined) {
    console.log(
      `Skipped: known vulnerabilities, because the registry offers no audit (${report.message ?? 'no response'}).`,
    )
    return []
  }
  return Object.values(report.vulnerabilities)
    .filter(({ severity }) => SERIOUS.has(severity))
    .map(
      ({ name, severity, range }) =>
        `${name} ${range} has a known hole (${severity}): see npm audit --omit=dev`,
    )
}

type Report = {
  message?: string
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>
}

function readReport(text: string): Report {
  try {
    return JSON.parse(text) as Report
  } catch {
    return {}
  }
}
