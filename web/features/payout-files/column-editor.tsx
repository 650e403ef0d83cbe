import { t } from '@lingui/core/macro'
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { PAYOUT_FILE_FIELDS, type PayoutFileColumn, type PayoutFileField } from '#contract/payout-files.ts'
import { formatNumber } from '#web/lib/format.ts'
import { FIELD_NAMES } from './field-names.ts'

const FIELDS = PAYOUT_FILE_FIELDS.map((value) => ({ value, label: FIELD_NAMES[value] }))

type Props = {
  column: PayoutFileColumn
  position: number
  count: number
  error: string | undefined
  onChange: (change: Partial<PayoutFileColumn>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** Renders the fields of one column of a profile. */
export function ColumnEditor({ column, position, count, error, onChange, onMove, onRemove }: Props) {
  const { header, field, text, asText } = column
  return (
    <fieldset className="rounded-control border border-line p-4">
      <legend className="px-1 text-sm font-nav">{t`Column ${{ number: formatNumber(position) }}`}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextInput
          label={t`Heading`}
          required
          maxLength={80}
          value={header}
          error={error}
          onChange={(event) => onChange({ header: event.currentTarget.value })}
        />
        <NativeSelect
          label={t`Value`}
          data={FIELDS}
          value={field}
          onChange={(event) => onChange({ field: event.currentTarget.value as PayoutFileField, text: '' })}
        />
        {field === 'fixed' && (
          <TextInput
            label={t`Text`}
            maxLength={100}
            value={text}
            onChange={(event) => onChange({ text: event.currentTarget.value })}
          />
        )}
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <Checkbox
          label={t`Keep leading zeros in spreadsheets`}
          checked={asText}
          onChange={(event) => onChange({ asText: event.currentTarget.checked })}
        />
        <div className="flex flex-wrap gap-2">
          <Button
            variant="default"
            size="xs"
            disabled={position === 1}
            aria-label={t`Move column ${{ number: formatNumber(position) }} up`}
            onClick={() => onMove(-1)}
          >
            {t`Up`}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={position === count}
            aria-label={t`Move column ${{ number: formatNumber(position) }} down`}
            onClick={() => onMove(1)}
          >
            {t`Down`}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={count === 1}
            aria-label={t`Remove column ${{ number: formatNumber(position) }}`}
            onClick={onRemove}
          >
            {t`Remove`}
          </Button>
        </div>
      </div>
    </fieldset>
  )
}
