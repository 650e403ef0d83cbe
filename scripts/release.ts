import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checksumsOf } from './release/checksums.ts'
import { sbomOf } from './release/sbom.ts'

/**
 * `npm run release` builds the last commit as deploy/build-plain.sh does and writes to release/: a tarball for this
 * platform, its bill of materials (CycloneDX) and their SHA-256 (docs/operating.md).
 */
const root = path.dirname(import.meta.dirname)
const target = path.join(root, 'release')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

if (git('status', '--porcelain') !== '') throw new Error('Commit or stash your changes first.')
const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const time = new Date(git('log', '-1', '--format=%cI')).toISOString()
const tarball = `${name}-${version}-${process.platform}-${process.arch}.tar.gz`
const bill = `${name}-${version}.cdx.json`

const folder = mkdtempSync(path.join(tmpdir(), 'tallywork-release-'))
try {
  execFileSync('bash', ['deploy/build-plain.sh', folder], { cwd: root, stdio: 'inherit' })
  mkdirSync(target, { recursive: true })
  // The order, times and owners of the entries are the same in every build.
  const order = ['--sort=name', `--mtime=${time}`, '--owner=0', '--group=0', '--numeric-owner']
  const compress = '--use-compress-program=gzip -n'
  const output = path.join(target, tarball)
  const contents = `--transform=s,^app,${name}-${version},`
  execFileSync('tar', ['-c', ...order, compress, contents, '-f', output, '-C', folder, 'app'])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
writeFileSync(path.join(target, bill), `${JSON.stringify(sbomOf(root), null, 2)}\n`)
writeFileSync(path.join(target, 'SHA256SUMS'), await checksumsOf(target, [tarball, bill]))
console.log(`Released ${name} ${version} of ${git('rev-parse', '--short', 'HEAD')} to ${target}`)
