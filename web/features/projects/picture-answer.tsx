import { t } from '@lingui/core/macro'
import { Button, Input } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { FIELD_PICTURES_MAX } from '#contract/answer-form.ts'
import { errorMessage } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { thumbnailSource } from '#web/lib/picture-source.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { tooManyPictures } from '#web/lib/too-many-pictures.ts'
import { PICTURE_TYPES, type uploadPicture } from '#web/lib/upload-picture.ts'
import { FileButton } from '#web/ui/file-button.tsx'
import { IconUpload, IconX } from '#web/ui/icons.ts'

const SIZE = 96

type Props = {
  label: string
  description: string | undefined
  required: boolean
  error: string | undefined
  max: number | undefined
  urls: readonly string[]
  onChange: (urls: string[] | undefined) => void
  upload: typeof uploadPicture
}

/** Renders a question whose answer is uploaded pictures. */
export function PictureAnswer({
  label,
  description,
  required,
  error,
  max = FIELD_PICTURES_MAX,
  urls,
  onChange,
  upload,
}: Props) {
  const [isUploading, setIsUploading] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  // The button of a picture is removed with it, and that of an upload with the last picture that is possible.
  const box = useFocusRecovery<HTMLFieldSetElement>(`${urls.length} ${isUploading}`)

  // While a picture is uploaded, other questions are answered.
  const latest = useRef({ urls, onChange })
  useLayoutEffect(() => {
    latest.current = { urls, onChange }
  })

  const send = async (files: File[]) => {
    const room = max - urls.length
    if (files.length > room) {
      setProblem(tooManyPictures(max, room))
      return
    }
    setIsUploading(true)
    setProblem(null)
    const uploaded: string[] = []
    try {
      for (const file of files) {
        const { data } = await upload(file)
        uploaded.push(new URL(data.display_url, location.origin).href)
      }
    } catch (failure) {
      setProblem(errorMessage(failure))
    } finally {
      setIsUploading(false)
      const { urls, onChange } = latest.current
      if (uploaded.length > 0) onChange([...new Set([...urls, ...uploaded])])
    }
  }

  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={description}
      required={required}
      error={problem ?? error}
    >
      <fieldset
        ref={box}
        aria-label={label}
        tabIndex={-1}
        className="mt-1 flex min-w-0 flex-wrap items-center gap-3 outline-none"
      >
        {urls.map((url, index) => (
          <span key={url} className="relative">
            <img
              src={thumbnailSource(url, SIZE)}
              alt={`${label} ${formatNumber(index + 1)}`}
              width={SIZE}
              height={SIZE}
              className="size-24 rounded-control bg-canvas object-cover"
            />
            <button
              type="button"
              aria-label={t`Remove picture ${{ number: formatNumber(index + 1) }}`}
              className="absolute top-1 right-1 grid size-7 cursor-pointer place-items-center rounded-full border border-edge bg-surface"
              onClick={() => onChange(urls.length === 1 ? undefined : urls.toSpliced(index, 1))}
            >
              <IconX size={16} aria-hidden />
            </button>
          </span>
        ))}
        {urls.length < max && (
          <FileButton multiple accept={PICTURE_TYPES} onChange={(files) => void send(files)}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                loading={isUploading}
                aria-label={t`Upload pictures: ${label}`}
                leftSection={<IconUpload size={18} aria-hidden />}
              >
                {t`Upload`}
              </Button>
            )}
          </FileButton>
        )}
      </fieldset>
    </Input.Wrapper>
  )
}
