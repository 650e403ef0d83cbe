import { Button } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { FormActions } from '#web/ui/form-actions.tsx'
import { DecisionLabel } from './decision-label.tsx'
import type { DecisionKind } from './decisions.tsx'

type Props = {
  label: string
  /** The props of `useForm`. */
  form: Pick<ComponentProps<'form'>, 'ref' | 'method' | 'action' | 'onSubmit'>
  kind: DecisionKind
  worker: string
  color?: string
  onCancel: () => void
  children: ReactNode
}

/** Renders the form of a decision. Ctrl or ⌘ Enter submits it, Esc closes it. */
export function DecisionFormFrame({ label, form, kind, worker, color, onCancel, children }: Props) {
  return (
    <form
      {...form}
      aria-label={label}
      className="space-y-4"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      {children}
      <FormActions onCancel={onCancel}>
        <Button type="submit" {...(color && { color })}>
          <DecisionLabel kind={kind} worker={worker} />
        </Button>
      </FormActions>
    </form>
  )
}
