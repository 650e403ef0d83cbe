import { t } from '@lingui/core/macro'
import { Button, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { APPEAL_TEXT_MAX } from '#contract/appeals.ts'
import { APPEAL_PICTURES_MAX } from '#contract/product.ts'
import { text } from '#contract/shapes.ts'
import { errorMessage } from '#web/lib/api.ts'
import { readDraft, useDraft } from '#web/lib/drafts.ts'
import { type Attempt, useForm } from '#web/lib/form.ts'
import { formatNumber } from '#web/lib/format.ts'
import { thumbnailSource } from '#web/lib/picture-source.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { tooManyPictures } from '#web/lib/too-many-pictures.ts'
import { PICTURE_TYPES, type uploadPicture, usePictureUpload } from '#web/lib/upload-picture.ts'
import { FileButton } from '#web/ui/file-button.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { IconUpload, IconX } from '#web/ui/icons.ts'
import { UploadNotice } from '#web/ui/upload-notice.tsx'

const Form = z.object({
  text: text(APPEAL_TEXT_MAX, t`Say why the rejection is wrong`),
  pictures: z.array(z.string()),
})

type Props = {
  draftKey: string
  /** Sends the appeal, and deletes the draft once the server has accepted it. */
  send: (appeal: { text: string; pictures: string[] }, attempt: Attempt) => Promise<unknown>
  /** Further buttons beside the submit button. */
  children: ReactNode
}

/** Renders the form to appeal a rejection, with up to five pictures. */
export function AppealForm({ draftKey, send, children }: Props) {
  const form = useForm({
    about: draftKey,
    schema: Form,
    initialValues: readDraft(draftKey, { text: '', pictures: [] as string[] }),
    submit: send,
  })
  useDraft(draftKey, form.values)
  const { upload, isUploading } = usePictureUpload()
  return (
    <form {...form.props} aria-label={t`Appeal`} className="space-y-4">
      <Textarea
        label={t`Why is the rejection wrong?`}
        description={t`The buyer and, if they stand by the rejection, a neutral reviewer read this.`}
        required
        autosize
        minRows={4}
        maxRows={20}
        maxLength={APPEAL_TEXT_MAX}
        {...form.field('text')}
      />
      <AppealPictures
        urls={form.values.pictures}
        onChange={(change) => form.setValue('pictures', change)}
        upload={upload}
      />
      <FormError message={form.submitError} />
      {isUploading && <UploadNotice />}
      <FormActions>
        {children}
        <Button type="submit" disabled={isUploading} loading={form.isSubmitting}>{t`Appeal`}</Button>
      </FormActions>
    </form>
  )
}

type PicturesProps = {
  urls: string[]
  /** Receives a function, because pictures are removed while others are uploaded. */
  onChange: (change: (urls: string[]) => string[]) => void
  upload: typeof uploadPicture
}

function AppealPictures({ urls, onChange, upload }: PicturesProps) {
  const [isUploading, setIsUploading] = useState(false)
  const [error, setError] = useState<string | null>(null)
  // The button of a picture is removed with it, and that of an upload is disabled during it.
  const box = useFocusRecovery<HTMLFieldSetElement>(`${urls.length} ${isUploading}`)

  const send = async (files: File[]) => {
    const room = APPEAL_PICTURES_MAX - urls.length
    if (files.length > room) {
      setError(tooManyPictures(APPEAL_PICTURES_MAX, room))
      return
    }
    setIsUploading(true)
    setError(null)
    const uploaded: string[] = []
    try {
      for (const file of files) {
        const { data } = await upload(file)
        uploaded.push(new URL(data.display_url, location.origin).href)
      }
    } catch (problem) {
      setError(errorMessage(problem))
    } finally {
      onChange((current) => [...new Set([...current, ...uploaded])])
      setIsUploading(false)
    }
  }

  return (
    <fieldset ref={box} aria-label={t`Pictures`} tabIndex={-1} className="min-w-0 outline-none">
      <ul className="mb-3 flex flex-wrap gap-3 empty:hidden">
        {urls.map((url, index) => (
          <li key={url} className="relative">
            <img
              src={thumbnailSource(url, 80)}
              alt={t`Evidence ${{ number: formatNumber(index + 1) }}`}
              className="size-20 rounded-control bg-canvas object-cover"
            />
            <button
              type="button"
              aria-label={t`Remove evidence ${{ number: formatNumber(index + 1) }}`}
              className="absolute -top-2 -right-2 grid size-8 cursor-pointer place-items-center rounded-full border border-line bg-surface"
              onClick={() => onChange((current) => current.filter((other) => other !== url))}
            >
              <IconX size={16} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <FileButton multiple accept={PICTURE_TYPES} onChange={(files) => void send(files)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            loading={isUploading}
            leftSection={<IconUpload size={18} aria-hidden />}
          >
            {t`Add pictures`}
          </Button>
        )}
      </FileButton>
      <p className="mt-2 text-sm text-dim">{t`Optional, up to ${{ limit: formatNumber(APPEAL_PICTURES_MAX) }} pictures.`}</p>
      <FormError message={error} />
    </fieldset>
  )
}
