import { FORM_ERRORS, type FormErrorCode } from '#contract/form-errors.en.ts'
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

/**
 * Renders the errors of a form that was posted before the page's scripts ran. CSS shows the one that the redirect's
 * fragment names.
 */
export function PostedFormErrors({ errors }: { errors: readonly FormErrorCode[] }) {
  return [...errors, 'internal' as const].map((code) => (
    <p
      key={code}
      id={code}
      tabIndex={-1}
      className="hidden scroll-mt-48 rounded-control bg-danger-soft px-4 py-3 text-sm text-danger outline-none target:block"
    >
      {FORM_ERRORS[code]}
    </p>
  ))
}
