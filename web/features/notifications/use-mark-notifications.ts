import { plural } from '@lingui/core/macro'
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type ListedNotification,
  myNotifications,
  type NotificationCategory,
  notifications,
  readNotifications,
  setNotificationsRead,
} from '#contract/notifications.ts'
import { LIST_LIMIT_MAX } from '#contract/product.ts'
import { call, errorMessage, type Input, type Page } from '#web/lib/api.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toasts.tsx'

type Cached = InfiniteData<Page<typeof myNotifications>>

/**
 * Returns functions that mark notifications read or unread, `markAll` those of a category or of all. The lists show it before the
 * server has confirmed it. Without a network it is sent later.
 */
export function useMarkNotifications(email: string, category?: NotificationCategory) {
  const queryClient = useQueryClient()

  const updateLists = (
    read: boolean,
    includes: (row: ListedNotification) => boolean,
    input?: Input<typeof myNotifications>,
  ) =>
    queryClient.setQueriesData<Cached>(
      { queryKey: queryKeyOf(myNotifications, input) },
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            reply: page.reply.map((row) => (includes(row) ? { ...row, read } : row)),
          })),
        },
    )
  const onError = (error: Error) => {
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(myNotifications) })
    void toast({ message: errorMessage(error), tone: 'error' })
  }
  const onSuccess = (read: boolean) => {
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(notifications) })
    // A list of unread ones may have dropped what is unread again.
    const refetchType = read ? 'none' : 'active'
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(myNotifications), refetchType })
  }

  const mark = useMutation({
    mutationFn: async ({ ids, read }: { ids: string[]; read: boolean }) => {
      // A group may have more than the server marks in one request.
      for (let from = 0; from < ids.length; from += LIST_LIMIT_MAX) {
        await call(setNotificationsRead, { body: { ids: ids.slice(from, from + LIST_LIMIT_MAX), read } })
      }
    },
    onMutate: ({ ids, read }) => updateLists(read, ({ _id }) => ids.includes(_id)),
    onError,
    networkMode: 'online',
    onSuccess: (_, { read }) => onSuccess(read),
  })
  const markAll = useMutation({
    mutationFn: (upTo: string) => call(readNotifications, { params: { email }, body: { upTo, category } }),
    onMutate: (upTo) =>
      updateLists(true, ({ _id }) => Number(_id) <= Number(upTo), category && { query: { category } }),
    onError,
    networkMode: 'online',
    onSuccess: ({ modifiedCount }) => {
      onSuccess(true)
      void toast({
        message: plural(modifiedCount, {
          one: '# notification marked as read',
          other: '# notifications marked as read',
        }),
      })
    },
  })
  return {
    mark: (rows: readonly ListedNotification[], read: boolean) => {
      const ids = rows.filter((row) => row.read !== read).map(({ _id }) => _id)
      if (ids.length > 0) mark.mutate({ ids, read })
    },
    markAll: markAll.mutate,
  }
}
