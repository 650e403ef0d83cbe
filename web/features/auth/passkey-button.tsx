import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import type { AuthenticationResponse } from '#contract/second-factor.ts'
import { ApiError, errorMessage } from '#web/lib/api.ts'
import { PasskeyCancelled, provePasskey, supportsPasskeys } from '#web/lib/passkey.ts'
import { FormError } from '#web/ui/form-error.tsx'

type Props = {
  label: string
  fullWidth?: boolean
  begin: () => Promise<Record<string, unknown>>
  finish: (response: AuthenticationResponse) => Promise<unknown>
}

/**
 * Renders a button that proves a passkey, and the error above it. Renders nothing where the browser has no passkeys. A
 * prerendered page keeps its place free until the scripts run.
 */
export function PasskeyButton({ label, fullWidth = false, begin, finish }: Props) {
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const isSupported = useSyncExternalStore(neverChanges, supportsPasskeys, () => null)
  if (isSupported === false) return null
  const prove = async () => {
    setBusy(true)
    setError(null)
    try {
      await finish(await provePasskey(await begin()))
    } catch (failure) {
      setError(passkeyError(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <FormError message={error} />
      <Button
        variant="default"
        fullWidth={fullWidth}
        loading={busy}
        className={isSupported === null ? 'invisible' : undefined}
        onClick={() => void prove()}
      >
        {label}
      </Button>
    </>
  )
}

const neverChanges = () => () => {}

/** Returns the message to show when a passkey could not be created or used. */
export function passkeyError(error: unknown): string {
  if (error instanceof ApiError) return errorMessage(error)
  if (error instanceof PasskeyCancelled) return t`The passkey was not used. Try again, or use another way.`
  return t`This device could not use a passkey.`
}
