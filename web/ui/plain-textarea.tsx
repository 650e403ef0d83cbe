import { type ComponentProps, useId } from 'react'
import './plain-textarea.css'

type Props = Omit<ComponentProps<'textarea'>, 'id' | 'className'> & {
  label: string
  error?: string | undefined
}

/** Renders a text area with its label and error, with CSS only (see web/ui/button.tsx). It grows with its text. */
export function PlainTextarea({ label, error, required = false, ...rest }: Props) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="font-number">
        {label}
        {required && (
          <span aria-hidden className="text-danger">
            {' *'}
          </span>
        )}
      </label>
      <textarea
        id={id}
        rows={6}
        className="field mt-1"
        required={required}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        {...rest}
      />
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
