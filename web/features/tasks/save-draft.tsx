import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import {
  changeTaskDraft,
  createTaskDraft,
  type NewTaskDraft,
  type TaskDraft,
  taskDrafts,
} from '#contract/task-drafts.ts'
import { draftOfValues, type NewTaskValues } from '#web/features/tasks/new-task-values.ts'
import { ApiError, call, errorMessage, isRefusal } from '#web/lib/api.ts'
import { deleteDraft, storeDraft } from '#web/lib/drafts.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { confirm } from '#web/ui/dialogs.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { toast } from '#web/ui/toasts.tsx'

type DraftChange = NewTaskDraft & { version: number | undefined }

/** What unsent values are kept with in the browser. */
export type DraftBase = {
  /** The version of the draft that they were typed on. */
  version: number | undefined
  /** The last change of the draft, until its response arrives. */
  unconfirmed: DraftChange | null
}

type Props = {
  values: NewTaskValues
  /** The draft or template that is open in the form. */
  draft: TaskDraft | undefined
  base: DraftBase
  onBase: (base: DraftBase) => void
  /** The key of the unsent values in the browser, which are not needed once they are saved. */
  draftKey: string
  /** While a picture is uploaded or the task is posted, nothing is saved. */
  isDisabled: boolean
  isPosted: () => boolean
  /** Returns the attempt to post the present values whose outcome is unknown. */
  unknownAttempt: () => { isRepeatable: boolean; forget: () => void } | undefined
}

/** Renders the buttons that save the form's values to the account, as a draft or as a template. */
export function SaveDraft(props: Props) {
  const { values, draft, base, onBase, draftKey, isDisabled, isPosted, unknownAttempt } = props
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()
  const [saving, setSaving] = useState<Kind | null>(null)
  const [error, setError] = useState<string | null>(null)
  // Another device has changed or deleted it: the values can only be saved as a new one.
  const [hasConflict, setHasConflict] = useState(false)
  const { _id: userId } = useUserData()
  const opened = draft && kindOf(draft)
  const latest = useRef(values)
  useLayoutEffect(() => {
    latest.current = values
  })

  function keep(kept: DraftBase) {
    onBase(kept)
    storeDraft(draftKey, { ...latest.current, ...kept })
  }

  /** Changes the draft. A change without a response is sent again first, which returns the version that it made. */
  async function change(id: string, fields: NewTaskDraft): Promise<void> {
    const send = (body: DraftChange) => call(changeTaskDraft, { params: { id }, body })
    let { version, unconfirmed } = base
    if (unconfirmed !== null) {
      try {
        version = (await send(unconfirmed)).version
      } catch (error) {
        if (!isRejected(error)) throw error
      }
    }
    unconfirmed = { ...fields, version }
    keep({ version, unconfirmed })
    try {
      version = (await send(unconfirmed)).version
      keep({ version, unconfirmed: null })
    } catch (error) {
      if (isRejected(error)) keep({ version, unconfirmed: null })
      throw error
    }
  }

  async function save(kind: Kind) {
    const isChange = kind === opened && !hasConflict
    const isNewDraft = kind === 'draft' && !isChange
    const attempt = isNewDraft ? unknownAttempt() : undefined
    // The form of the new draft would post the task under another idempotency key, and pay it a second time. An opened draft is
    // deleted when its task is posted: saving it finds that out.
    if (isNewDraft && (isPosted() || attempt?.isRepeatable))
      return setError(
        t`This task may have been posted already. Press Add Task again to find out. You will not pay twice without being asked.`,
      )
    if (attempt !== undefined && !(await confirmSecondTask())) return
    setSaving(kind)
    setError(null)
    const body = draftOfValues(values)
    try {
      if (draft !== undefined && isChange) {
        await change(draft._id, body)
        if (latest.current === values) deleteDraft(draftKey)
      } else {
        const { _id, version } = await call(createTaskDraft, {
          body: { ...body, template: kind === 'template' },
        })
        // The buyer has confirmed it. When the draft is not saved, Add Task still has to ask.
        attempt?.forget()
        // The form continues with the new one, unless Add Task was pressed meanwhile; what it started from stays as it is. A
        // template that is made from something else is not opened.
        if ((kind === 'draft' || kind === opened) && !isPosted() && unknownAttempt() === undefined) {
          deleteDraft(draftKey)
          // What was typed meanwhile.
          if (latest.current !== values) storeDraft(draftKeyOf(userId, _id), { ...latest.current, version })
          if (isShown()) await navigate(`/dashboard/add-task?draft=${_id}`, { replace: draft === undefined })
        }
      }
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(taskDrafts) })
      void toast({ message: kind === 'draft' ? t`Draft saved.` : t`Template saved.` })
    } catch (error) {
      if (isChange && isConflict(error)) setHasConflict(true)
      setError(messageOf(error))
    } finally {
      setSaving(null)
    }
  }

  const button = (kind: Kind, label: string) => (
    <Button
      variant="default"
      className="grow"
      loading={saving === kind}
      disabled={isDisabled || saving !== null}
      onClick={() => void save(kind)}
    >
      {label}
    </Button>
  )
  const draftLabel = hasConflict && opened === 'draft' ? t`Save as a new draft` : t`Save draft`
  const changeLabel = hasConflict ? t`Save as a new template` : t`Save template`
  return (
    <div className="space-y-3">
      <FormError message={error} />
      <div className="flex flex-wrap gap-3">
        {button('draft', draftLabel)}
        {button('template', opened === 'template' ? changeLabel : t`Save as template`)}
      </div>
      <p className="text-sm text-dim">
        <Trans>
          What you type is kept in this browser. A saved draft is in your account, on every device. It costs
          nothing until it is posted, by you or at a time that you schedule:{' '}
          <Link to="/dashboard/task-drafts" className="link">
            drafts and templates
          </Link>
          .
        </Trans>
      </p>
    </div>
  )
}

/** Asks whether to save values whose posting is older than the server knows, so that Add Task cannot find out its outcome. */
const confirmSecondTask = () =>
  confirm({
    title: t`This task may have been posted already`,
    text: t`Look for it in My Tasks before you save it as a draft: posting the draft would pay for the task a second time.`,
    confirmLabel: t`Save draft`,
  })

/** Returns the key of a saved draft's or template's unsent values in the browser. */
export const draftKeyOf = (userId: string, id: string): string => `add-task ${userId} draft ${id}`

type Kind = 'draft' | 'template'
const kindOf = ({ template }: TaskDraft): Kind => (template ? 'template' : 'draft')

/** Returns whether a draft that is to be changed was changed or deleted meanwhile. */
const isConflict = (error: unknown) =>
  error instanceof ApiError && ['state_conflict', 'not_found'].includes(error.code)

/** Returns whether a change was refused for what it contains, and so was not made. */
const isRejected = (error: unknown) => isRefusal(error) && !isConflict(error)

/** Returns the messages of the fields that cannot be saved, or that of the error. */
function messageOf(error: unknown): string {
  const fields = error instanceof ApiError ? Object.values(error.fields) : []
  return fields.length > 0 ? fields.join('. ') : errorMessage(error)
}
