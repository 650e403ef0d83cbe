import { useEffect, useRef, useState } from 'react'
import { formKey, registerForm, takeTransferredValues } from '#web/lib/form-transfer.ts'

/**
 * Returns a state that is carried to the same page in another language, where a form does without `useForm`. `name`
 * distinguishes it from other states of the page; values are stored as JSON.
 */
export function useTransferredState<T>(name: string, initial: () => T): [value: T, set: (value: T) => void] {
  const key = formKey(name)
  const [first] = useState(initial)
  const [value, set] = useState<T>(() => (takeTransferredValues(key).value as T | undefined) ?? first)
  const current = useRef(value)
  useEffect(() => {
    current.current = value
  }, [value])
  useEffect(
    () =>
      registerForm(() =>
        current.current === first ? undefined : { key, values: { value: current.current } },
      ),
    [key, first],
  )
  return [value, set]
}
