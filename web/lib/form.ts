import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { formAction } from '#contract/endpoint.ts'
import { ApiError, errorMessage, isRefusal, offlineError } from '#web/lib/api.ts'
import { loadChunk } from '#web/lib/chunk-loading.ts'
import { useFormState, valueOfChange } from '#web/lib/form-state.ts'
import {
  formKey,
  registerForm,
  takeTransferredPictures,
  takeTransferredValues,
} from '#web/lib/form-transfer.ts'
import { confirmSecondAttempt } from '#web/lib/second-attempt.ts'
import { isSecret } from '#web/lib/typed-fields.ts'
import { beginAttempt, isRepeatable, useUnknownAttempts } from '#web/lib/unknown-attempts.ts'

type Values = Record<string, unknown>

/** What a request of a form is sent with (the options of `call`). */
export type Attempt = { idempotencyKey: string; isRetry: boolean; keepBody: (body: unknown) => unknown }

type FormInput<V extends Values, S extends z.ZodMiniType> = {
  /**
   * The contract's schema of this form; its messages are shown at the fields. Forms of the first screens load it when somebody
   * types, by a function that is the same for each render.
   */
  schema: S | (() => Promise<{ default: S }>)
  /** Where the schema does not load, such as offline, the values are sent as they are: the server validates them too. */
  schemaIsOptional?: true
  initialValues: V
  /** The endpoint that a form of a prerendered page posts to before the page's scripts run. */
  postsTo?: { path: string }
  /** What the form is about, where a page has several of a kind: the id of the row. */
  about?: string
  /**
   * Names what the form pays for, and the user or what only one user pays for. An attempt with an unknown outcome is then kept in
   * the browser, so that it also keeps its idempotency key after the form was closed or the page reloaded.
   */
  attemptName?: string
  /**
   * Sends the validated values with the options in `attempt`. A retry with the same values has the idempotency key and the body of
   * the first attempt, so that a lost response does not cause a second write: the first attempt may have succeeded. Errors it throws
   * are shown; `fields` of an ApiError are shown at their fields.
   */
  submit: (values: z.output<S>, attempt: Attempt) => Promise<unknown>
  /** Shows an error elsewhere, such as in a dialog. Without it, `submitError` holds the message for `FormError`. */
  onError?: (error: unknown) => void
}

/**
 * Creates the state of a form that validates against the contract. A changed field is validated on blur, and an
 * invalid one on every change. Submitting validates all fields and focuses the first invalid one. While a request is in
 * flight the form cannot be submitted again; after an error the values stay.
 */
