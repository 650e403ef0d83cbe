import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checksumsOf } from '../../scripts/release/checksums.ts'
import { sbomOf } from '../../scripts/release/sbom.ts'

const ROOT = join(import.meta.dirname, '..', '..')

test('the bill of materials has every production package with hash and licence, and neither time nor serial number', () => {
  const sbom = sbomOf(ROOT)
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const versions = new Map(
    sbom.components.map(({ group, name, version }) => [
      group === undefined ? name : `${group}/${name}`,
      version,
    ]),
  )
  for (const [name, version] of Object.entries(dependencies)) assert.equal(versions.get(name), version, name)
  assert.equal(versions.has('@playwright/test'), false)
  for (const { name, purl, hashes = [], licenses = [] } of sbom.components) {
    assert.match(purl, /^pkg:npm\//)
    assert.ok(hashes.length > 0 && licenses.length > 0, name)
  }
  assert.equal(sbom.metadata.component.name, 'tallywork')
  // A run with the same lockfile has the same document (release.long.test.ts).
  assert.equal(sbom.serialNumber, undefined)
  assert.equal(sbom.metadata.timestamp, undefined)
})

test('the checksums are those of the files, in the form of sha256sum', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallywork-release-'))
  try {
    for (const name of ['one', 'two']) writeFileSync(join(folder, name), name)
    writeFileSync(join(folder, 'SHA256SUMS'), await checksumsOf(folder, ['one', 'two']))
    const check = () =>
      execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
    assert.equal(check(), 'one: OK\ntwo: OK\n')
    appendFileSync(join(folder, 'two'), '!')
    assert.throws(check)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
