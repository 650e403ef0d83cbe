import { plural, t } from '@lingui/core/macro'
import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { managedTasks } from '#contract/tasks.ts'
import { allUsers, type User } from '#contract/users.ts'
import { queryOf } from '#web/lib/queries.ts'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { IconClipboardList, IconUser } from '#web/ui/icons.ts'
import { type Command, commandsOf, findCommands } from './commands.ts'
import type { PaletteProps } from './palette-button.tsx'

/** Renders the command palette: the screens and actions of the user's role, and for an Admin also users and tasks. */
export default function Palette({ user, isOpen, close }: PaletteProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      withCloseButton={false}
      padding={0}
      size="lg"
      // In the middle it would move with each result.
      centered={false}
      yOffset="10dvh"
      title={t`Find a screen or an action`}
      classNames={{ header: 'sr-only' }}
    >
      <Search user={user} close={close} />
    </Modal>
  )
}

function Search({ user, close }: { user: User; close: () => void }) {
  const navigate = useNavigate()
  const listId = useId()
  const [query, setQuery] = useState('')
  const [position, setPosition] = useState(0)
  const { groups, isSearching } = useGroups(user, query)
  const found = groups.flatMap(({ commands }) => commands)
  const active = Math.min(position, found.length - 1)
  const idOf = (index: number) => `${listId}-${index}`

  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView?.({ block: 'nearest' })
  }, [listId, active])

  const run = (command: Command | undefined) => {
    if (command === undefined) return
    close()
    void navigate(command.to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const last = found.length - 1
    const next = {
      ArrowDown: active === last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
    }[event.key]
    if (next !== undefined) setPosition(next)
    else if (event.key === 'Enter') run(found[active])
    else return
    event.preventDefault()
  }

  let index = 0
  return (
    <>
      <input
        data-autofocus
        type="text"
        role="combobox"
        aria-label={t`Find a screen or an action`}
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active < 0 ? undefined : idOf(active)}
        placeholder={
          user.role === 'Admin'
            ? t`Find a screen, an action, a user or a task`
            : t`Find a screen or an action`
        }
        className="w-full border-b border-line bg-transparent px-5 py-4 outline-none placeholder:text-dim"
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value)
          setPosition(0)
        }}
        onKeyDown={onKeyDown}
      />
      <p role="status" className="sr-only">
        {plural(found.length, { one: '# result', other: '# results' })}
      </p>
      {found.length === 0 && !isSearching && (
        <p className="px-5 py-8 text-center text-dim">{t`Nothing found`}</p>
      )}
      <div id={listId} role="listbox" aria-label={t`Results`} className="max-h-[60dvh] overflow-y-auto p-2">
        {groups.map(({ name, commands }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options
          <div key={name} role="group" aria-label={name}>
            <p aria-hidden className="px-3 pt-3 pb-1 text-xs text-dim">
              {name}
            </p>
            {commands.map((command) => {
              const current = index++
              return (
                <Option
                  key={`${command.to} ${command.label}`}
                  id={idOf(current)}
                  command={command}
                  active={current === active}
                  onPoint={() => setPosition(current)}
                  onRun={() => run(command)}
                />
              )
            })}
          </div>
        ))}
      </div>
    </>
  )
}

type OptionProps = { id: string; command: Command; active: boolean; onPoint: () => void; onRun: () => void }

/** The keyboard acts on the field, which names the active option. */
function Option({ id, command: { label, detail, icon: Icon }, active, onPoint, onRun }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
    <div
      id={id}
      role="option"
      aria-selected={active}
      className={`flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 ${active ? 'bg-soft text-on-soft' : ''}`}
      onMouseMove={active ? undefined : onPoint}
      onClick={onRun}
    >
      <Icon size={20} stroke={1.8} aria-hidden className="shrink-0" />
      <span className="min-w-0">
        {label}
        {detail && <span className={`block truncate text-xs ${active ? '' : 'text-dim'}`}>{detail}</span>}
      </span>
    </div>
  )
}

const SEARCH_MIN = 2
const FOUND_MAX = 5

type Group = { name: string; commands: Command[] }

/** Returns what a query finds, in groups that are not empty, and whether users and tasks are still searched. */
function useGroups(user: User, query: string): { groups: Group[]; isSearching: boolean } {
  const { actions, screens } = commandsOf(user)
  const typed = query.trim()
  const [q] = useDebouncedValue(typed, 200)
  const isSearched = user.role === 'Admin' && typed.length >= SEARCH_MIN
  // Until the query is searched, Enter would open what an earlier one has found.
  const search = { enabled: isSearched && q === typed }
  const users = useQuery({ ...queryOf(allUsers, { query: { q, limit: FOUND_MAX } }), ...search })
  const tasks = useQuery({ ...queryOf(managedTasks, { query: { q, limit: FOUND_MAX } }), ...search })
  const foundUsers = search.enabled ? (users.data ?? []) : []
  const foundTasks = search.enabled ? (tasks.data ?? []) : []
  const groups = [
    { name: t`Actions`, commands: findCommands(actions, query) },
    { name: t`Screens`, commands: findCommands(screens, query) },
    {
      name: t`Users`,
      commands: foundUsers.map(({ _id, name, email, role }) => ({
        label: name,
        detail: `${ROLE_NAMES[role]}, ${email}`,
        to: `/dashboard/manage-users/${_id}`,
        icon: IconUser,
      })),
    },
    {
      name: t`Tasks`,
      commands: foundTasks.map(({ _id, task_title, buyer_name }) => ({
        label: task_title,
        detail: t`By ${buyer_name}`,
        to: `/dashboard/task-details/${_id}`,
        icon: IconClipboardList,
      })),
    },
  ].filter(({ commands }) => commands.length > 0)
  return { groups, isSearching: isSearched && (q !== typed || users.isLoading || tasks.isLoading) }
}
