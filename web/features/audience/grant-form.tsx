import { plural, t } from '@lingui/core/macro'
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { WorkerPseudonym } from '#contract/my-workers.ts'
import { QUALIFIED_WORKERS_MAX, type Qualification, setQualifiedWorkers } from '#contract/qualifications.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { useTransferredState } from '#web/lib/use-transferred-state.ts'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { toast } from '#web/ui/toasts.tsx'

const EXAMPLE = 'W3f2a9c01b7d'

type Props = { qualification: Qualification; onDone: () => Promise<void>; onCancel: () => void }

/** Renders the form that grants a qualification to a list of workers, or revokes it. */
export function GrantForm({ qualification, onDone, onCancel }: Props) {
  const [list, setList] = useTransferredState(`workers ${qualification._id}`, () => '')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  async function save(qualified: boolean) {
    const workers = [...new Set(list.split(/[\s,;]+/).filter((entry) => entry !== ''))]
    if (workers.length === 0)
      return setError(t`Enter pseudonyms such as ${{ example: EXAMPLE }}, separated by commas or lines`)
    const mistyped = workers.find((entry) => !WorkerPseudonym.safeParse(entry).success)
    if (mistyped !== undefined)
      return setError(
        t`“${{ entry: mistyped }}” is not a pseudonym. Pseudonyms look like ${{ example: EXAMPLE }}.`,
      )
    setIsBusy(true)
    setError(null)
    try {
      let changed = 0
      for (let from = 0; from < workers.length; from += QUALIFIED_WORKERS_MAX) {
        const body = { workers: workers.slice(from, from + QUALIFIED_WORKERS_MAX), qualified }
        changed += (await call(setQualifiedWorkers, { params: { id: qualification._id }, body })).changed
      }
      void toast({
        message: qualified
          ? plural(changed, {
              0: 'All of them had it already.',
              one: 'Granted to # worker.',
              other: 'Granted to # workers.',
            })
          : plural(changed, {
              0: 'None of them had it.',
              one: 'Revoked from # worker.',
              other: 'Revoked from # workers.',
            }),
      })
      await onDone()
    } catch (failure) {
      setError(errorMessage(failure))
      setIsBusy(false)
    }
  }

  return (
    <form
      className="mt-4 space-y-5"
      onSubmit={(event) => {
        event.preventDefault()
        void save(true)
      }}
    >
      <Textarea
        label={t`Workers`}
        description={t`Pseudonyms, as in this list and in the files of your batches`}
        placeholder={EXAMPLE}
        autosize
        minRows={2}
        maxRows={10}
        value={list}
        onChange={(event) => setList(event.currentTarget.value)}
      />
      <FormError message={error} />
      <FormActions onCancel={onCancel}>
        <Button variant="default" disabled={isBusy} onClick={() => void save(false)}>{t`Revoke`}</Button>
        <Button type="submit" loading={isBusy}>{t`Grant`}</Button>
      </FormActions>
    </form>
  )
}
