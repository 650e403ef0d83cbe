/** Renders a spinner with a text on the whole page. */
export function FullPageLoader({ children }: { children: string }) {
  return (
    <div className="grid min-h-dvh place-items-center bg-body" role="status">
      <div className="flex flex-col items-center gap-4">
        <span className="spinner" />
        <p className="text-dim">{children}</p>
      </div>
    </div>
  )
}
