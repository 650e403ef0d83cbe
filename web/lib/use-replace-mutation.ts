import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { call, type Input, type Reply } from '#web/lib/api.ts'
import { queryKeyOf } from '#web/lib/queries.ts'

type Options<E extends Endpoint> = {
  /** The endpoint that reads the value. It takes no parameters. */
  read: E
  send: (value: Reply<E>) => Promise<unknown>
  onError?: (error: Error) => void
}

/**
 * Returns a mutation that edits a value that is sent as a whole, and shows the new one at once. The edit is made to the value that
 * the server has now, so that the change of another device stays. Several run one after another, so that the latest is the
 * last. The value is read again after it: until then the server has an older one than the screen. When the last one fails, the
 * last value that the server has accepted is shown, since it cannot be read without a connection.
 */
export function useReplaceMutation<E extends Endpoint>({ read, send, onError }: Options<E>) {
  const queryClient = useQueryClient()
  const key = queryKeyOf(read)
  const input = {} as Input<E>
  const shownKey = queryKeyOf(read, input)
  const accepted = useRef<Reply<E>>(undefined)
  const isOnly = () => queryClient.isMutating({ mutationKey: key }) === 1
  return useMutation({
    mutationKey: key,
    scope: { id: read.path },
    // Without a connection it fails at once: a form that waits for one could not be closed.
    networkMode: 'always',
    mutationFn: async (edit: (value: Reply<E>) => Reply<E>) => {
      accepted.current = await call(read, input)
      const value = edit(accepted.current)
      await send(value)
      accepted.current = value
    },
    onMutate: async (edit) => {
      const isFirst = isOnly()
      await queryClient.cancelQueries({ queryKey: key })
      const shown = queryClient.getQueryData<Reply<E>>(shownKey)
      if (shown === undefined) return
      if (isFirst) accepted.current = shown
      queryClient.setQueryData(shownKey, edit(shown))
    },
    onError: (error) => {
      if (isOnly()) queryClient.setQueryData(shownKey, accepted.current)
      onError?.(error)
    },
    onSettled: async () => {
      if (isOnly()) await queryClient.invalidateQueries({ queryKey: key })
    },
  })
}
