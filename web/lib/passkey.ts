import { t } from '@lingui/core/macro'
import type { AuthenticationResponse, RegistrationResponse } from '#contract/second-factor.ts'

/** Thrown when the user cancelled the browser's dialog, or it timed out. */
export class PasskeyCancelled extends Error {}

export function supportsPasskeys(): boolean {
  return typeof window !== 'undefined' && 'PublicKeyCredential' in window
}

/** Creates a passkey with the browser. @throws PasskeyCancelled */
export async function createPasskey(options: Record<string, unknown>): Promise<RegistrationResponse> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  type Options = Parameters<typeof startRegistration>[0]['optionsJSON']
  const created = await startRegistration({ optionsJSON: options as unknown as Options }).catch(toCancelled)
  return created as unknown as RegistrationResponse
}

/** Proves a passkey with the browser. @throws PasskeyCancelled */
export async function provePasskey(options: Record<string, unknown>): Promise<AuthenticationResponse> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON']
  const proof = await startAuthentication({ optionsJSON: options as unknown as Options }).catch(toCancelled)
  return proof as unknown as AuthenticationResponse
}

function toCancelled(error: unknown): never {
  const isCancelled = error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)
  throw isCancelled ? new PasskeyCancelled(t`The passkey was not used.`) : error
}
