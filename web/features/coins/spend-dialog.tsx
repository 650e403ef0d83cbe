import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { CostLine } from '#web/features/coins/cost-line.tsx'
import { ApiError } from '#web/lib/api.ts'
import { formatCoins } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { showMessage, useDialogLock } from '#web/ui/dialogs.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'

/** `replayed`: an earlier attempt had succeeded, so that nothing was done. `unaffordable`: the balance is too small for the change. */
export type ChangeResult = 'done' | 'replayed' | 'unaffordable'
export type Close = (result: ChangeResult | null) => void

/**
 * Closes the dialog after a change, also when the balance is too small for it. Other errors are the form's, and so is the refusal
 * of an earlier attempt: the balance may suffice now.
 */
export async function closeAfter(close: Close, change: () => Promise<{ isReplay: boolean }>): Promise<void> {
  try {
    const { isReplay } = await change()
    close(isReplay ? 'replayed' : 'done')
  } catch (error) {
    const isRefusedNow = error instanceof ApiError && !error.isReplay
    if (!isRefusedNow || error.code !== 'insufficient_coins') throw error
    close('unaffordable')
  }
}

/** Says that an earlier attempt had succeeded: who wants to pay a second time has to do it again. */
export function showReplayed(): Promise<void> {
  return showMessage({
    title: t`This was already done`,
    text: t`Your earlier attempt succeeded, so nothing was done or paid again.`,
  })
}

type Props = {
  /** What `useForm` returns. */
  form: { props: ComponentProps<'form'>; submitError: string | null; isSubmitting: boolean }
  submitLabel: string
  close: Close
  children: ReactNode
}

/**
 * Renders a form in a dialog: its fields, the error of sending it, Cancel and its submit button. While the form is sent it cannot
 * be cancelled: the request may succeed, and another try would pay a second time.
 */
export function DialogForm({ form, submitLabel, close, children }: Props) {
  useDialogLock(form.isSubmitting)
  return (
    <form {...form.props} className="space-y-4">
      {children}
      <FormError message={form.submitError} />
      <FormActions>
        <Button
          variant="default"
          disabled={form.isSubmitting}
          onClick={() => close(null)}
        >{t`Cancel`}</Button>
        <Button type="submit" loading={form.isSubmitting}>
          {submitLabel}
        </Button>
      </FormActions>
    </form>
  )
}

/** Renders what an action costs, line by line, and the balance afterwards, or the coins that are missing. */
export function CostOfAction({ total, children }: { total: number; children: ReactNode }) {
  const { coin, spendable = coin } = useUserData()
  const missing = total - spendable
  const remaining = missing > 0 ? -missing : coin - total
  return (
    <dl
      className="space-y-2 rounded-control bg-canvas px-4 py-3 text-sm"
      aria-label={t`Cost`}
      aria-live="polite"
      aria-atomic="true"
    >
      {children}
      {spendable < coin && <CostLine label={t`You can spend now`}>{formatCoins(spendable)}</CostLine>}
      <CostLine label={remaining < 0 ? t`Coins needed` : t`Balance afterwards`}>
        <span className={remaining < 0 ? 'text-danger' : ''}>{formatCoins(Math.abs(remaining))}</span>
      </CostLine>
    </dl>
  )
}
