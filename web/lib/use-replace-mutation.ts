import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { queryKeyOf } from '#web/lib/queries.ts'

type Options<Value> = {
  /** The endpoint that reads the value. It takes no parameters. */
  read: Endpoint
  send: (value: Value) => Promise<unknown>
  onError?: (error: Error) => void
}

/**
 * Returns a mutation that replaces a value as a whole and shows the new one at once. Several run one after another, so that
 * the latest is the last. The value is read again after it: until then the server has an older one than the screen. When the
 * last one fails, the last value that the server has accepted is shown, since it cannot be read without a connection.
 */
export function useReplaceMutation<Value>({ read, send, onError }: Options<Value>) {
  const queryClient = useQueryClient()
  const key = queryKeyOf(read)
  const accepted = useRef<Value>(undefined)
  const isOnly = () => queryClient.isMutating({ mutationKey: key }) === 1
  return useMutation({
    mutationKey: key,
    scope: { id: read.path },
    // Without a connection it fails at once: a form that waits for one could not be closed.
    networkMode: 'always',
    mutationFn: send,
    onMutate: async (value) => {
      const isFirst = isOnly()
      await queryClient.cancelQueries({ queryKey: key })
      if (isFirst) accepted.current = queryClient.getQueryData(queryKeyOf(read, {}))
      queryClient.setQueryData(queryKeyOf(read, {}), value)
    },
    onSuccess: (_, value) => {
      accepted.current = value
    },
    onError: (error) => {
      if (isOnly()) queryClient.setQueryData(queryKeyOf(read, {}), accepted.current)
      onError?.(error)
    },
    onSettled: async () => {
      if (isOnly()) await queryClient.invalidateQueries({ queryKey: key })
    },
  })
}
