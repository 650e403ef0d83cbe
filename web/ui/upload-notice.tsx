import { t } from '@lingui/core/macro'

/** Renders why a form cannot be submitted while a picture is uploaded. */
export function UploadNotice() {
  return <p role="status" className="text-sm text-dim">{t`Wait until the picture is uploaded.`}</p>
}
