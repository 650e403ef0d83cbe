import { t } from '@lingui/core/macro'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TaskCategory } from '#contract/task-categories.ts'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { errorMessage } from '#web/lib/api.ts'
import { PICTURE_TYPES, type uploadPicture } from '#web/lib/upload-picture.ts'
import { FileButton } from '#web/ui/file-button.tsx'
import { IconUpload } from '#web/ui/icons.ts'

type Props = {
  value: string
  /** The category whose illustration the task has without an image. */
  category: TaskCategory
  onChange: (url: string) => void
  error?: React.ReactNode
  name: string
  onBlur?: (event: unknown) => void
  upload: typeof uploadPicture
}

/** Renders the optional image of a task: an uploaded file, or the URL of an image on the web. */
export function TaskPictureField({ value, category, onChange, error, name, onBlur, upload }: Props) {
  const [isUploading, setIsUploading] = useState(false)
  const [uploadError, setUploadError] = useState<string | null>(null)

  const send = async (file: File | null) => {
    if (file === null) return
    setIsUploading(true)
    setUploadError(null)
    try {
      const { data } = await upload(file)
      onChange(new URL(data.display_url, location.origin).href)
    } catch (problem) {
      setUploadError(errorMessage(problem))
    } finally {
      setIsUploading(false)
    }
  }

  return (
    <div className="flex flex-wrap items-start gap-3 sm:flex-nowrap">
      <TextInput
        className="min-w-0 flex-1 basis-56"
        label={t`Task image`}
        description={t`Optional. Without an image, the illustration of the category is shown.`}
        placeholder="https://"
        type="url"
        inputMode="url"
        leftSection={<TaskPicture image={value} category={category} size={28} />}
        name={name}
        value={value}
        onChange={(event) => {
          setUploadError(null)
          onChange(event.currentTarget.value)
        }}
        onBlur={onBlur}
        error={uploadError ?? error}
      />
      <FileButton accept={PICTURE_TYPES} onChange={(file) => void send(file)}>
        {(props) => (
          <Button
            {...props}
            className="w-full sm:mt-[3.15rem] sm:w-auto"
            variant="default"
            loading={isUploading}
            leftSection={<IconUpload size={18} aria-hidden />}
          >
            {t`Upload`}
          </Button>
        )}
      </FileButton>
    </div>
  )
}
