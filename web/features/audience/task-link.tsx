import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { renewTaskLink, revokeTaskLink, taskLink } from '#contract/task-access.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { pagePath } from '#web/lib/locale.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'

/** Renders the link of the buyer's own private task: copy, replace or revoke it. */
export function TaskLinkPanel({ taskId }: { taskId: string }) {
  const queryClient = useQueryClient()
  const { data } = useSuspenseQuery({ ...queryOf(taskLink, { params: { id: taskId } }), staleTime: 0 })
  const [isBusy, setIsBusy] = useState(false)

  const change = async (endpoint: typeof renewTaskLink | typeof revokeTaskLink) => {
    const isRenewed = endpoint === renewTaskLink
    const confirmed =
      data.token === null ||
      (await confirm({
        title: isRenewed ? t`Replace the link?` : t`Revoke the link?`,
        text: t`Workers who came through the link cannot take more. What they have reserved or submitted stays.`,
        confirmLabel: isRenewed ? t`Replace` : t`Revoke`,
        danger: true,
      }))
    if (!confirmed) return
    setIsBusy(true)
    try {
      const link = await call(endpoint, { params: { id: taskId } })
      queryClient.setQueryData(queryKeyOf(taskLink, { params: { id: taskId } }), link)
    } catch (error) {
      await showMessage({ title: t`Could not change the link`, text: errorMessage(error), tone: 'error' })
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <section aria-label={t`Private link`} className="card p-5 sm:p-6">
      <h2 className="text-lg">{t`Private link`}</h2>
      <p className="mt-1 text-sm text-dim">
        {data.token === null
          ? t`The link was revoked. Nobody can take a slot until you make a new one.`
          : t`Send it to the workers who may do this task. The task is not listed anywhere.`}
      </p>
      {data.token !== null && (
        <>
          <p className="mt-3 text-sm">
            <CopyableText value={urlOf(data.token)} name={t`the private link`} />
          </p>
          <p className="mt-1 text-sm text-dim">
            {plural(data.workers, {
              0: 'No worker has opened it yet',
              one: '# worker has opened it',
              other: '# workers have opened it',
            })}
          </p>
        </>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="default" loading={isBusy} onClick={() => void change(renewTaskLink)}>
          {data.token === null ? t`Make a new link` : t`Replace link`}
        </Button>
        {data.token !== null && (
          <Button variant="default" disabled={isBusy} onClick={() => void change(revokeTaskLink)}>
            {t`Revoke link`}
          </Button>
        )}
      </div>
    </section>
  )
}

/** The token is in the fragment, which is sent to no server. */
const urlOf = (token: string) => `${location.origin}${pagePath('/dashboard/private-task')}#token=${token}`
