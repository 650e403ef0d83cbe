import { type ShortcutList, showShortcutsHelp } from '#web/features/shortcuts/shortcuts-help.tsx'
import { DECISION_KINDS, DECISIONS } from './decisions.tsx'

const REVIEW_SHORTCUTS: ShortcutList = [
  [['J', '↓'], 'Next submission'],
  [['K', '↑'], 'Previous submission'],
  ...DECISION_KINDS.map((kind): ShortcutList[number] => {
    const { shortcut, label, create } = DECISIONS[kind]
    return [[shortcut.toUpperCase()], create ? `${label}, or ${label.toLowerCase()} all selected` : label]
  }),
  [['U'], 'Undo the last decision'],
  [['X'], 'Select'],
  [['Shift J', 'Shift K'], 'Extend the selection'],
  [['Esc'], 'Close the form, or clear the selection'],
]

/** Shows the keyboard shortcuts of the review screen and of the dashboard. */
export function showReviewShortcuts(): Promise<unknown> {
  return showShortcutsHelp(REVIEW_SHORTCUTS)
}
