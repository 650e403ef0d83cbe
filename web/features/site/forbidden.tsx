import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { Role } from '#contract/endpoint.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Tells a person kindly that a screen is for another role. */
export function Forbidden({ roles, role }: { roles: readonly Role[]; role: Role }) {
  return (
    <Screen title="This screen is not for your role" width="narrow">
      <EmptyState
        title={`Only ${roles.map((name) => `${name}s`).join(' and ')} can use it`}
        action={
          <Button component={Link} to="/dashboard">
            Go to your profile
          </Button>
        }
      >
        You are signed in as {role === 'Admin' ? 'an' : 'a'} {role}. Everything your role can do is in the
        menu.
      </EmptyState>
    </Screen>
  )
}
