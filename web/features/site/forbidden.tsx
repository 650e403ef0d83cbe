import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { Role } from '#contract/endpoint.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Renders the notice that a screen is for other roles. */
export function Forbidden({ roles, role }: { roles: readonly Role[]; role: Role }) {
  return (
    <Screen title="You do not have access to this page" width="narrow">
      <EmptyState
        title={`This page is for ${roles.map((name) => `${name}s`).join(' and ')} only`}
        action={
          <Button component={Link} to="/dashboard">
            Go to your profile
          </Button>
        }
      >
        You are signed in as {role === 'Admin' ? 'an' : 'a'} {role}. Use the menu to find the pages for your
        role.
      </EmptyState>
    </Screen>
  )
}
