import assert from 'node:assert/strict'
import { LOCALES } from '#contract/locales.ts'
import { NOTIFICATION_KINDS } from '#contract/notification-kinds.ts'
import type { Database } from '#server/database/database.ts'
import { type NotificationRow, textOf } from '#server/notifications/present.ts'

/** Fails when a stored notification does not have the parameters of its kind. */
export async function expectValidNotifications(database: Database): Promise<void> {
  const { rows } = await database.pool.query<NotificationRow>(
    'select distinct kind, params, ref from notifications where params is not null',
  )
  for (const row of rows) {
    const { success, error } = NOTIFICATION_KINDS[row.kind].params.safeParse(row.params)
    assert.ok(success, `${row.kind} ${JSON.stringify(row.params)}: ${error?.message}`)
    for (const locale of LOCALES) assert.notEqual(textOf(row, locale).message, '')
  }
}
