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

export function presentAccountEvent(row: SecurityEventRow, locale: Locale): AccountEvent {
  const { kind, params, actor_id: actorId } = row
  // An instance of the release before may read kinds of the next one.
  const isKnown = isSecurityEventKind(kind)
  return {
    _id: String(row.id),
    time: row.time,
    kind,
    text: isKnown ? TEXTS[locale][kind](params as never, actorId !== null) : kind,
    result: isKnown ? SECURITY_EVENT_KINDS[kind].result : 'success',
    network: row.network,
    device: row.device,
  }
}

export function presentSecurityEvent(row: SecurityEventRow, locale: Locale): SecurityEvent {
  return {
    ...presentAccountEvent(row, locale),
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
