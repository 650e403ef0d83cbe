import { beginPasskeySignIn, signInWithPasskey } from '#contract/second-factor.ts'
import { PasskeyButton } from '#web/features/auth/passkey-button.tsx'
import { call } from '#web/lib/api.ts'
import { useSessionChange } from '#web/lib/session.tsx'

/** Renders a button that signs in with a passkey: alone, or as the second step of this browser's pending sign-in. */
export function PasskeySignIn({ label, onSignedIn }: { label: string; onSignedIn: () => void }) {
  const change = useSessionChange()
  return (
    <PasskeyButton
      label={label}
      fullWidth
      begin={() => call(beginPasskeySignIn, {})}
      finish={async (response) => {
        await change(() => call(signInWithPasskey, { body: { response } }))
        onSignedIn()
      }}
    />
  )
}
