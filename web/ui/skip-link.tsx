import { t } from '@lingui/core/macro'
/** Renders the first focusable link of a page: past the navigation to the content. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-fill px-4 py-2 font-nav text-white focus:translate-y-0"
    >
      {t`Skip to content`}
    </a>
  )
}
