import { t } from '@lingui/core/macro'
import { PlainButton } from '#web/ui/button.tsx'
import { IconAlertTriangle, IconRefresh } from '#web/ui/icons.ts'

type Props = { title?: string; message: string; retry?: () => void }

/** Renders the error state of something that could not be loaded, with a retry button. */
export function ErrorState({ title = t`Could not load this`, message, retry }: Props) {
  return (
    <div role="alert" className="card flex flex-col items-center px-6 py-14 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-danger-soft text-danger">
        <IconAlertTriangle size={26} aria-hidden />
      </span>
      <h2 className="mt-5 text-lg">{title}</h2>
      <p className="mt-1 max-w-sm text-dim">{message}</p>
      {retry && (
        <PlainButton className="mt-5" variant="default" icon={<IconRefresh size={18} />} onClick={retry}>
          {t`Try again`}
        </PlainButton>
      )}
    </div>
  )
}
