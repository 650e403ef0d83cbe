import { t } from '@lingui/core/macro'
import { Button, Switch } from '@mantine/core'
import { useSession } from '#web/lib/session.tsx'
import { showDialog } from '#web/ui/dialogs.tsx'
import { dashboardShortcuts } from './dashboard-shortcuts.ts'
import { useShortcutsSwitch } from './use-shortcuts.ts'

export type ShortcutList = [keys: string[], action: string][]

/** Shows the keyboard shortcuts of the screen and of the dashboard, and lets the user switch them off. */
export function showShortcutsHelp(ofScreen: ShortcutList = []): Promise<unknown> {
  return showDialog<null>({
    title: t`Keyboard shortcuts`,
    content: (close) => <ShortcutsHelp ofScreen={ofScreen} close={() => close(null)} />,
  })
}

function ShortcutsHelp({ ofScreen, close }: { ofScreen: ShortcutList; close: () => void }) {
  const { userData } = useSession()
  const [isOn, setOn] = useShortcutsSwitch()
  return (
    <>
      {ofScreen.length > 0 && <Shortcuts title={t`This screen`} shortcuts={ofScreen} />}
      {userData && <Shortcuts title={t`Everywhere`} shortcuts={dashboardShortcuts(userData.role)} />}
      <Switch
        className="mt-5"
        label={t`Use keyboard shortcuts`}
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
      <div className="mt-6 flex justify-end">
        <Button data-autofocus onClick={close}>{t`Close`}</Button>
      </div>
    </>
  )
}

function Shortcuts({ title, shortcuts }: { title: string; shortcuts: ShortcutList }) {
  return (
    <section className="mb-5">
      <h3 className="mb-2 text-sm">{title}</h3>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-5 gap-y-2 text-sm">
        {shortcuts.map(([keys, action]) => (
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
    </section>
  )
}
