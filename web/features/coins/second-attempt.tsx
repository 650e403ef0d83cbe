import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { showDialogOnTop } from '#web/ui/dialogs.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'

type Close = (confirmed: true | null) => void

/** Asks whether to send what may have been done already, above the form's dialog. Resolves to whether the user wants it. */
export async function askForSecondAttempt(): Promise<boolean> {
  const confirmed = await showDialogOnTop<true>({
    title: t`This may already have been done`,
    content: (close) => <SecondAttempt close={close} />,
  })
  return confirmed === true
}

function SecondAttempt({ close }: { close: Close }) {
  return (
    <div className="space-y-6">
      <p className="text-dim">
        {t`Your earlier attempt may have succeeded, although no response arrived. Check first whether it did: sending it again may do it, or pay for it, twice.`}
      </p>
      <FormActions>
        <Button variant="default" data-autofocus onClick={() => close(null)}>{t`Cancel`}</Button>
        <Button onClick={() => close(true)}>{t`Send again`}</Button>
      </FormActions>
    </div>
  )
}
