import { t } from '@lingui/core/macro'
import { endFreeze } from '#contract/freezes.ts'
import { call } from '#web/lib/api.ts'
import { prompt } from '#web/ui/dialogs.tsx'

/** Asks for a reason to end a freeze. `change` sends the request. */
export function promptToEndFreeze(
  id: string,
  change: (end: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  return prompt({
    title: t`End this freeze?`,
    text: t`Coins can move again unless another freeze remains. The user will see your reason.`,
    label: t`Reason`,
    maxLength: 2000,
    requiredMessage: t`Enter a reason. The user will see it.`,
    confirmLabel: t`End freeze`,
    draft: `end freeze ${id}`,
    submit: (reason) => change(() => call(endFreeze, { params: { id }, body: { reason } })),
  })
}
