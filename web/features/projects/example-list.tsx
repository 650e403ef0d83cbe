import { t } from '@lingui/core/macro'
import { Button, SegmentedControl, Textarea } from '@mantine/core'
import { EXAMPLES_MAX } from '#contract/projects.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { IconPlus } from '#web/ui/icons.ts'
import { errorWithin } from './error-within.ts'
import { type Example, newExample } from './project-values.ts'

const KINDS = [
  { value: 'good', label: t`Good work` },
  { value: 'rejected', label: t`Would be rejected` },
]

type Props = {
  examples: Example[]
  /** The messages of the form by path. */
  errors: Record<string, string>
  onChange: (examples: Example[]) => void
}

/** Renders the editor of the examples of a project. */
export function ExampleList({ examples, errors, onChange }: Props) {
  const addButton = useFocusRecovery<HTMLButtonElement>(examples.length)
  return (
    <div className="space-y-4">
      {examples.map((example, index) => (
        <fieldset
          key={example.key}
          className="min-w-0 rounded-control border border-line py-4 max-sm:border-x-0 sm:px-4"
        >
          <legend className="px-1 text-sm font-nav">{t`Example ${{ number: formatNumber(index + 1) }}`}</legend>
          <Textarea
            label={t`Text`}
            required
            autosize
            minRows={2}
            maxRows={10}
            value={example.text}
            error={errorWithin(errors, `examples.${index}`)}
            onChange={(event) =>
              onChange(examples.with(index, { ...example, text: event.currentTarget.value }))
            }
          />
          <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
            <SegmentedControl
              aria-label={t`Kind of example ${{ number: formatNumber(index + 1) }}`}
              size="xs"
              data={KINDS}
              value={example.good ? 'good' : 'rejected'}
              onChange={(kind) => onChange(examples.with(index, { ...example, good: kind === 'good' }))}
            />
            <Button
              variant="default"
              size="xs"
              aria-label={t`Remove example ${{ number: formatNumber(index + 1) }}`}
              onClick={() => onChange(examples.toSpliced(index, 1))}
            >
              {t`Remove`}
            </Button>
          </div>
        </fieldset>
      ))}
      <Button
        ref={addButton}
        variant="default"
        leftSection={<IconPlus size={18} aria-hidden />}
        disabled={examples.length >= EXAMPLES_MAX}
        onClick={() => onChange([...examples, newExample(true)])}
      >
        {t`Add example`}
      </Button>
    </div>
  )
}