export function useForm<V extends Values, S extends z.ZodMiniType>(input: FormInput<V, S>) {
  const element = useRef<HTMLFormElement>(null)
  const attempts = useUnknownAttempts(input.attemptName)
  const submitting = useRef(false)
  const [isSubmitting, setIsSubmitting] = useState(false)
  const [submitError, setSubmitError] = useState<string | null>(null)
  const [invalidSubmits, setInvalidSubmits] = useState(0)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const form = useFormState(input.initialValues)

  // Values carried over from another language. Hydration leaves in the inputs what was typed before it; the next render
  // would reset them to the form's values.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useLayoutEffect(() => {
    const { initialValues, postsTo, about = '' } = input
    const names = Object.keys(initialValues)
    const key = postsTo ? formAction(postsTo) : formKey(about, ...names)
    const transferred = takeTransferredValues(key)
    const typed = postsTo && element.current ? typedValues(element.current, initialValues) : {}
    const found = Object.entries({ ...transferred, ...typed }).filter(([name]) => names.includes(name))
    if (found.length > 0) form.setValues(Object.fromEntries(found) as Partial<V>)
    // Without them the user chooses again, and may have chosen before they arrive.
    takeTransferredPictures(key)?.then(
      (pictures) => form.setValues({ ...pictures, ...chosenPictures(form.getValues()) } as Partial<V>),
      () => {},
    )
    return registerForm(() => {
      if (element.current === null || element.current.closest('[role=dialog]')) return undefined
      const values = form.getValues()
      return {
        key,
        values: changedValues(element.current, values, initialValues),
        pictures: chosenPictures(values),
      }
    })
  }, [])

  useEffect(() => {
    if (invalidSubmits > 0) firstInvalidInput(element.current)?.focus()
  }, [invalidSubmits])

  async function submit(values: V) {
    if (submitting.current) return
    setWasSubmitted(true)
    setSubmitError(null)
    submitting.current = true
    setIsSubmitting(true)
    try {
      await send(values)
    } finally {
      submitting.current = false
      setIsSubmitting(false)
    }
  }

  async function send(values: V) {
    const validator = await loadValidator(input.schema)
    if (validator === undefined && !input.schemaIsOptional) return handleError(offlineError())
    const errors = validator?.validate(values) ?? {}
    form.setErrors(errors)
    if (Object.keys(errors).length > 0) return setInvalidSubmits((n) => n + 1)

    const last = attempts.find(values)
    const isRetry = last !== undefined && isRepeatable(last)
    if (last !== undefined && !isRetry) {
      // The dialog may not load.
      const isConfirmed = await confirmSecondAttempt().catch(() => null)
      if (isConfirmed === null) return handleError(offlineError())
      if (!isConfirmed) return
    }
    let sent = isRetry ? last : beginAttempt(values)
    attempts.keep(sent)
    const keepBody = (body: unknown) => {
      sent = { body, ...sent }
      attempts.keep(sent)
      return sent.body
    }
    try {
      const parsed = validator === undefined ? values : validator.schema.parse(values)
      await input.submit(parsed as z.output<S>, { idempotencyKey: sent.key, isRetry, keepBody })
      attempts.forget(sent)
    } catch (error) {
      // The server has processed the first attempt as something else, such as an earlier version. It cannot be repeated.
      if (isRetry && error instanceof ApiError && error.code === 'idempotency_key_reused') {
        attempts.keep({ ...sent, at: 0 })
        return send(values)
      }
      // A refusal is final, and the server has not processed a first attempt that it rejects for its session or a limit: the next
      // one gets a new key. Otherwise this or an earlier attempt may have succeeded: keep it.
      const isRejected = error instanceof ApiError && [401, 429].includes(error.status)
      if (isRefusal(error) || (isRejected && !isRetry)) attempts.forget(sent)
      if (!(isRetry && isRefusal(error) && error.isReplay)) return handleError(error)
      // It is the first attempt's refusal: nothing was done under its key, and the cause may no longer exist.
      await send(values)
    }
  }

  function handleError(error: unknown) {
    const fieldErrors = error instanceof ApiError ? pickKnownFields(error.fields, input.initialValues) : {}
    const hasFieldErrors = Object.keys(fieldErrors).length > 0
    if (hasFieldErrors) {
      form.setErrors(fieldErrors)
      setInvalidSubmits((n) => n + 1)
    }
    if (hasFieldErrors && (error as ApiError).code === 'invalid_fields') return
    if (input.onError) input.onError(error)
    else if (!hasFieldErrors) setSubmitError(errorMessage(error))
  }

  /** Returns the props of a field's input: `<TextInput label="Email" {...form.field('email')} />`. */
  function field<K extends keyof V & string>(name: K) {
    return {
      value: form.values[name],
      error: form.errors[name] as string | undefined,
      name,
      // Mantine's inputs pass an event or a value, depending on the component; the form accepts both.
      // biome-ignore lint/suspicious/noExplicitAny: see above
      onChange: (change: any) => {
        form.setValue(name, valueOfChange(change) as V[K])
        if (hasErrors(name)) queueMicrotask(() => void revalidate(name))
      },
      onBlur: () => {
        if (form.isChanged(name)) void revalidate(name)
      },
    }
  }

  const hasErrors = (name: string) => Object.keys(form.errors).some((path) => isWithin(path, name))

  /** Validates a field with everything in it, such as the rows of a list. */
  async function revalidate(name: string) {
    const validator = await loadValidator(input.schema)
    if (validator === undefined) return
    const errors = validator.validate(form.getValues())
    const found = Object.entries(errors).filter(([path]) => isWithin(path, name))
    form.setErrors((shown) => ({
      ...Object.fromEntries(Object.entries(shown).filter(([path]) => !isWithin(path, name))),
      ...Object.fromEntries(found),
    }))
  }

  return {
    /** The props of the form element. */
    props: {
      ref: (node: HTMLFormElement | null) => {
        element.current = node
        // Until the scripts run, the browser validates.
        if (node) node.noValidate = true
      },
      // A form that is sent without scripts puts no field into the URL.
      method: 'post',
      action: input.postsTo && formAction(input.postsTo),
      onFocus: () => {
        void loadValidator(input.schema)
      },
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void submit(form.getValues())
      },
    },
    field,
    values: form.values,
    /** The messages by path, such as `rows.0.name` in the field `rows`. */
    errors: form.errors as Record<string, string>,
    /** Validates a field again that shows an error, because another field that its rule depends on changed. */
    revalidate: (name: keyof V & string) => {
      if (hasErrors(name)) queueMicrotask(() => void revalidate(name))
    },
    setValue: form.setValue,
    reset: form.reset,
    isSubmitting: isSubmitting,
    wasSubmitted,
    submitError: submitError,
    /** Returns the attempt to send the present values that the server may have accepted, and whether a retry finds that out. */
    unknownAttempt: () => {
      const last = attempts.find(form.getValues())
      return last && { isRepeatable: isRepeatable(last), forget: () => attempts.forget(last) }
    },
  }
}

