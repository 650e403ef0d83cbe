#!/usr/bin/env node
// The command of package.json. Node 24 runs cli/main.ts itself; an older one starts the Node of this repository.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = new URL('main.ts', import.meta.url)
const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))

if (process.features.typescript) await import(main.href)
else if (existsSync(node)) {
  const { status } = spawnSync(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else {
  console.error('error: this needs Node 24. Run npm ci in the repository first.')
  process.exitCode = 2
}
