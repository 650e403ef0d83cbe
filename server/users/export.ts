import { knownLocale } from '#contract/locales.ts'
import { type Db, query, queryOne, WHOLE_TABLE } from '#server/database/database.ts'
import { beforeCursor, type KeyType } from '#server/database/keyset.ts'
import { textOf } from '#server/notifications/present.ts'

type Row = { key: string; data: string }
type ReadSection = (db: Db, owner: string, before: string | null, limit: number) => Promise<Row[]>

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
            'languages', (select languages from worker_languages where worker_id = users.id),
            'task_filters', (select filters from task_filters where user_id = users.id))::text as data
     from users join identities using (id) join ledger_accounts on ledger_accounts.id = account_id
    where users.id = $1`,
)

/** Creates the query of one list of the export, newest first. `data` is the JSON of a row. */
const section = (name: string, key: string, type: KeyType, data: string, from: string): ReadSection =>
  query<Row, [owner: string, before: string | null, limit: number]>(
    `export_${name}`,
    `select ${key}::text as key, (${data})::text as data from ${from}
        and ${key} < ${beforeCursor('$2', type)} order by ${key} desc limit $3`,
    WHOLE_TABLE,
  )

const storedNotifications = section(
  'notifications',
  'id',
  'bigint',
  `to_jsonb(notifications) - 'user_id'
     || jsonb_build_object('locale', (select locale from users where id = user_id))`,
  'notifications where user_id = $1',
)

/** Replaces the parameters of a notification's JSON by its text in the user's language. */
function withText(data: string): string {
  const { params, locale, ...row } = JSON.parse(data)
  const { message, actionRoute } = textOf({ ...row, params }, knownLocale(locale))
  return JSON.stringify({ ...row, message, action_route: actionRoute })
}

const SECTIONS: Record<string, ReadSection> = {
  sessions: section(
    'sessions',
    'id',
    'uuid',
    `to_jsonb(sessions) - 'secret_hash' - 'identity_id'`,
    'sessions where identity_id = $1',
  ),
  second_factors: section(
    'second_factors',
    'id',
    'uuid',
    `jsonb_build_object('kind', kind, 'name', name, 'added_at', created_at, 'last_used_at', used_at)`,
    'second_factors where identity_id = $1',
  ),
  account_activity: section(
    'account_activity',
    'id',
    'bigint',
    `to_jsonb(security_log) - 'identity_id' - 'actor_id' - 'email_hash'`,
    'security_log where identity_id = $1',
  ),
  tasks: section(
    'tasks',
    'id',
    'uuid',
    `to_jsonb(tasks) - 'search' - 'escrow_id' - 'buyer_id' || jsonb_build_object(
       'changes', (select coalesce(jsonb_agg(to_jsonb(task_changes) - 'task_id' order by task_changes.created_at), '[]')
                     from task_changes where task_id = tasks.id),
       'earlier_versions', (select coalesce(jsonb_agg(to_jsonb(task_versions) - 'task_id' order by version), '[]')
                              from task_versions where task_id = tasks.id))`,
    'tasks where buyer_id = $1',
  ),
  projects: section(
    'projects',
    'id',
    'uuid',
    `to_jsonb(projects) - 'buyer_id' || jsonb_build_object(
       'versions', (select jsonb_agg(to_jsonb(project_versions) - 'project_id' order by project_versions.version)
                      from project_versions where project_id = projects.id))`,
    'projects where buyer_id = $1',
  ),
  batches: section('batches', 'id', 'uuid', `to_jsonb(batches) - 'buyer_id'`, 'batches where buyer_id = $1'),
  task_drafts: section(
    'task_drafts',
    'id',
    'uuid',
    `to_jsonb(task_drafts) - 'buyer_id' - 'image_url'`,
    'task_drafts where buyer_id = $1',
  ),
  work: section(
    'work',
    'submissions.id',
    'uuid',
    `to_jsonb(submissions) - 'worker_id' - 'buyer_id' - 'reminded_at' || jsonb_build_object('task', title)`,
    'submissions join tasks on tasks.id = task_id where worker_id = $1',
  ),
  revisions: section(
    'revisions',
    'submission_id',
    'uuid',
    `to_jsonb(submission_revisions)`,
    'submission_revisions where submission_id in (select id from submissions where worker_id = $1)',
  ),
  appeals: section(
    'appeals',
    'submission_id',
    'uuid',
    `to_jsonb(appeals) - 'worker_id'`,
    'appeals where worker_id = $1',
  ),
  bonuses: section(
    'bonuses',
    'bonuses.id',
    'uuid',
    `to_jsonb(bonuses) - 'worker_id' - 'buyer_id' || jsonb_build_object('given', buyer_id = $1)`,
    'bonuses where $1 in (worker_id, buyer_id)',
  ),
  reservations: section(
    'reservations',
    'reservations.id',
    'uuid',
    `to_jsonb(reservations) - 'worker_id' || jsonb_build_object('task', title)`,
    'reservations join tasks on tasks.id = task_id where worker_id = $1',
  ),
  movements_of_coins: section(
    'transfers',
    'ledger_transfers.id',
    'bigint',
    `jsonb_build_object('number', ledger_transfers.id, 'kind', kind, 'ref', ref, 'time', ledger_transfers.created_at,
       'coins', case when credit = account_id then amount else -amount end)`,
    'ledger_transfers join users on account_id in (debit, credit) where users.id = $1',
  ),
  payments: section(
    'payments',
    'number',
    'bigint',
    `to_jsonb(payments) - 'user_id'`,
    'payments where user_id = $1',
  ),
  withdrawals: section(
    'withdrawals',
    'id',
    'uuid',
    `to_jsonb(withdrawals) - 'worker_id' - 'hold_id' - 'decided_by' || jsonb_build_object(
       'payouts', (select coalesce(jsonb_agg(to_jsonb(payouts) - 'withdrawal_id' - 'batch_id' - 'claimed_by' - 'claimed_at' - 'settled_by'
                                             order by attempt), '[]')
                     from payouts where withdrawal_id = withdrawals.id and state <> 'removed'))`,
    'withdrawals where worker_id = $1',
  ),
  freezes: section(
    'freezes',
    'number',
    'bigint',
    `to_jsonb(freezes) - 'user_id' - 'frozen_by' - 'ended_by'`,
    'freezes where user_id = $1',
  ),
  blocks: section(
    'blocks',
    'id',
    'uuid',
    // A worker's copy has neither the buyer nor the reason.
    `case when buyer_id = $1 then to_jsonb(worker_blocks) - 'buyer_id' - 'worker_id' - 'ended_by'
            || jsonb_build_object('worker', worker_pseudonym(buyer_id, worker_id))
          else jsonb_build_object('id', id, 'created_at', created_at, 'ended_at', ended_at) end`,
    'worker_blocks where $1 in (buyer_id, worker_id)',
  ),
  favourite_workers: section(
    'favourite_workers',
    'worker_id',
    'uuid',
    `jsonb_build_object('worker', worker_pseudonym(buyer_id, worker_id), 'created_at', created_at)`,
    'favourite_workers where buyer_id = $1',
  ),
  qualifications: section(
    'qualifications',
    'id',
    'uuid',
    `to_jsonb(qualifications) - 'buyer_id' || jsonb_build_object(
       'workers', (select coalesce(jsonb_agg(worker_pseudonym(buyer_id, worker_id) order by qualified_workers.created_at), '[]')
                     from qualified_workers where qualification_id = qualifications.id),
       'earned', (select coalesce(jsonb_agg(jsonb_build_object(
                           'worker', worker_pseudonym(buyer_id, worker_id), 'right', earned_right, 'answers', earned_answers)
                         order by qualified_workers.created_at), '[]')
                    from qualified_workers where qualification_id = qualifications.id and earned_answers is not null),
       'revoked', (select coalesce(jsonb_agg(worker_pseudonym(buyer_id, worker_id) order by revoked.created_at), '[]')
                     from revoked_qualifications as revoked where qualification_id = qualifications.id))`,
    'qualifications where buyer_id = $1',
  ),
  own_qualifications: section(
    'own_qualifications',
    'id',
    'uuid',
    `jsonb_build_object('id', id, 'name', name, 'description', description, 'granted_at', qualified_workers.created_at)`,
    'qualified_workers join qualifications on id = qualification_id where worker_id = $1',
  ),
  payout_destinations: section(
    'payout_destinations',
    'id',
    'uuid',
    `to_jsonb(payout_destinations) - 'user_id' - 'slot'`,
    'payout_destinations where user_id = $1',
  ),
  notifications: async (...page) =>
    (await storedNotifications(...page)).map(({ key, data }) => ({ key, data: withText(data) })),
  pictures: section(
    'pictures',
    'hash',
    'text',
    `jsonb_build_object('url', url, 'uploaded_at', uploaded_at)`,
    'images where uploader = $1',
  ),
  messages: section(
    'messages',
    'contact_messages.id',
    'uuid',
    `to_jsonb(contact_messages)`,
    // Anyone may sign up with any email, so messages sent from it are only exported once the email is verified.
    `contact_messages join users on lower(trim(contact_messages.email)) = email_key
       join identities on identities.id = users.id and email_verified_at is not null where users.id = $1`,
  ),
}

/**
 * Streams all data stored about a user as one JSON document, page by page, so that a long history is never in memory as a
 * whole. Secrets and their hashes are left out, and so are submissions of others to the user's tasks. Known devices are stored
 * in the browser's cookie only.
 */
export async function* exportUser(db: Db, userId: string): AsyncGenerator<string> {
  yield `{"exported_at":${JSON.stringify(new Date().toISOString())},"person":${(await readProfile(db, userId)).data}`
  for (const [name, read] of Object.entries(SECTIONS)) {
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
