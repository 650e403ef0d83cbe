import { t } from '@lingui/core/macro'
import { type ShortcutList, showShortcutsHelp } from '#web/features/shortcuts/shortcuts-help.tsx'
import { DECISION_KINDS, DECISIONS } from './decisions.tsx'

const REVIEW_SHORTCUTS: ShortcutList = [
  [['J', '↓'], t`Next submission`],
  [['K', '↑'], t`Previous submission`],
  ...DECISION_KINDS.map((kind): ShortcutList[number] => {
    const { shortcut, help } = DECISIONS[kind]
    return [[shortcut.toUpperCase()], help]
  }),
  [['U'], t`Undo the last decision`],
  [['X'], t`Select`],
  [['Shift J', 'Shift K'], t`Extend the selection`],
  [['Esc'], t`Close the form, or clear the selection`],
]

/** Shows the keyboard shortcuts of the review screen and of the dashboard. */
export function showReviewShortcuts(): Promise<unknown> {
  return showShortcutsHelp(REVIEW_SHORTCUTS)
}
