import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { Navigate } from 'react-router'
import { ApiError, errorMessage } from '#web/lib/api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

type Props = { children: ReactNode; onReset: () => void }

class Boundary extends Component<Props, { error: unknown }> {
  override state = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    const retry = () => {
      this.props.onReset()
      this.setState({ error: undefined })
    }
    const error: unknown = this.state.error
    if (error instanceof ApiError && error.code === 'second_factor_missing') {
      return <Navigate to="/dashboard/security" replace />
    }
    return <ErrorState message={errorMessage(this.state.error)} retry={retry} />
  }
}

/**
 * Renders an error thrown below it, with a retry button. An Admin who must set up two-step sign-in is led to it.
 * Pass a `key` that changes with the screen.
 */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => <Boundary onReset={reset}>{children}</Boundary>}
    </QueryErrorResetBoundary>
  )
}
