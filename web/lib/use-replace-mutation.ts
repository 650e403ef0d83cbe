import { useMutation, useQueryClient } from '@tanstack/react-query'
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
 * the latest is the last. The value is read again after it: until then the server has an older one than the screen.
 */
export function useReplaceMutation<Value>({ read, send, ...options }: Options<Value>) {
  const queryClient = useQueryClient()
  const key = queryKeyOf(read)
  return useMutation({
    mutationKey: key,
    scope: { id: read.path },
    // Without a connection it fails at once: a form that waits for one could not be closed.
    networkMode: 'always',
    mutationFn: send,
    onMutate: async (value) => {
      await queryClient.cancelQueries({ queryKey: key })
      queryClient.setQueryData(queryKeyOf(read, {}), value)
    },
    ...options,
    onSettled: async () => {
      if (queryClient.isMutating({ mutationKey: key }) === 1)
        await queryClient.invalidateQueries({ queryKey: key })
    },
  })
}
