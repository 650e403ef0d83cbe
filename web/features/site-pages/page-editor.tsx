import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { localePath } from '#contract/locales.ts'
import {
  changeSitePage,
  SITE_PAGE_VALUES,
  type SitePageSource,
  SitePageText,
  sitePage,
  sitePageSource,
} from '#contract/site-pages.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { ApiError, call, type Input } from '#web/lib/api.ts'
import { deleteDraft, readDraft, storeDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { prompt, showError } from '#web/ui/dialogs.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { PagePreview } from './page-preview.tsx'

const PREVIEW_MS = 500
const Form = z.object({ text: SitePageText })

/**
 * Renders the form of a public page's text, its preview and its history. A changed text is kept as a draft with the version
 * that it is based on; an unchanged one is replaced when another Admin publishes.
 */
export function PageEditor({ source, title }: { source: SitePageSource; title: string }) {
  const { page, locale, version, text, defaultText, behindEnglish, changes } = source
  const path = localePath(locale, `/${page}`)
  const { _id: userId } = useUserData()
  const draftKey = `site page ${userId} ${page} ${locale}`
  const [draft] = useState(() => readDraft(draftKey, { text, version }))
  const [baseVersion, setBaseVersion] = useState(draft.version)
  const queryClient = useQueryClient()
  const refetch = () => queryClient.invalidateQueries({ queryKey: queryKeyOf(sitePageSource) })
  const form = useForm({
    about: path,
    schema: Form,
    initialValues: { text: draft.text },
    submit: async (body) => {
      await prompt({
        title: t`Publish ${title}?`,
        text: t`Everyone immediately sees the new text on ${path}.`,
        label: t`Reason`,
        maxLength: 2000,
        requiredMessage: t`Enter a reason for the audit log`,
        confirmLabel: t`Publish`,
        draft: `publish ${page} ${locale}`,
        submit: (reason) => publish({ ...body, locale, version: baseVersion, reason }),
      })
    },
  })
  /** Returns false after a conflict, because the Admin compares the texts before publishing. */
  const publish = async (body: Input<typeof changeSitePage>['body']): Promise<boolean> => {
    try {
      const published = await call(changeSitePage, { params: { page }, body })
      setBaseVersion(published.version)
      // What was typed meanwhile stays.
      form.setValue('text', (current) => (current.trim() === body.text ? body.text : current))
      await Promise.all([refetch(), queryClient.invalidateQueries({ queryKey: queryKeyOf(sitePage) })])
      void toast({ message: t`The page is published.`, tone: 'success' })
      return true
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'state_conflict')) throw error
      void showError(
        t`Not published`,
        t`Your text is kept. Compare it with the history, then publish it or discard your changes.`,
        error.message,
      )
      void readLatestVersion()
      return false
    }
  }
  const readLatestVersion = async () => {
    await refetch()
    const query = queryOf(sitePageSource, { params: { page }, query: { locale } })
    setBaseVersion(queryClient.getQueryData(query.queryKey)?.version ?? version)
  }
  const [shown] = useDebouncedValue(form.values.text, PREVIEW_MS)
  const isChanged = form.values.text.trim() !== text

  const lastText = useRef(text)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text of the server
  useEffect(() => {
    if (form.values.text === lastText.current) form.setValue('text', text)
    lastText.current = text
  }, [text])
  useEffect(() => {
    if (!isChanged) setBaseVersion(version)
  }, [isChanged, version])
  useEffect(() => {
    if (isChanged) storeDraft(draftKey, { text: form.values.text, version: baseVersion })
    else deleteDraft(draftKey)
  }, [isChanged, draftKey, form.values.text, baseVersion])

  return (
    <div className="grid items-start gap-5 xl:grid-cols-2">
      <div className="card p-5 sm:p-6">
        {behindEnglish && (
          <p role="note" className="mb-4 rounded-control bg-soft px-4 py-3 text-sm text-on-soft">
            {version === 0
              ? t`This page shows the English text, which you changed. Translate your changes and publish them here.`
              : t`The English text was changed after this one. Check whether this text still says the same.`}
          </p>
        )}
        <form {...form.props} className="space-y-4" aria-label={title}>
          <Textarea
            label={t`Text of ${title}`}
            description={t`## begins a heading and - a list. **Bold**, [link](/fees). HTML is shown as it is typed.`}
            autosize
            minRows={14}
            maxRows={32}
            required
            lang={locale}
            {...form.field('text')}
          />
          <details className="text-sm">
            <summary className="min-h-6 cursor-pointer font-nav">{t`Placeholders`}</summary>
            <p className="mt-2 text-dim">
              <Trans>
                Write a name in double braces, and the page shows the current value:{' '}
                <span className="wrap-anywhere">
                  {SITE_PAGE_VALUES.map((name) => `{{${name}}}`).join(' ')}
                </span>
              </Trans>
            </p>
          </details>
          <FormActions>
            {text !== defaultText && form.values.text !== defaultText && (
              <Button
                variant="subtle"
                color="gray"
                onClick={() => form.field('text').onChange(defaultText)}
              >{t`Use the default text`}</Button>
            )}
            {isChanged && (
              <Button
                variant="subtle"
                color="gray"
                onClick={() => form.field('text').onChange(text)}
              >{t`Discard changes`}</Button>
            )}
            <Button
              type="submit"
              loading={form.isSubmitting}
              disabled={!isChanged && !(behindEnglish && version === 0)}
            >{t`Publish`}</Button>
          </FormActions>
        </form>
        {changes.length > 0 && (
          <details className="mt-5 border-t border-line pt-4 text-sm">
            <summary className="min-h-6 cursor-pointer font-nav">
              {t`History, ${plural(changes.length, { one: '# version', other: '# versions' })}`}
            </summary>
            <ol className="mt-3 space-y-3">
              {changes.map((change) => (
                <li key={change.version}>
                  <p className="text-dim">
                    {formatDateTime(change.changedAt)} ·{' '}
                    <UserLink id={change.changedById} name={change.changedBy} />
                  </p>
                  <p className="wrap-anywhere">{change.reason}</p>
                  <button
                    type="button"
                    className="link cursor-pointer"
                    onClick={() => form.field('text').onChange(change.text)}
                  >
                    {t`Edit this version`}
                  </button>
                </li>
              ))}
            </ol>
          </details>
        )}
      </div>
      <PagePreview page={page} locale={locale} text={shown} />
    </div>
  )
}
