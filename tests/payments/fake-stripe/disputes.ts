import {
  type Account,
  type Handler,
  missing,
  type Reply,
  refuse,
  refuseUnknown,
  type StripeRequest,
  send,
} from './state.ts'

const FILE_FIELDS = ['receipt', 'service_documentation', 'customer_communication', 'uncategorized_file']
const KNOWN = new RegExp(
  `^(submit|evidence\\[(customer_name|customer_email_address|customer_purchase_ip|service_date|product_description|access_activity_log|uncategorized_text|${FILE_FIELDS.join('|')})\\])$`,
)

export const handleDisputes: Handler = (account, request) => {
  if (request.path === '/v1/disputes') return list(account, request)
  const [, intent, number] = /^\/v1\/disputes\/dp_(\w+)(\d)$/.exec(request.path) ?? []
  return intent === undefined ? undefined : update(account, request, `pi_${intent}`, Number(number))
}

function list({ intents }: Account, { path, query }: StripeRequest): Reply {
  const intent = intents.get(query.get('payment_intent') ?? '')
  const data = (intent?.disputes ?? []).map((dispute, index) => ({
    id: `dp_${intent?.id.slice(3)}${index}`,
    object: 'dispute',
    payment_intent: intent?.id,
    reason: 'fraudulent',
    created: intent?.created,
    evidence_details: { due_by: (intent?.created ?? 0) + 7 * 86_400 },
    ...dispute,
  }))
  return send({ object: 'list', data, has_more: false, url: path })
}

/** Takes the evidence: texts, and files that were uploaded for the purpose. */
function update(
  { intents, files }: Account,
  { path, body }: StripeRequest,
  id: string,
  number: number,
): Reply {
  const dispute = intents.get(id)?.disputes[number]
  if (dispute === undefined) return missing('dispute')
  const unknown = refuseUnknown(body, KNOWN)
  if (unknown !== undefined) return unknown
  for (const field of FILE_FIELDS) {
    const file = body.get(`evidence[${field}]`)
    if (file !== null && files.get(file)?.purpose !== 'dispute_evidence')
      return refuse(400, 'resource_missing', `No such file upload: '${file}'`)
  }
  dispute.evidence = Object.fromEntries(body)
  if (body.get('submit') === 'true') dispute.status = 'under_review'
  return send({
    ...dispute,
    id: path.slice('/v1/disputes/'.length),
    object: 'dispute',
    evidence_details: { submission_count: 1 },
  })
}
