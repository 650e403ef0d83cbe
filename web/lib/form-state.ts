import type { FormErrors } from '@mantine/form'
import { useRef, useState } from 'react'

type Values = Record<string, unknown>

/**
 * Returns the state of a form: its values, and its error messages by path. `getValues` returns the latest values, also before
 * they are rendered.
 */
export function useFormState<V extends Values>(initialValues: V) {
  const [initial] = useState(initialValues)
  const [values, renderValues] = useState(initial)
  const [errors, setErrors] = useState<FormErrors>({})
  const latest = useRef(values)

  function setValues(change: Partial<V>): void {
    latest.current = { ...latest.current, ...change }
    renderValues(latest.current)
  }

  return {
    values,
    errors,
    setErrors,
    setValues,
    getValues: () => latest.current,
    /** Sets a field to a value, or to what a function makes of the current one. */
    setValue<K extends keyof V & string>(name: K, value: V[K] | ((current: V[K]) => V[K])): void {
      const next = value instanceof Function ? value(latest.current[name]) : value
      setValues({ [name]: next } as unknown as Partial<V>)
    },
    isChanged: (name: keyof V) => !isEqual(latest.current[name], initial[name]),
    reset(): void {
      setValues(initial)
      setErrors({})
    },
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a instanceof File || b instanceof File) return a === b
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** Returns the value of what an input's `onChange` passes: an event, or the value itself. */
export function valueOfChange(change: unknown): unknown {
  if (typeof change !== 'object' || change === null || !('nativeEvent' in change)) return change
  const { currentTarget: input } = change as unknown as { currentTarget: HTMLInputElement }
  return input.type === 'checkbox' ? input.checked : input.value
}
