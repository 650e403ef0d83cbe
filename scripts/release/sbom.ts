import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

type Component = {
  group?: string
  name: string
  version: string
  purl: string
  licenses?: object[]
  hashes?: { alg: string; content: string }[]
  properties?: { name: string; value: string }[]
  components?: Component[]
}

/** A bill of materials in CycloneDX 1.6, as far as it is read here. */
export type Sbom = {
  serialNumber?: string
  metadata: { timestamp?: string; component: { name: string } }
  components: Component[]
}

/** Licences of packages that have them in a file only: package → SPDX identifier. */
const LICENCE_FILES: Record<string, string> = { 'png-js': 'MIT' }

/**
 * Returns the bill of materials of the production packages in a folder's lockfile, in CycloneDX, with their licences and
 * the hashes by which npm installs them. The same lockfile has the same document.
 */
export function sbomOf(folder: string): Sbom {
  const output = execFileSync(
    path.join(folder, 'node_modules', '.bin', 'cyclonedx-npm'),
    [
      '--omit',
      'dev',
      '--package-lock-only',
      '--output-reproducible',
      '--output-format',
      'JSON',
      '--validate',
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const sbom = JSON.parse(output) as Sbom
  const { packages } = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string }>
  }
  // The tool reads hashes from the addresses of packages, which this lockfile leaves out.
  const withHash = (component: Component): Component => {
    const place = component.properties?.find(({ name }) => name === 'cdx:npm:package:path')?.value ?? ''
    const hash = packages[place]?.integrity?.replace('sha512-', '')
    const licence = LICENCE_FILES[component.name]
    return {
      ...component,
      ...(component.licenses === undefined && licence && { licenses: [{ license: { id: licence } }] }),
      ...(hash && { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
      ...(component.components && { components: component.components.map(withHash) }),
    }
  }
  return { ...sbom, components: sbom.components.map(withHash) }
}
