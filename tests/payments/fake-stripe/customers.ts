import { type Handler, missing, refuse, type StoredCard, send, token } from './state.ts'

const KNOWN_FEATURE =
  /^components\[payment_element\]\[features\]\[(payment_method_(?:save|save_usage|redisplay|remove))\]$/

export const handleCustomers: Handler = (account, { method, path, body, key }) => {
  const [matched, named] = /^\/v1\/customers(?:\/(\w+))?$/.exec(path) ?? []
  if (matched === undefined) return undefined
  if (account.fault === 'no customers')
    return refuse(403, 'more_permissions_required', 'The key lacks permissions')
  if (named === undefined) {
    const id = `cus_${key?.replaceAll(/\W/g, '') ?? token(14)}`
    // A key that comes again returns the first response, also after the customer was deleted.
    if (key === undefined || !account.replies.has(key)) account.customers.set(id, Object.fromEntries(body))
    if (key !== undefined)
      account.replies.set(key, { body: body.toString(), reply: send({ id, object: 'customer' }) })
    return send({ id, object: 'customer' })
  }
  if (!account.customers.has(named)) return missing(`customer: '${named}'`)
  if (method === 'DELETE') {
    account.customers.delete(named)
    for (const { id, customer } of account.cards.values()) if (customer === named) account.cards.delete(id)
  } else account.customers.set(named, Object.fromEntries(body))
  return send({ id: named, object: 'customer', ...(method === 'DELETE' && { deleted: true }) })
}

export const handleSessions: Handler = (account, { path, body }) => {
  if (path !== '/v1/customer_sessions') return undefined
  const customer = body.get('customer') ?? ''
  if (!account.customers.has(customer))
    return refuse(400, 'resource_missing', `No such customer: '${customer}'`)
  const features = Object.fromEntries(
    [...body].flatMap(([name, value]) => {
      const [, feature] = KNOWN_FEATURE.exec(name) ?? []
      return feature === undefined ? [] : [[feature, value]]
    }),
  )
  if (Object.keys(features).length !== body.size - 2)
    return refuse(400, 'parameter_unknown', 'Received unknown parameter')
  const secret = `cuss_secret_${token(40)}`
  account.sessions.set(secret, { customer, features })
  return send({ object: 'customer_session', client_secret: secret, customer, livemode: false })
}

export const handleSavedCards: Handler = (account, { path }) => {
  const [, detached] = /^\/v1\/payment_methods\/(\w+)\/detach$/.exec(path) ?? []
  if (detached !== undefined) {
    const card = account.cards.get(detached)
    if (card === undefined) return missing('payment method')
    account.cards.delete(detached)
    return send({ ...showCard(card), customer: null })
  }
  const [, owner, cardId] = /^\/v1\/customers\/(\w+)\/payment_methods(?:\/(\w+))?$/.exec(path) ?? []
  if (owner === undefined) return undefined
  const owned = [...account.cards.values()].filter(({ customer }) => customer === owner)
  if (cardId === undefined && account.customers.has(owner))
    return send({ object: 'list', data: owned.map(showCard), has_more: false, url: path })
  const card = owned.find(({ id }) => id === cardId)
  return card === undefined ? missing('customer or payment method') : send(showCard(card))
}

function showCard({ id, customer, number }: StoredCard) {
  const card = { brand: 'visa', last4: number.slice(-4), exp_month: 12, exp_year: 2040 }
  return { id, object: 'payment_method', type: 'card', allow_redisplay: 'always', customer, card }
}
