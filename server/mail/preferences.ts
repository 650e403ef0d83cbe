import { knownLocale, type Locale } from '#contract/locales.ts'
import type { MailPreferences } from '#contract/mail.ts'
import { type Db, query } from '#server/database/database.ts'

/** The categories of email that a user can switch off. */
export type EmailCategory = keyof MailPreferences

const readPreferences = query<MailPreferences, [user: string]>(
  'mail_preferences',
  `select work_received as "workReceived", work_decided as "workDecided", payouts from mail_preferences where user_id = $1`,
)
const upsertPreferences = query<never, [user: string, received: boolean, decided: boolean, payouts: boolean]>(
  'mail_preferences_upsert',
  `insert into mail_preferences (user_id, work_received, work_decided, payouts) values ($1, $2, $3, $4)
   on conflict (user_id) do update set work_received = $2, work_decided = $3, payouts = $4, changed_at = clock_time()`,
)
const switchCategoriesOff = query<
  never,
  [user: string, received: boolean, decided: boolean, payouts: boolean]
>(
  'mail_preferences_switch_off',
  `insert into mail_preferences as existing (user_id, work_received, work_decided, payouts)
   select id, not $2::boolean, not $3::boolean, not $4::boolean from users where id = $1
   on conflict (user_id) do update set work_received = existing.work_received and not $2,
     work_decided = existing.work_decided and not $3, payouts = existing.payouts and not $4, changed_at = clock_time()
    where existing.work_received and $2 or existing.work_decided and $3 or existing.payouts and $4`,
)

const readLocale = query<{ locale: string }, [user: string]>(
  'mail_recipient_locale',
  'select locale from users where id = $1',
)

/** Returns the language of a user's emails; undefined for a user who does not exist. */
export async function emailLocaleOf(db: Db, userId: string): Promise<Locale | undefined> {
  const [row] = await readLocale(db, userId)
  return row && knownLocale(row.locale)
}

/** Returns the categories of optional email that a user receives. All are on by default. */
export async function preferencesOf(db: Db, userId: string): Promise<MailPreferences> {
  const [preferences] = await readPreferences(db, userId)
  return preferences ?? { workReceived: true, workDecided: true, payouts: true }
}

export async function setPreferences(db: Db, userId: string, preferences: MailPreferences): Promise<void> {
  const { workReceived, workDecided, payouts } = preferences
  await upsertPreferences(db, userId, workReceived, workDecided, payouts)
}

/** Switches one category of email off for a user. */
export async function unsubscribeFrom(db: Db, userId: string, category: EmailCategory): Promise<void> {
  await switchCategoriesOff(
    db,
    userId,
    category === 'workReceived',
    category === 'workDecided',
    category === 'payouts',
  )
}
