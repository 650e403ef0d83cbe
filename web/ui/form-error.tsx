import { IconAlertTriangle } from '#web/ui/icons.ts'

/** Renders the reason why a form could not be submitted. Screen readers announce it when it appears. */
export function FormError({ message }: { message: string | null }) {
  return (
    <div role="alert" className="empty:hidden">
      {message && (
        <p className="flex items-start gap-2 rounded-control bg-danger-soft px-4 py-3 text-sm text-danger">
          <IconAlertTriangle size={20} className="shrink-0" aria-hidden />
          {message}
        </p>
      )}
    </div>
  )
}
