import { t } from '@lingui/core/macro'
import { Button, NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { closedFields } from '#contract/answer-form.ts'
import { BATCH_BYTES_MAX, BATCH_ROWS_MAX, BatchFileName, batches, createBatch } from '#contract/batches.ts'
import { SLOTS_MAX } from '#contract/product.ts'
import type { Project } from '#contract/projects.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatBytes } from '#web/lib/dashboard-format.ts'
import { formatNumber } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { FormError } from '#web/ui/form-error.tsx'
import { IconUpload } from '#web/ui/icons.ts'
import { type ColumnMatch, matchColumns, renamedColumns, sharesColumnWith } from './column-match.ts'
import { type FileHead, readHead, withColumns } from './file-head.ts'
import { uploadFiles } from './upload-file-store.ts'
import { startUpload } from './uploads.ts'

type Chosen = { file: File; head: FileHead; match: ColumnMatch }

/** Renders the choice of a file with items for a project, and the match of its columns with the variables. */
export function UploadForm({ project }: { project: Project }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()

  const send = async (content: Blob, fileName: string) => {
    const created = await call(createBatch, { params: { id: project._id }, body: { fileName } })
    await uploadFiles.put(created._id, content)
    startUpload(queryClient, created, content)
    await queryClient.invalidateQueries({ queryKey: queryKeyOf(batches) })
    if (isShown()) await navigate(`/dashboard/batches/${created._id}`)
  }

  const asked = closedFields(project.form)[0]
  const example = asked && `Golden.${asked.name}`
  return (
    <section aria-label={t`Upload items`} className="card grid grid-cols-1 gap-5 p-5 sm:p-6">
      <div>
        <h2 className="text-lg">{t`Upload items`}</h2>
        <p className="mt-1 text-sm text-dim">{t`One item per row, at most ${{ max: formatNumber(Math.min(BATCH_ROWS_MAX, Math.floor(SLOTS_MAX / project.workersPerItem))) }}. Every row is checked, and you see the cost before you pay.`}</p>
        {example !== undefined && (
          <p className="mt-1 text-sm text-dim">{t`To check workers, add rows with known correct answers, in a column named ${{ column: example }}. Workers never see it, and the rows are spread over the others.`}</p>
        )}
      </div>
      <FileChoice project={project} send={send} />
    </section>
  )
}

type ChoiceProps = {
  project: Project
  /** The name that the file must have. */
  fileName?: string
  /** Receives the file with the columns that the project needs, and its name. */
  send: (content: Blob, fileName: string) => Promise<void>
}

/** Renders a field for a file with items, the match of its columns, and the button that uploads it. */
export function FileChoice({ project, fileName, send }: ChoiceProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const choose = async (file: File | undefined) => {
    setFailure(null)
    setChosen(null)
    if (file === undefined) return
    if (fileName !== undefined && storedName(file) !== fileName)
      return setFailure(t`This is a different file. Choose the original ${{ file: fileName }}.`)
    if (file.size === 0) return setFailure(t`This file is empty.`)
    if (file.size > BATCH_BYTES_MAX) {
      return setFailure(
        t`A file has at most ${{ size: formatBytes(BATCH_BYTES_MAX) }}. Split it into several files.`,
      )
    }
    try {
      const head = await readHead(file)
      setChosen({ file, head, match: matchColumns(project.columns, head.columns) })
    } catch {
      setFailure(t`This file cannot be read. Close it in other programs and choose it again.`)
    }
  }

  const submit = async ({ file, head, match }: Chosen) => {
    setBusy(true)
    setFailure(null)
    try {
      const columns = renamedColumns(head.columns, match)
      const isRenamed = columns.some((name, place) => name !== head.columns[place])
      const content = isRenamed && head.heading !== null ? withColumns(file, head.heading, columns) : file
      await send(content, file.name)
    } catch (error) {
      setFailure(errorMessage(error))
      setBusy(false)
    }
  }

  return (
    <>
      <FileDrop onFile={(file) => void choose(file)} />
      {chosen !== null && (
        <>
          <p className="text-sm wrap-anywhere">
            <span className="font-number">{chosen.file.name}</span> · {formatBytes(chosen.file.size)}
          </p>
          <Columns project={project} chosen={chosen} onMatch={(match) => setChosen({ ...chosen, match })} />
        </>
      )}
      <FormError message={failure} />
      {chosen !== null && (
        <div className="flex justify-end">
          <Button
            loading={busy}
            onClick={() => void submit(chosen)}
            className="max-sm:w-full"
          >{t`Upload and check`}</Button>
        </div>
      )}
    </>
  )
}

/** Returns the name of a file as its batch has it; undefined for one that is too long. */
const storedName = ({ name }: File) => BatchFileName.safeParse(name).data

type DropProps = {
  label?: string
  accept?: string
  isDisabled?: boolean
  onFile: (file: File | undefined) => void
}

/** Renders a field for a file, which can also be dropped on it. Without a label it is for a file with items. */
export function FileDrop({
  label = t`Choose a CSV or JSON lines file`,
  accept = '.csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv,application/x-ndjson',
  isDisabled = false,
  onFile,
}: DropProps) {
  const [isOver, setIsOver] = useState(false)
  const over = (event: DragEvent, isDragged: boolean) => {
    event.preventDefault()
    setIsOver(isDragged)
  }
  return (
    <label
      className={`relative grid cursor-pointer justify-items-center gap-2 rounded-control border border-dashed px-4 py-8 text-center text-sm focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-fill ${isOver ? 'border-fill bg-soft text-on-soft' : 'border-edge hover:bg-canvas'}`}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false)
        if (!isDisabled) onFile(event.dataTransfer.files[0])
      }}
    >
      <IconUpload size={26} aria-hidden />
      <span className="font-nav">{label}</span>
      <span className="text-dim">{t`or drop it here`}</span>
      <input
        type="file"
        accept={accept}
        disabled={isDisabled}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-default"
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0])
          // The same file can be chosen again after it was changed.
          event.currentTarget.value = ''
        }}
      />
    </label>
  )
}

