import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { sbomOf } from '../../scripts/release/sbom.ts'

const ROOT = join(import.meta.dirname, '..', '..')

test('the bill of materials is reproducible', () => {
  assert.deepEqual(sbomOf(ROOT), sbomOf(ROOT))
})
