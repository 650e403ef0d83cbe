import { t } from '@lingui/core/macro'
import { endFreeze } from '#contract/freezes.ts'
import { call } from '#web/lib/api.ts'
import { prompt } from '#web/ui/dialogs.tsx'

/** Asks for a reason and ends a freeze. Returns whether the Admin confirmed it. */
export async function promptToEndFreeze(id: string): Promise<boolean> {
  const reason = await prompt({
    title: t`End this freeze?`,
    text: t`Coins can move again unless another freeze remains. The user will see your reason.`,
    label: t`Reason`,
    maxLength: 2000,
    requiredMessage: t`Enter a reason. The user will see it.`,
    confirmLabel: t`End freeze`,
  })
  if (reason === null) return false
  await call(endFreeze, { params: { id }, body: { reason } })
  return true
}