/** Returns the values of the text fields and radio buttons of a prerendered form that are not empty. */
function typedValues<V extends Values>(form: HTMLFormElement, initial: V): Partial<V> {
  const inputs = [...form.elements] as HTMLInputElement[]
  const typed = inputs.filter(
    ({ name, type, checked, value }) =>
      typeof initial[name] === 'string' && value !== '' && (type !== 'radio' || checked),
  )
  return Object.fromEntries(typed.map(({ name, value }) => [name, value])) as Partial<V>
}

/** Returns the values that differ from the initial ones, without secrets and files. */
function changedValues(form: HTMLFormElement, values: Values, initial: Values): Values {
  const inputs = [...form.elements] as HTMLInputElement[]
  const secrets = new Set(inputs.filter(isSecret).map(({ name }) => name))
  const changed = Object.entries(values).filter(
    ([name, value]) =>
      !secrets.has(name) &&
      !(value instanceof File) &&
      JSON.stringify(value) !== JSON.stringify(initial[name]),
  )
  return Object.fromEntries(changed)
}

function chosenPictures(values: Values): Record<string, File> {
  const pictures = Object.entries(values).filter(
    (entry): entry is [string, File] => entry[1] instanceof File && entry[1].type.startsWith('image/'),
  )
  return Object.fromEntries(pictures)
}

function pickKnownFields(fields: Record<string, string>, values: Values): Record<string, string> {
  const names = Object.keys(values)
  return Object.fromEntries(
    Object.entries(fields).filter(([path]) => names.some((name) => isWithin(path, name))),
  )
}

/** Returns whether the path of an error is that of a field or of a value in it. */
const isWithin = (path: string, name: string) => path === name || path.startsWith(`${name}.`)

function firstInvalidInput(form: HTMLFormElement | null): HTMLElement | null {
  const invalid = ':is([aria-invalid="true"], [data-error="true"])'
  const group = '[data-error="true"] :is([role="radiogroup"], [role="group"])'
  return (
    form?.querySelector<HTMLElement>(`:is(input, textarea, select, button)${invalid}, ${group} input`) ?? null
  )
}

const loadValidation = () => import('#web/lib/validation.ts')

/** Returns the schema and what validates with it, or undefined where they do not load, such as without a connection. */
async function loadValidator<S extends z.ZodMiniType>(from: FormInput<Values, S>['schema']) {
  try {
    const [{ validate }, schema] = await Promise.all([
      loadChunk(loadValidation),
      typeof from === 'function' ? loadChunk(from).then((module) => module.default) : from,
    ])
    return { schema, validate: (values: Values) => validate(schema, values) }
  } catch {
    return undefined
  }
}
