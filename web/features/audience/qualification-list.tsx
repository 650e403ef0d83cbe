import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { myWorkers } from '#contract/my-workers.ts'
import {
  deleteQualification,
  QUALIFICATIONS_MAX,
  type Qualification,
  qualifications as qualificationsEndpoint,
} from '#contract/qualifications.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'
import { GrantForm } from './grant-form.tsx'
import { QualificationForm } from './qualification-form.tsx'
import { QualificationTest } from './qualification-test.tsx'
import { TestForm } from './test-form.tsx'

/** What is open below the list: the form of a new qualification, or a form of one. */
type Open = { kind: 'new' } | { kind: 'edit' | 'grant' | 'test'; id: string } | null

/** Renders the buyer's qualifications: create, change, grant and delete them. */
export function QualificationList({ qualifications }: { qualifications: readonly Qualification[] }) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<Open>(null)
  // A form is removed together with the button that closed it, and a qualification with the one that deleted it.
  const section = useFocusRecovery<HTMLElement>(`${open === null} ${qualifications.length}`)
  const refresh = () => invalidateEndpoints(queryClient, [qualificationsEndpoint, myWorkers])
  const close = async () => {
    setOpen(null)
    await refresh()
  }

  async function remove({ _id, name }: Qualification) {
    const confirmed = await confirm({
      title: t`Delete ${name}?`,
      text: t`The workers lose it. Unpaid files of projects that require it can no longer be paid: change the projects, then upload the files again.`,
      confirmLabel: t`Delete`,
      danger: true,
    })
    if (!confirmed) return
    try {
      await call(deleteQualification, { params: { id: _id } })
    } catch (error) {
      await showMessage({ title: t`Could not delete this`, text: errorMessage(error), tone: 'error' })
    }
    await refresh()
  }

  return (
    <section
      ref={section}
      id="qualifications"
      tabIndex={-1}
      aria-label={t`Qualifications`}
      className="card scroll-mt-48 p-5 outline-none sm:p-6"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{t`Qualifications`}</h2>
        {open?.kind !== 'new' && qualifications.length < QUALIFICATIONS_MAX && (
          <Button variant="default" onClick={() => setOpen({ kind: 'new' })}>{t`New qualification`}</Button>
        )}
      </div>
      <p className="mt-1 text-sm text-dim">{t`Grant them to workers whose work you trust, or let workers earn them in a test. Your tasks and projects can require them.`}</p>
      {open?.kind === 'new' && <QualificationForm onDone={close} onCancel={() => setOpen(null)} />}
      <ul className="mt-3 divide-y divide-line">
        {qualifications.map((qualification) => {
          const { _id, name, description, workers, test } = qualification
          const opened = open !== null && open.kind !== 'new' && open.id === _id ? open.kind : null
          const action = (label: string, onClick: () => void) => (
            <Button variant="default" size="xs" onClick={onClick}>
              {label}
              <span className="sr-only">: {name}</span>
            </Button>
          )
          return (
            <li key={_id} className="py-4">
              <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
                <div className="min-w-0 flex-1 basis-48">
                  <p className="font-nav wrap-anywhere">{name}</p>
                  <p className="text-sm wrap-anywhere text-dim">{description}</p>
                  {test !== null && <QualificationTest test={test} />}
                  <Link to={`/dashboard/my-workers?qualification=${_id}`} className="link text-sm">
                    {plural(workers, { 0: 'No workers', one: '# worker', other: '# workers' })}
                  </Link>
                </div>
                <div className="flex flex-wrap gap-3">
                  {action(t`Grant`, () => setOpen({ kind: 'grant', id: _id }))}
                  {action(t`Test`, () => setOpen({ kind: 'test', id: _id }))}
                  {action(t`Edit`, () => setOpen({ kind: 'edit', id: _id }))}
                  {action(t`Delete`, () => void remove(qualification))}
                </div>
              </div>
              {opened === 'edit' && (
                <QualificationForm
                  qualification={qualification}
                  onDone={close}
                  onCancel={() => setOpen(null)}
                />
              )}
              {opened === 'test' && (
                <TestForm qualification={qualification} onDone={close} onCancel={() => setOpen(null)} />
              )}
              {opened === 'grant' && (
                <GrantForm qualification={qualification} onDone={close} onCancel={() => setOpen(null)} />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
