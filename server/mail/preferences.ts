import type { MailPreferences } from '#contract/mail.ts'
import { type Db, query } from '#server/database/database.ts'

/** The kinds of mail that a person can switch off. */
export type Kind = keyof MailPreferences

const read = query<MailPreferences, [user: string]>(
  'mail_preferences',
  `select work_received as "workReceived", work_decided as "workDecided", payouts from mail_preferences where user_id = $1`,
)
const write = query<never, [user: string, received: boolean, decided: boolean, payouts: boolean]>(
  'mail_preferences_set',
  `insert into mail_preferences (user_id, work_received, work_decided, payouts) values ($1, $2, $3, $4)
   on conflict (user_id) do update set work_received = $2, work_decided = $3, payouts = $4, changed_at = clock_time()`,
)
const switchOff = query<never, [user: string, received: boolean, decided: boolean, payouts: boolean]>(
  'mail_preferences_switch_off',
  `insert into mail_preferences as known (user_id, work_received, work_decided, payouts)
   select id, not $2::boolean, not $3::boolean, not $4::boolean from users where id = $1
   on conflict (user_id) do update set work_received = known.work_received and not $2,
     work_decided = known.work_decided and not $3, payouts = known.payouts and not $4, changed_at = clock_time()`,
)

/** Which optional mails a person wants: all, until they say otherwise. */
export async function preferencesOf(db: Db, userId: string): Promise<MailPreferences> {
  const [known] = await read(db, userId)
  return known ?? { workReceived: true, workDecided: true, payouts: true }
}

export async function setPreferences(db: Db, userId: string, wanted: MailPreferences): Promise<void> {
  await write(db, userId, wanted.workReceived, wanted.workDecided, wanted.payouts)
}

/** Ends the mails of one kind for a person; the others stay as they are. */
export async function unsubscribeFrom(db: Db, userId: string, kind: Kind): Promise<void> {
  await switchOff(db, userId, kind === 'workReceived', kind === 'workDecided', kind === 'payouts')
}
