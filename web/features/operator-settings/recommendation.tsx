import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconInfoCircle } from '#web/ui/icons.ts'

type Props = {
  reason: string
  /** What differs from the current value. */
  text: ReactNode
  use: () => void
}

/** Renders the recommended value of a setting with the reason, and fills it into the form. Nothing is saved by it. */
export function Recommendation({ reason, text, use }: Props) {
  return (
    <div className="mb-5 flex flex-wrap gap-3 rounded-control bg-soft p-4 text-sm text-on-soft">
      <IconInfoCircle size={20} className="shrink-0" aria-hidden />
      <div className="min-w-0 flex-1 basis-40 space-y-2">
        <p>
          <strong>{t`Recommended.`}</strong> {reason}
        </p>
        {text}
        <Button variant="default" size="xs" onClick={use}>{t`Fill in recommended values`}</Button>
      </div>
    </div>
  )
}
