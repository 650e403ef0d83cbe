import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useSite } from '#web/features/site/site.ts'
import { useSession } from '#web/lib/session.tsx'

type Props = {
  returnTo: string
  /** Shown above the buttons. */
  note?: string
  /** A user who is not registered yet chooses the role after the sign-in, from Buyer. Otherwise they become a Worker. */
  choosesRole?: boolean
}

/** Renders sign-in buttons for Google and other configured identity providers. */
export function ProviderButtons({ returnTo, note, choosesRole = false }: Props) {
  const { signInWithGoogle } = useSession()
  const providers = useSite()?.providers ?? []
  if (providers.length === 0) return null
  return (
    <div className="mt-4 space-y-3 border-t border-line pt-4">
      {note && <p className="text-sm text-dim">{note}</p>}
      {providers.map((provider) => (
        <Button
          key={provider.id}
          variant="default"
          fullWidth
          leftSection={provider.id === 'google' ? <GoogleLogo /> : undefined}
          onClick={() =>
            choosesRole
              ? signInWithGoogle(provider.id, `${returnTo}?role=Buyer`, { asWorker: false })
              : signInWithGoogle(provider.id, returnTo)
          }
        >
          {t`Continue with ${{ label: provider.label }}`}
          {provider.demonstration && (
            <span className="block text-xs font-normal text-dim">{t`(demonstration)`}</span>
          )}
        </Button>
      ))}
    </div>
  )
}

function GoogleLogo() {
  return (
    <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M23.5 12.3c0-.8-.1-1.6-.2-2.3H12v4.5h6.5a5.6 5.6 0 0 1-2.4 3.6v3h3.9c2.2-2.1 3.5-5.1 3.5-8.8z"
      />
      <path
        fill="#34a853"
        d="M12 24c3.2 0 6-1.1 8-2.9l-3.9-3c-1.1.7-2.5 1.2-4.1 1.2-3.1 0-5.8-2.1-6.7-5H1.3v3.1A12 12 0 0 0 12 24z"
      />
      <path fill="#fbbc05" d="M5.3 14.3a7.2 7.2 0 0 1 0-4.6V6.6h-4a12 12 0 0 0 0 10.8z" />
      <path
        fill="#ea4335"
        d="M12 4.8c1.8 0 3.3.6 4.6 1.8L20 3.1A12 12 0 0 0 1.3 6.6l4 3.1c.9-2.9 3.6-4.9 6.7-4.9z"
      />
    </svg>
  )
}
