import { Button, Switch } from '@mantine/core'
import { showDialog } from '#web/ui/dialogs.tsx'
import { DECISION_KINDS, DECISIONS } from './decisions.tsx'
import { useShortcutsSwitch } from './use-shortcuts.ts'

const SHORTCUTS: [keys: string[], action: string][] = [
  [['J', '↓'], 'Next submission'],
  [['K', '↑'], 'Previous submission'],
  ...DECISION_KINDS.map((kind): [string[], string] => {
    const { shortcut, label, create } = DECISIONS[kind]
    return [[shortcut.toUpperCase()], create ? `${label}, or ${label.toLowerCase()} all selected` : label]
  }),
  [['U'], 'Undo the last decision'],
  [['X'], 'Select'],
  [['Shift J', 'Shift K'], 'Extend the selection'],
  [['Esc'], 'Close the form, or clear the selection'],
  [['?'], 'Show this help'],
]

/** Shows the keyboard shortcuts, and lets the user switch them off. */
export function showShortcutsHelp(): Promise<unknown> {
  return showDialog<null>({
    title: 'Keyboard shortcuts',
    content: (close) => <ShortcutsHelp close={() => close(null)} />,
  })
}

function ShortcutsHelp({ close }: { close: () => void }) {
  const [isOn, setOn] = useShortcutsSwitch()
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-5 gap-y-2 text-sm">
        {SHORTCUTS.map(([keys, action]) => (
          <div key={action} className="contents">
            <dt className="flex flex-wrap gap-1.5">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="rounded-control border border-line bg-canvas px-2 py-0.5 font-number whitespace-nowrap"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <Switch
        className="mt-5"
        label="Use keyboard shortcuts"
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
      <div className="mt-6 flex justify-end">
        <Button data-autofocus onClick={close}>
          Close
        </Button>
      </div>
    </>
  )
}
