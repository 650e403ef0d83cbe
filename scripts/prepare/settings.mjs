import { spawnSync } from 'node:child_process'
import { inRoot, root } from './root.mjs'

/** Throws with the server's own message where a setting is wrong. The server's settings need the packages, not the build. */
export function checkSettings() {
  const node = inRoot('node_modules', '.bin', 'node')
  const { status, stderr } = spawnSync(node, ['server/check-settings-command.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr.trim())
}
