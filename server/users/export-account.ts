import { knownLocale } from '#contract/locales.ts'
import { textOf } from '#server/notifications/present.ts'
import { childSection, type Sections, section } from './export-section.ts'

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

/** Lists of the export about the account and what it was notified of. */
export const ACCOUNT_SECTIONS: Sections = {
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
    `to_jsonb(security_log) - 'identity_id' - 'actor_id' - 'email_hash'
       || case when actor_id is null then '{}' else '{"network": "", "device": ""}' end::jsonb`,
    'security_log where identity_id = $1',
  ),
  api_keys: section(
    'api_keys',
    'id',
    'uuid',
    `to_jsonb(api_keys) - 'user_id' - 'secret_hash'`,
    'api_keys where user_id = $1',
  ),
  api_key_uses: childSection('api_key_uses', 'api_keys where user_id = $1', {
    key: 'minute',
    type: 'timestamptz',
    data: `jsonb_build_object('key_id', key_id, 'minute', minute, 'requests', requests)`,
    from: `(select key_id, minute, jsonb_agg(to_jsonb(api_key_uses) - 'key_id' - 'minute' order by operation, status) as requests
              from api_key_uses group by key_id, minute) as uses where key_id = parents.id`,
  }),
  webhook_endpoints: section(
    'webhook_endpoints',
    'id',
    'uuid',
    `to_jsonb(webhook_endpoints) - 'user_id' - 'secret' - 'previous_secret' - 'previous_until'`,
    'webhook_endpoints where user_id = $1',
  ),
  webhook_deliveries: childSection('webhook_deliveries', 'webhook_endpoints where user_id = $1', {
    key: 'seq',
    type: 'bigint',
    data: `to_jsonb(webhook_deliveries) - 'seq' - 'claim' - 'claimed_until' - 'payload' || jsonb_build_object(
       'responses', (select coalesce(jsonb_agg(to_jsonb(webhook_attempts) - 'id' - 'delivery_id' order by at), '[]')
                       from webhook_attempts where delivery_id = webhook_deliveries.id))`,
    from: 'webhook_deliveries where endpoint_id = parents.id',
  }),
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
