import { type Db, queryOne } from '#server/database/database.ts'
import { ACCOUNT_SECTIONS } from './export-account.ts'
import { COIN_SECTIONS } from './export-coins.ts'
import type { Row } from './export-section.ts'
import { WORK_SECTIONS } from './export-work.ts'

const PAGE = 500

const readProfile = queryOne<{ data: string }, [user: string]>(
  'export_profile',
  `select jsonb_build_object('id', users.id, 'name', users.name, 'email', users.email, 'image', users.image,
            'role', users.role, 'locale', users.locale, 'coins', balance, 'debt', debt, 'wallet', wallet, 'registered_at', users.created_at,
            'email_verified_at', email_verified_at, 'has_password', password_hash is not null,
            'sign_in_services', (select coalesce(jsonb_agg(jsonb_build_object('issuer', issuer, 'since', created_at)), '[]')
                                   from identity_links where identity_id = users.id),
            'recovery_codes_left', (select count(*) from recovery_codes where identity_id = users.id),
            'mails', (select to_jsonb(mail_preferences) - 'user_id' from mail_preferences where user_id = users.id),
            'push_subscriptions', (select coalesce(jsonb_agg(jsonb_build_object('service', split_part(endpoint, '/', 3),
                                     'since', created_at)), '[]') from push_subscriptions where user_id = users.id),
            'card_customer', (select to_jsonb(card_customers) - 'user_id' - 'details_hash' - 'deletion_tried_at'
                                from card_customers where user_id = users.id),
            'languages', (select languages from worker_languages where worker_id = users.id),
            'task_filters', (select filters from task_filters where user_id = users.id))::text as data
     from users join identities using (id) join ledger_accounts on ledger_accounts.id = account_id
    where users.id = $1`,
)

const SECTIONS = Object.entries({ ...ACCOUNT_SECTIONS, ...WORK_SECTIONS, ...COIN_SECTIONS })

/**
 * Streams all data stored about a user as one JSON document, page by page, so that a long history is never in memory as a
 * whole. Secrets and their hashes are left out, and so are submissions of others to the user's tasks. Known devices are stored
 * in the browser's cookie only. export-tables.test.ts says why other tables with users are left out.
 */
export async function* exportUser(db: Db, userId: string): AsyncGenerator<string> {
  yield `{"exported_at":${JSON.stringify(new Date().toISOString())},"person":${(await readProfile(db, userId)).data}`
  for (const [name, read] of SECTIONS) {
    yield `,\n"${name}":[`
    let before: string | null = null
    for (;;) {
      const rows: Row[] = await read(db, userId, before, PAGE)
      if (rows.length > 0)
        yield `${before === null ? '\n' : ',\n'}${rows.map(({ data }) => data).join(',\n')}`
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE) break
      before = last.key
    }
    yield ']'
  }
  yield '}\n'
}
