import { t } from '@lingui/core/macro'
import { FileInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { PICTURE_TYPES } from '#web/lib/upload-picture.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconPhoto } from '#web/ui/icons.ts'

type Props = {
  name: string
  value: File | null
  onChange: (file: File | null) => void
  error?: string | undefined
  /** Shown as initials until a file is chosen. */
  userName: string
  /** Shown until a file is chosen, instead of initials. */
  currentImage?: string
  label?: string
  required?: boolean
}

/** Renders a file input for the profile image, with a preview. */
export function PictureField({
  name,
  value,
  onChange,
  error,
  userName,
  currentImage,
  label = t`Profile image`,
  required = true,
}: Props) {
  const [preview, setPreview] = useState<string | null>(null)
  useEffect(() => {
    if (value === null) return setPreview(null)
    const url = URL.createObjectURL(value)
    setPreview(url)
    return () => URL.revokeObjectURL(url)
  }, [value])
  return (
    <div className="flex items-end gap-3">
      <div className={error ? 'mb-7' : ''}>
        <Avatar name={userName || '?'} image={preview ?? currentImage ?? null} size={42} />
      </div>
      <FileInput
        className="min-w-0 flex-1"
        label={label}
        placeholder={t`Choose a picture`}
        accept={PICTURE_TYPES}
        leftSection={<IconPhoto size={18} aria-hidden />}
        withAsterisk={required}
        name={name}
        value={value}
        onChange={onChange}
        error={error}
      />
    </div>
  )
}
