import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { type Project, project, projects, setProjectArchived } from '#contract/projects.ts'
import { summaryOf, valuesOfAudience } from '#web/features/audience/audience-values.ts'
import { BatchList } from '#web/features/batches/batch-list.tsx'
import { UploadForm } from '#web/features/batches/upload-form.tsx'
import { ProjectPreview } from '#web/features/projects/project-preview.tsx'
import { TASK_CATEGORY_NAMES } from '#web/features/tasks/category-names.en.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatMinutes, formatPeriod, formatTimeAgo } from '#web/lib/format-time.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'
import { IconPencil } from '#web/ui/icons.ts'
import { Screen } from '#web/ui/screen.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { toast } from '#web/ui/toasts.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

/** Renders a project: the upload of items, its batches, its terms, and how a worker sees an item. */
export default function ProjectScreen() {
  const { id = '' } = useParams()
  const { data } = useSuspenseQuery({ ...queryOf(project, { params: { id } }), staleTime: 0 })
  return (
    <Screen
      title={data.title}
      subtitle={t`Version ${{ version: formatNumber(data.version) }}, changed ${{ time: formatTimeAgo(data.changedAt) }}`}
      action={
        <Button
          component={Link}
          to={`/dashboard/projects/${id}/edit`}
          variant="default"
          leftSection={<IconPencil size={18} aria-hidden />}
        >
          {t`Edit`}
        </Button>
      }
      width="narrow"
    >
      <div className="space-y-5">
        {data.archivedAt === null && <UploadForm project={data} />}
        <BatchList projectId={id} />
        <Terms project={data} />
        <section aria-label={t`Preview`} className="card space-y-5 p-5 sm:p-6">
          <h2 className="text-lg">{t`As a worker sees it`}</h2>
          <ProjectPreview content={data} />
        </section>
      </div>
    </Screen>
  )
}

function Terms({ project: shown }: { project: Project }) {
  const { reward, workersPerItem, columns, reviewHours, reservationMinutes, category, quality } = shown
  return (
    <section aria-label={t`Terms`} className="card p-5 sm:p-6">
      <h2 className="text-lg">{t`Terms`}</h2>
      <StatList>
        <StatRow name={t`Pay per item`}>{formatCoins(reward)}</StatRow>
        <StatRow name={t`Workers per item`}>
          {plural(workersPerItem, { one: '# worker', other: '# workers' })}
        </StatRow>
        <StatRow name={t`Time per item`}>{formatMinutes(reservationMinutes)}</StatRow>
        <StatRow name={t`Review within`}>
          {reviewHours === null ? t`Standard period` : formatPeriod(reviewHours)}
        </StatRow>
        <StatRow name={t`Who may work`}>{summaryOf(valuesOfAudience(shown.audience))}</StatRow>
        <StatRow name={t`Category`}>{TASK_CATEGORY_NAMES[category]}</StatRow>
        <QualityRows quality={quality} />
        <StatRow name={t`Columns of the file`}>{columns.length > 0 ? columns.join(', ') : t`Any`}</StatRow>
      </StatList>
      <div className="mt-4">
        <ArchiveButton project={shown} />
      </div>
    </section>
  )
}

function QualityRows({ quality }: Pick<Project, 'quality'>) {
  const { leastScore = null, approveShare = null } = quality ?? {}
  return (
    <>
      <StatRow name={t`Minimum worker score`}>
        {leastScore === null ? t`None` : `${formatNumber(leastScore)}%`}
      </StatRow>
      <StatRow name={t`Automatic approval`}>
        {approveShare === null ? t`Off` : t`From ${{ share: formatNumber(approveShare) }}% agreement`}
      </StatRow>
    </>
  )
}

function ArchiveButton({ project: { _id, archivedAt } }: { project: Project }) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const archived = archivedAt === null

  const change = async () => {
    const confirmed =
      !archived ||
      (await confirm({
        title: t`Archive this project?`,
        text: t`It is removed from the list and accepts no more files. Its batches continue. You can restore it.`,
        confirmLabel: t`Archive`,
      }))
    if (!confirmed) return
    setBusy(true)
    try {
      const saved = await call(setProjectArchived, { params: { id: _id }, body: { archived } })
      queryClient.setQueryData(queryKeyOf(project, { params: { id: _id } }), saved)
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(projects) })
      void toast({ message: archived ? t`The project was archived.` : t`The project was restored.` })
    } catch (error) {
      await showMessage({ title: t`Could not change the project`, text: errorMessage(error), tone: 'error' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button variant="default" loading={busy} onClick={() => void change()}>
      {archived ? t`Archive project` : t`Restore`}
    </Button>
  )
}
