import { t } from '@lingui/core/macro'
import { Button, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type CardDispute,
  cardDispute,
  Evidence,
  listCardDisputes,
  saveEvidence,
} from '#contract/card-disputes.ts'
import { waiting } from '#contract/waiting.ts'
import { call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { confirm } from '#web/ui/dialogs.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { showFailure } from '#web/ui/show-failure.ts'
import { toast } from '#web/ui/toasts.tsx'

type Props = { dispute: CardDispute; evidence: Evidence; version: number }

/**
 * Renders the evidence for a dispute, prepared from what is known. It is saved as a draft, or submitted to the bank once each
 * time it asks.
 */
export function EvidenceForm({ dispute, evidence, version }: Props) {
  // What the form shows: a later version has what another Admin has saved, and the server of an earlier release sends none.
  const [seen, setSeen] = useState<number | undefined>(version)
  const queryClient = useQueryClient()
  const save = async (values: Evidence, submit: boolean) => {
    await call(saveEvidence, {
      params: { id: dispute._id },
      body: { evidence: values, version: seen, submit },
    })
    if (seen !== undefined) setSeen(seen + 1)
    await invalidateEndpoints(queryClient, [cardDispute, listCardDisputes, waiting])
    void toast({ message: submit ? t`The evidence was submitted to the bank.` : t`The draft was saved.` })
  }
  const form = useForm({
    schema: Evidence,
    initialValues: evidence,
    submit: async (values) => {
      const confirmed = await confirm({
        title: t`Submit this evidence?`,
        text: t`The bank accepts evidence once. Nothing can be added afterwards.`,
        confirmLabel: t`Submit`,
      })
      if (confirmed) await save(values, true)
    },
  })
  const [isSaving, setIsSaving] = useState(false)
  const saveDraft = async () => {
    setIsSaving(true)
    await showFailure(t`Could not save the draft`, save(form.values, false))
    setIsSaving(false)
  }
  return (
    <form {...form.props} className="card space-y-5 p-5 sm:p-6">
      <h2 className="text-lg">{t`Evidence`}</h2>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextInput label={t`Buyer's name`} {...form.field('customerName')} />
        <TextInput label={t`Buyer's email`} {...form.field('customerEmail')} />
        <TextInput label={t`IP address of the purchase`} {...form.field('customerIp')} />
        <TextInput label={t`Service date`} {...form.field('serviceDate')} />
      </div>
      <Textarea label={t`Product`} autosize minRows={2} maxRows={6} {...form.field('productDescription')} />
      <Textarea label={t`Activity log`} autosize minRows={4} maxRows={14} {...form.field('accessLog')} />
      <Textarea label={t`Explanation`} autosize minRows={3} maxRows={10} {...form.field('explanation')} />
      <FormError message={form.submitError} />
      <FormActions>
        <Button
          variant="default"
          loading={isSaving}
          disabled={form.isSubmitting}
          onClick={() => void saveDraft()}
        >{t`Save draft`}</Button>
        <Button type="submit" loading={form.isSubmitting} disabled={isSaving}>{t`Submit to the bank`}</Button>
      </FormActions>
    </form>
  )
}
