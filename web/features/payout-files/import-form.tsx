import { t } from '@lingui/core/macro'
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type * as z from 'zod/mini'
import {
  importPayoutStatement,
  type PayoutStatement,
  payoutCases,
  payoutStatements,
  STATEMENT_ROWS_MAX,
  StatementImport,
  type StatementMapping,
} from '#contract/payout-statements.ts'
import { validationText } from '#contract/validation-texts.en.ts'
import { waiting } from '#contract/waiting.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { useTransferredState } from '#web/lib/use-transferred-state.ts'
import { showMessage } from '#web/ui/dialogs.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { countsText } from './counts-text.ts'
import { readStatement } from './statement-file.ts'

const EMPTY: StatementMapping = {
  currency: 'BDT',
  negative: false,
  reference: '',
  amount: '',
  transactionId: '',
  accountNumber: '',
  fee: '',
  status: '',
  paid: ['Completed', 'Paid', 'Success'],
  failed: ['Failed', 'Returned', 'Rejected'],
  pending: ['Pending', 'Processing'],
}
const COLUMNS = [
  ['reference', t`Reference`],
  ['amount', t`Amount`],
  ['transactionId', t`Transaction ID`],
  ['accountNumber', t`Account number`],
  ['fee', t`Fee`],
  ['status', t`Status`],
] as const
const WORDS = [
  ['paid', t`Values that mean paid`],
  ['failed', t`Values that mean failed`],
  ['pending', t`Values that mean pending`],
] as const
const CURRENCIES = [
  { value: 'BDT', label: t`Taka` },
  { value: 'USD', label: t`US dollars` },
]

function failureOf({ issues: [first] }: z.core.$ZodError): string {
  return first === undefined ? t`Some fields are not valid.` : validationText(first.message)
}

/**
 * Renders the form that imports a statement. The columns of the last statement are kept; for one that the file does not have, the
 * Admin chooses before the import.
 */
export function ImportForm({ latest }: { latest: PayoutStatement | undefined }) {
  const queryClient = useQueryClient()
  const [account, setAccount] = useTransferredState('account', () => latest?.account ?? '')
  const [file, setFile] = useState<{ name: string; bytes: Uint8Array; headings: string[] } | null>(null)
  const [mapping, setMapping] = useTransferredState('mapping', () => latest?.mapping ?? EMPTY)
  /** Why the chosen file is none that can be imported. */
  const [problem, setProblem] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const headings = file?.headings ?? []
  /** Whether the file lacks a column of the last statement. Without the status, failed lines would count as paid. */
  const isMissing = (heading: string) => heading !== '' && !headings.includes(heading)
  const change = (part: Partial<StatementMapping>) => setMapping({ ...mapping, ...part })

  const choose = async (chosen: File | undefined) => {
    if (chosen === undefined) return setFile(null)
    const bytes = new Uint8Array(await chosen.arrayBuffer())
    const read = readStatement(bytes)
    setProblem(read.problem)
    setFile(read.problem === null ? { name: chosen.name, bytes, headings: read.headings } : null)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (problem !== null) return
    setFailure(null)
    const body = {
      account,
      fileName: file?.name ?? '',
      content: btoa(Array.from(file?.bytes ?? [], (byte) => String.fromCharCode(byte)).join('')),
      mapping,
    }
    const checked = StatementImport.safeParse(body)
    if (!checked.success) return setFailure(failureOf(checked.error))
    if (COLUMNS.some(([name]) => isMissing(mapping[name])))
      return setFailure(
        t`Some columns of the last statement are not in this file. Choose what to use instead.`,
      )
    setBusy(true)
    try {
      const { counts } = await call(importPayoutStatement, { body })
      void showMessage({ title: t`Statement imported`, text: t`${{ counts: countsText(counts) }}.` })
    } catch (error) {
      setFailure(errorMessage(error))
    } finally {
      await invalidateEndpoints(queryClient, [payoutStatements, payoutCases, waiting])
      setBusy(false)
    }
  }

  return (
    <form
      noValidate
      onChange={() => setFailure(null)}
      onSubmit={(event) => void submit(event)}
      className="card space-y-5 p-5 sm:p-6"
    >
      <h2 className="text-lg">{t`Import a statement`}</h2>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextInput
          label={t`Account`}
          description={t`Your name for the account at the bank or wallet`}
          required
          maxLength={60}
          value={account}
          onChange={(event) => setAccount(event.currentTarget.value)}
        />
        <TextInput
          component="input"
          type="file"
          accept=".csv,.txt,text/csv"
          label={t`CSV file`}
          description={t`At most ${{ maximum: formatNumber(STATEMENT_ROWS_MAX) }} rows`}
          required
          // The same file can be chosen again after it was changed.
          onClick={(event) => {
            event.currentTarget.value = ''
            setFile(null)
            setProblem(null)
          }}
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
        />
      </div>
      {file !== null && (
        <>
          <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
            {COLUMNS.map(([name, label]) => (
              <NativeSelect
                key={name}
                label={label}
                error={isMissing(mapping[name]) && t`Choose a column, or “Not in this file”`}
                data={[
                  ...(isMissing(mapping[name])
                    ? [{ value: mapping[name], label: t`Not found: ${{ column: mapping[name] }}` }]
                    : []),
                  { value: '', label: t`Not in this file` },
                  ...headings.map((heading) => ({ value: heading, label: heading })),
                ]}
                value={mapping[name]}
                onChange={(event) => change({ [name]: event.currentTarget.value })}
              />
            ))}
            <NativeSelect
              label={t`Currency`}
              data={CURRENCIES}
              value={mapping.currency}
              onChange={(event) => change({ currency: event.currentTarget.value as 'BDT' | 'USD' })}
            />
            {headings.includes(mapping.status) &&
              WORDS.map(([name, label]) => (
                <TextInput
                  key={name}
                  label={label}
                  description={t`Separated by commas`}
                  defaultValue={mapping[name].join(', ')}
                  onChange={(event) =>
                    change({
                      [name]: event.currentTarget.value
                        .split(',')
                        .map((word) => word.trim())
                        .filter((word) => word !== ''),
                    })
                  }
                />
              ))}
          </div>
          <Checkbox
            label={t`Payments are negative amounts`}
            checked={mapping.negative}
            onChange={(event) => change({ negative: event.currentTarget.checked })}
          />
        </>
      )}
      <FormError message={problem ?? failure} />
      <div className="flex justify-end">
        <Button type="submit" loading={busy} className="max-sm:w-full">{t`Import`}</Button>
      </div>
    </form>
  )
}
