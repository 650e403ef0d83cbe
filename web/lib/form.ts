import { type FormErrors, schemaResolver, useForm as useMantineForm } from '@mantine/form'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { ApiError, messageOf } from '#web/lib/api.ts'

type Values = Record<string, unknown>

type FormInput<V extends Values, S extends z.ZodMiniType> = {
  /** The contract's rules for this form; its messages show beside the fields. */
  schema: S
  initialValues: V
  /**
   * Sends the checked values. The key names this attempt: trying again with the same values keeps it, so that a lost
   * answer is not a second order. What it throws is shown; `fields` of an ApiError go beside their fields.
   */
  submit: (values: z.output<S>, attempt: { idempotencyKey: string }) => Promise<unknown>
  /** Shows a failure elsewhere (a dialog). Without it, `failure` holds the sentence for `FormError`. */
  onFailure?: (error: unknown) => void
}

/**
 * A form over the contract: a field's message shows when the person leaves it changed, and follows their typing from
 * then on; sending checks everything and puts the focus on the first field to correct; while it sends, it cannot be
 * sent again; when it fails, nothing typed is lost.
 */
export function useForm<V extends Values, S extends z.ZodMiniType>(input: FormInput<V, S>) {
  const element = useRef<HTMLFormElement>(null)
  const attempt = useRef({ values: '', key: '' })
  const sending = useRef(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [corrections, setCorrections] = useState(0)
  const check = schemaResolver(input.schema as never, { sync: true }) as (values: V) => FormErrors
  const form = useMantineForm<V>({
    initialValues: input.initialValues,
    validate: check as never,
    clearInputErrorOnChange: false,
  })

  useEffect(() => {
    if (corrections > 0) firstInvalid(element.current)?.focus()
  }, [corrections])

  async function send(values: V) {
    if (sending.current) return
    const errors = check(values)
    form.setErrors(errors)
    setFailure(null)
    if (Object.keys(errors).length > 0) return setCorrections((n) => n + 1)

    sending.current = true
    setBusy(true)
    const text = JSON.stringify(values)
    if (attempt.current.values !== text) attempt.current = { values: text, key: crypto.randomUUID() }
    try {
      await input.submit(input.schema.parse(values) as z.output<S>, { idempotencyKey: attempt.current.key })
      attempt.current = { values: '', key: '' }
    } catch (error) {
      refuse(error)
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  function refuse(error: unknown) {
    // A refusal was an answer: the next attempt is a new one. No answer, or a failure on the way, is the same one.
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
      attempt.current = { values: '', key: '' }
    }
    const shown = error instanceof ApiError ? known(error.fields, input.initialValues) : {}
    const beside = Object.keys(shown).length > 0
    if (beside) {
      form.setErrors(shown)
      setCorrections((n) => n + 1)
    }
    if (beside && (error as ApiError).code === 'invalid_fields') return
    if (input.onFailure) input.onFailure(error)
    else if (!beside) setFailure(messageOf(error))
  }

  /** The props of the input for one field: `<TextInput label="Email" {...form.field('email')} />`. */
  function field<K extends keyof V & string>(name: K) {
    const { onChange, onBlur, ...props } = form.getInputProps(name as never)
    return {
      ...props,
      value: props.value as V[K],
      error: props.error as string | undefined,
      name,
      // Mantine's inputs hand over events or values, each its own; the form takes both.
      // biome-ignore lint/suspicious/noExplicitAny: see above
      onChange: (value: any) => {
        onChange(value)
        if (form.errors[name]) queueMicrotask(() => recheck(name))
      },
      onBlur: (event: unknown) => {
        onBlur?.(event)
        if (form.isDirty(name as never)) recheck(name)
      },
    }
  }

  function recheck(name: string) {
    const message = check(form.getValues())[name]
    if (message) form.setFieldError(name as never, message)
    else form.clearFieldError(name as never)
  }

  return {
    /** Spread on the form element. */
    props: {
      ref: element,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void send(form.getValues())
      },
    },
    field,
    values: form.values,
    setValue: form.setFieldValue,
    reset: form.reset,
    busy,
    failure,
  }
}

function known(fields: Record<string, string>, values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in values))
}

function firstInvalid(form: HTMLFormElement | null): HTMLElement | null {
  const wrong = ':is([aria-invalid="true"], [data-error="true"])'
  return form?.querySelector<HTMLElement>(`:is(input, textarea, select, button)${wrong}`) ?? null
}
