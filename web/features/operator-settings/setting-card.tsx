import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import {
  changeOperatorSetting,
  OPERATOR_SETTINGS,
  type OperatorSetting,
  operatorSettings,
} from '#contract/operator-settings.ts'
import { site } from '#contract/site.ts'
import { waiting } from '#contract/waiting.ts'
import { ApiError, call, type Input } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { invalidateEndpoints, queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useScrollToFragment } from '#web/lib/scroll-to-fragment.ts'
import { prompt, showError } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { MinimumWarning } from './minimum-warning.tsx'
import { PackagesInput } from './packages-input.tsx'
import { Recommendation } from './recommendation.tsx'
import { SettingChanges } from './setting-changes.tsx'
import { SettingHistory } from './setting-history.tsx'
import { SettingInput } from './setting-input.tsx'
import { SettingProposal } from './setting-proposal.tsx'
import { sectionOf } from './setting-section.ts'
import { canonical, changedProperties, type Value } from './setting-values.ts'

type Props = { setting: OperatorSetting; recommended: Value | undefined }

/**
 * Renders the form of one setting, its recommended value and its history. Changed values stay when another Admin saves others;
 * unchanged ones are replaced.
 */
export function SettingCard({ setting, recommended }: Props) {
  const { name, version, value, proposal } = setting
  const [baseVersion, setBaseVersion] = useState(version)
  const section = useScrollToFragment(name)
  // The buttons of a pending change are removed with it.
  const heading = useFocusRecovery<HTMLHeadingElement>(proposal !== null)
  const queryClient = useQueryClient()
  const { title, description, recommendation, fields } = sectionOf(name, value)
  const form = useForm<Value, z.ZodMiniType<Value>>({
    about: name,
    schema: OPERATOR_SETTINGS[name].schema as unknown as z.ZodMiniType<Value>,
    initialValues: value,
    submit: async (next) => {
      // Spaces around a text are no change.
      if (changedProperties(value, next).length === 0) return discard()
      const sent = form.values
      await prompt({
        title: t`Change ${{ setting: inSentence(title) }}?`,
        text: <SettingChanges before={value} after={next} fields={fields} />,
        label: t`Reason`,
        maxLength: 2000,
        requiredMessage: t`Enter a reason for the audit log`,
        confirmLabel: t`Save changes`,
        draft: `change ${name}`,
        submit: (reason) => save({ value: next, version: baseVersion, reason }, sent),
      })
    },
  })
  /** Returns false after a conflict, because the Admin compares the values before saving them. */
  const save = async (body: Input<typeof changeOperatorSetting>['body'], sent: Value): Promise<boolean> => {
    try {
      const saved = await call(changeOperatorSetting, { params: { name }, body })
      setBaseVersion(saved.version)
      await Promise.all([refetch(), queryClient.invalidateQueries({ queryKey: queryKeyOf(site) })])
      const isPending = saved.version === version
      replace(sent, isPending ? value : body.value)
      void toast({
        message: isPending ? t`Another Admin has to confirm this change.` : t`${{ setting: title }} saved.`,
      })
      return true
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'state_conflict')) throw error
      void showError(
        t`Not saved`,
        t`Your values are kept. Compare them with the history, then save them or discard your changes.`,
        error.message,
      )
      void readLatestVersion()
      return false
    }
  }
  // A change makes a pending change of the setting lapse, which waited for an Admin.
  const refetch = () => invalidateEndpoints(queryClient, [operatorSettings, waiting])
  const readLatestVersion = async () => {
    await refetch()
    const latest = queryClient.getQueryData(queryOf(operatorSettings, {}).queryKey)
    setBaseVersion(latest?.find((one) => one.name === name)?.version ?? version)
  }
  const isChanged = changedProperties(value, form.values).length > 0
  const discard = () => {
    form.reset()
    fill(value)
  }
  const fill = (values: Value) => {
    for (const [property, next] of Object.entries(values)) form.setValue(property, next)
  }
  /** Fills in the properties that are still as in `before`; others were typed since. */
  const replace = (before: Value, values: Value) => {
    for (const [property, next] of Object.entries(values))
      form.setValue(property, (current: unknown) =>
        canonical(current) === canonical(before[property]) ? next : current,
      )
  }

  const lastValue = useRef<Value>(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value of the server
  useEffect(() => {
    replace(lastValue.current, value)
    lastValue.current = value
  }, [value])
  useEffect(() => {
    if (!isChanged) setBaseVersion(version)
  }, [isChanged, version])

  return (
    <section
      ref={section}
      id={name}
      aria-labelledby={`${name}-title`}
      className="card scroll-mt-24 p-5 sm:p-6"
    >
      <h2 ref={heading} tabIndex={-1} id={`${name}-title`} className="text-lg outline-none">
        {title}
      </h2>
      <p className="mb-4 text-sm text-dim">{description}</p>
      {proposal && <SettingProposal setting={setting} proposal={proposal} />}
      {recommended && (
        <Recommendation
          reason={recommendation}
          text={<SettingChanges before={value} after={recommended} fields={fields} />}
          use={() => fill(recommended)}
        />
      )}
      <form {...form.props} className="grid items-start gap-5 sm:grid-cols-2" aria-label={title}>
        {Object.entries(fields).map(([property, field]) =>
          field.kind === 'packages' ? (
            <PackagesInput
              key={property}
              packages={form.values.packages as never}
              fees={form.values as never}
              errorOf={(path) => form.field(path).error}
              onChange={(packages) => form.field('packages').onChange(packages)}
            />
          ) : (
            <SettingInput
              key={property}
              field={field}
              value={form.values[property]}
              error={form.field(property).error}
              onChange={(next) => form.field(property).onChange(next)}
            />
          ),
        )}
        {(name === 'payout_limits' || name === 'withdrawal_rate') && <MinimumWarning values={form.values} />}
        <div className="flex flex-wrap justify-end gap-3 sm:col-span-2">
          {isChanged && <Button variant="subtle" color="gray" onClick={discard}>{t`Discard changes`}</Button>}
          <Button type="submit" loading={form.isSubmitting} disabled={!isChanged}>
            {t`Save ${{ setting: inSentence(title) }}`}
          </Button>
        </div>
      </form>
      <SettingHistory changes={setting.changes} fields={fields} />
    </section>
  )
}

/** Returns a title for the middle of a sentence. */
function inSentence(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1)
}
