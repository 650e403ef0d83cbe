import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readConfig } from '#server/config.ts'
import { ownFunctions } from '#server/database/function-set.ts'
import { start } from '#server/start.ts'
import { useDatabase } from '#tests/support/database.ts'
import { httpSignUp } from '#tests/support/http-client.ts'
import { copyAsNewerVersion } from '#tests/support/server-copy.ts'
import { startServerProcess } from '#tests/support/server-process.ts'

describe('servers of neighbouring versions', () => {
  const db = useDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'tallywork-neighbours-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('serve side by side, each with its own functions, and the older one cannot start again', async () => {
    // Production has no search path to the functions.
    await db.owner.query(`alter database ${new URL(db.url).pathname.slice(1)} reset search_path`)
    const newerFolder = await copyAsNewerVersion(join(folder, 'newer'))
    const env = { DATABASE_URL: db.url, DEMO: '0', AUTH_SECRET: 'one secret for both versions, long enough' }
    const older = await startServerProcess({ env })
    try {
      await httpSignUp(older.url, 'Buyer', 'first@example.com')
      const newer = await startServerProcess({ env, folder: newerFolder })
      try {
        await Promise.all([
          httpSignUp(older.url, 'Worker', 'older@example.com'),
          httpSignUp(newer.url, 'Worker', 'newer@example.com'),
        ])
        await assert.rejects(
          start(readConfig({ ...env, PORT: '0', DATA_DIR: older.dataDir }), () => {}),
          /upgraded by version 99\.0\.0/,
        )
        await httpSignUp(older.url, 'Buyer', 'last@example.com')
      } finally {
        await newer.stop()
      }
    } finally {
      await older.stop()
    }
    const { rows } = await db.owner.query<{ own: boolean; version: string }>(
      `select schema_name = $1 as own, version from function_sets order by version = '99.0.0'`,
      [ownFunctions().schema],
    )
    assert.deepEqual(
      rows.map(({ own, version }) => [own, version === '99.0.0']),
      [
        [true, false],
        [false, true],
      ],
    )
  })
})
