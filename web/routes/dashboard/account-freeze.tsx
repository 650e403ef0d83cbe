import { t } from '@lingui/core/macro'
import { Button, Textarea } from '@mantine/core'
import { useQueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { type Freeze, FreezeResponse, myFreezes, respondToFreeze } from '#contract/freezes.ts'
import { waiting } from '#contract/waiting.ts'
import { call } from '#web/lib/api.ts'
import { deleteDraft, readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { infiniteQueryOf, invalidateEndpoints } from '#web/lib/queries.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { UserText } from '#web/ui/user-text.tsx'

/** Renders the user's own freezes: why their coins cannot move, and a form to respond. */
export default function AccountFreeze() {
  const query = useSuspenseInfiniteQuery(infiniteQueryOf(myFreezes, {}))
  const freezes = query.data.pages.flatMap((page) => page.reply)
  return (
    <Screen
      title={t`Account Freeze`}
      subtitle={t`Why your coins cannot move, and what you can do`}
      width="narrow"
    >
      {freezes.length === 0 ? (
        <EmptyState title={t`Nothing is frozen.`}>{t`Your coins can move as usual.`}</EmptyState>
      ) : (
        <>
          <ul aria-label={t`Freezes`} className="space-y-4">
            {freezes.map((freeze) => (
              <li key={freeze._id}>
                <OwnFreeze freeze={freeze} />
              </li>
            ))}
          </ul>
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}

function OwnFreeze({ freeze }: { freeze: Freeze }) {
  const { subject, coins, reason, frozenAt, response, endedAt, endReason } = freeze
  return (
    <article className="card p-5 text-sm sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base">
          {subject === 'account'
            ? t`Your account`
            : t`Your withdrawal of ${{ coins: formatCoins(coins ?? 0) }}`}
        </h2>
        <StatusBadge tone={endedAt === null ? 'error' : 'neutral'}>
          {endedAt === null ? t`Frozen` : t`Ended`}
        </StatusBadge>
      </div>
      <p className="text-xs text-dim">{t`Since ${{ time: formatDateTime(frozenAt) }}`}</p>
      <UserText className="mt-3">{reason}</UserText>
      {endedAt === null ? (
        <>
          <p className="mt-3 text-dim">
            {subject === 'account'
              ? t`You can still submit work and you keep what you earn. You cannot spend or withdraw coins.`
              : t`The coins stay on hold. They are not lost, and the rest of your account works as usual.`}
          </p>
          <ResponseForm id={freeze._id} response={response} />
        </>
      ) : (
        <p className="mt-3 text-dim">
          {endReason === ''
            ? t`Ended ${{ time: formatDateTime(endedAt) }}`
            : t`Ended ${{ time: formatDateTime(endedAt) }}: ${endReason}`}
        </p>
      )}
    </article>
  )
}

function ResponseForm({ id, response }: { id: string; response: string | null }) {
  const queryClient = useQueryClient()
  const draftKey = `freeze ${id}`
  const form = useForm({
    about: id,
    schema: FreezeResponse,
    initialValues: readDraft(draftKey, { text: response ?? '' }),
    submit: async (body) => {
      await call(respondToFreeze, { params: { id }, body })
      deleteDraft(draftKey)
      await invalidateEndpoints(queryClient, [myFreezes, waiting])
      void toast({ message: t`Your response was sent.` })
    },
  })
  useDraft(draftKey, form.values)
  return (
    <form {...form.props} className="mt-4 space-y-3">
      <Textarea
        label={t`Your response`}
        required
        autosize
        minRows={3}
        maxLength={2000}
        {...form.field('text')}
      />
      <FormError message={form.submitError} />
      <Button type="submit" loading={form.isSubmitting}>
        {response === null ? t`Send response` : t`Change response`}
      </Button>
    </form>
  )
}
