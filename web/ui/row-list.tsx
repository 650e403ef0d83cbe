import type { ComponentProps } from 'react'
import { useRowFocus } from '#web/lib/recover-focus.ts'

/** Renders a list of rows. When the one that has the focus is removed, the next one gets it. */
export function RowList(props: ComponentProps<'ul'>) {
  const list = useRowFocus<HTMLUListElement>()
  return <ul ref={list} {...props} />
}
