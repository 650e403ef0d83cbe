import type { Locale } from '#contract/locales.ts'
import {
  type AccountEvent,
  SECURITY_EVENT_KINDS,
  type SecurityEvent,
  type SecurityEventKind,
} from '#contract/security-log.ts'
import { SECURITY_EVENT_TEXTS as BANGLA } from '#contract/security-log-texts.bn.ts'
import { SECURITY_EVENT_TEXTS as ENGLISH } from '#contract/security-log-texts.en.ts'
import type { SecurityEventRow } from './queries.ts'

const TEXTS = { en: ENGLISH, bn: BANGLA }

/** Returns an event for the user of the account. Of what an Admin did, the network and the device are the Admin's: left out. */
export function presentAccountEvent(row: SecurityEventRow, locale: Locale): AccountEvent {
  const { kind, params, actor_id: actorId } = row
  const { network, device } = actorId === null ? row : { network: '', device: '' }
  // An instance of the release before may read kinds of the next one.
  const isKnown = isSecurityEventKind(kind)
  return {
    _id: String(row.id),
    time: row.time,
    kind,
    text: isKnown ? TEXTS[locale][kind](params as never, actorId !== null) : kind,
    result: isKnown ? SECURITY_EVENT_KINDS[kind].result : 'success',
    network,
    device,
  }
}

export function presentSecurityEvent(row: SecurityEventRow, locale: Locale): SecurityEvent {
  return {
    ...presentAccountEvent(row, locale),
    network: row.network,
    device: row.device,
    identity: row.identity_id,
    email: row.email,
    actor: row.actor_id,
    actorEmail: row.actor_email,
    emailHash: row.email_hash,
    params: row.params,
  }
}

function isSecurityEventKind(kind: string): kind is SecurityEventKind {
  return Object.hasOwn(SECURITY_EVENT_KINDS, kind)
}
