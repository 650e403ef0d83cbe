import { t } from '@lingui/core/macro'
import { NewSecret } from '#web/ui/new-secret.tsx'

type Props = { title: string; note?: string; secret: string; onDone: () => void }

/** Renders the secret of a webhook endpoint, which is shown only once. */
export function WebhookSecret({ note, ...secret }: Props) {
  return (
    <NewSecret {...secret} copyLabel={t`Copy secret`}>
      <p>{t`Copy the secret now and store it like a password. Your system verifies our signatures with it. It is shown only once.`}</p>
      {note !== undefined && <p className="text-dim">{note}</p>}
    </NewSecret>
  )
}