type ColumnsProps = { project: Project; chosen: Chosen; onMatch: (match: ColumnMatch) => void }

function Columns({ project, chosen: { head, match }, onMatch }: ColumnsProps) {
  const used = new Set(Object.values(match))
  const others = head.columns.filter((_, place) => !used.has(place))
  const missing = project.columns.filter((name) => match[name] === undefined)
  return (
    <div className="space-y-4">
      {project.columns.length > 0 && (
        <fieldset className="min-w-0">
          <legend className="mb-2 text-sm font-nav">{t`Columns of the file for your variables`}</legend>
          <div className="grid gap-4 sm:grid-cols-2">
            {project.columns.map((name) => (
              <NativeSelect
                key={name}
                label={name}
                disabled={head.heading === null}
                error={columnError(name, match)}
                data={[
                  { value: '', label: t`Not in this file` },
                  ...head.columns.map((column, place) => ({
                    value: String(place),
                    label: column || t`Column ${{ number: formatNumber(place + 1) }}`,
                  })),
                ]}
                value={String(match[name] ?? '')}
                onChange={({ currentTarget: { value } }) =>
                  onMatch({ ...match, [name]: value === '' ? undefined : Number(value) })
                }
              />
            ))}
          </div>
        </fieldset>
      )}
      {others.length > 0 && (
        <p className="text-sm wrap-anywhere text-dim">
          {t`Other columns, hidden from workers: ${{ columns: others.join(', ') }}`}
        </p>
      )}
      {missing.length > 0 && (
        <p className="text-sm text-danger">
          {head.heading === null
            ? t`Missing from the file: ${{ columns: missing.join(', ') }}. The check will report it.`
            : t`Choose the column of each variable. A variable without a column is reported as an error.`}
        </p>
      )}
    </div>
  )
}

function columnError(name: string, match: ColumnMatch): string | undefined {
  if (match[name] === undefined) return t`No column of the file has this name`
  const other = sharesColumnWith(name, match)
  return other && t`This column is also chosen for ${{ variable: other }}`
}
