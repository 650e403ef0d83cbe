import { t } from '@lingui/core/macro'
import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  type PayoutFileColumn,
  type PayoutFileProfile,
  PayoutFileProfileEntry,
  payoutFileProfiles,
  savePayoutFileProfile,
} from '#contract/payout-files.ts'
import { validationText } from '#contract/validation-texts.en.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useTransferredState } from '#web/lib/use-transferred-state.ts'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { ColumnEditor } from './column-editor.tsx'

/** A column with a key for React, since headings change while they are typed. */
type Draft = PayoutFileColumn & { key: string }
const drafted = (column: PayoutFileColumn): Draft => ({ ...column, key: crypto.randomUUID() })
const NEW: PayoutFileColumn = { header: '', field: 'amount', text: '', asText: false }

type Props = { profile: PayoutFileProfile | null; close: () => void }

/** Renders the form that creates a profile or changes one. */
export function ProfileForm({ profile, close }: Props) {
  const queryClient = useQueryClient()
  const [id] = useState(() => profile?._id ?? crypto.randomUUID())
  const about = profile?._id ?? 'new'
  const [name, setName] = useTransferredState(`name ${about}`, () => profile?.name ?? '')
  const [note, setNote] = useTransferredState(`note ${about}`, () => profile?.note ?? '')
  const [columns, setColumns] = useTransferredState<Draft[]>(`columns ${about}`, () =>
    (profile?.columns ?? [NEW]).map(drafted),
  )
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const addButton = useFocusRecovery<HTMLButtonElement>(columns.length)

  const change = (index: number, part: Partial<PayoutFileColumn>) =>
    setColumns(columns.map((column, at) => (at === index ? { ...column, ...part } : column)))
  const move = (index: number, by: -1 | 1) => {
    const moved = columns.toSpliced(index, 1)
    setColumns(moved.toSpliced(index + by, 0, columns[index] as Draft))
  }

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const entry = { name, note, columns: columns.map(({ key: _, ...column }) => column) }
    const parsed = PayoutFileProfileEntry.safeParse(entry)
    setErrors(
      Object.fromEntries(
        parsed.error?.issues.map(({ path, message }) => [path.join('.'), validationText(message)]) ?? [],
      ),
    )
    setFailure(null)
    if (!parsed.success) return
    setBusy(true)
    try {
      const body = { ...parsed.data, version: profile?.version ?? 0 }
      await call(savePayoutFileProfile, { params: { id }, body })
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(payoutFileProfiles) })
      void toast({ message: t`The profile ${{ name: parsed.data.name }} was saved.` })
      close()
    } catch (error) {
      setFailure(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form noValidate onSubmit={(event) => void save(event)} className="card space-y-5 p-5 sm:p-6">
      <h3 className="text-lg">{profile === null ? t`New profile` : profile.name}</h3>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextInput
          label={t`Name`}
          required
          maxLength={60}
          value={name}
          error={errors.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t`Note`}
          maxLength={500}
          value={note}
          error={errors.note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
      {columns.map(({ key, ...column }, index) => (
        <ColumnEditor
          key={key}
          column={column}
          position={index + 1}
          count={columns.length}
          error={errors[`columns.${index}.header`]}
          onChange={(part) => change(index, part)}
          onMove={(by) => move(index, by)}
          onRemove={() => setColumns(columns.toSpliced(index, 1))}
        />
      ))}
      <FormError message={failure ?? errors.columns ?? null} />
      <FormActions>
        <Button
          ref={addButton}
          variant="default"
          className="mr-auto"
          onClick={() => setColumns([...columns, drafted(NEW)])}
        >{t`Add column`}</Button>
        <Button variant="default" onClick={close}>{t`Cancel`}</Button>
        <Button type="submit" loading={busy}>{t`Save profile`}</Button>
      </FormActions>
    </form>
  )
}
