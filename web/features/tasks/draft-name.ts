import { t } from '@lingui/core/macro'

/** Returns the name of a draft: its own, its title's, or that it has none. */
export const nameOf = ({ name, task_title }: { name: string; task_title?: string | undefined }): string =>
  name || task_title || t`Untitled`
