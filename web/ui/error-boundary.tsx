import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { errorMessage } from '#web/lib/api.ts'
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
    return <ErrorState message={errorMessage(this.state.error)} retry={retry} />
  }
}

/** Renders an error thrown below it, with a retry button. Pass a `key` that changes with the screen. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => <Boundary onReset={reset}>{children}</Boundary>}
    </QueryErrorResetBoundary>
  )
}
