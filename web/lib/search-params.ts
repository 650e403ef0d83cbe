import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { type Location, type NavigateOptions, useLocation, useNavigate } from 'react-router'

type Edit = (current: URLSearchParams) => URLSearchParams

/** The parameters that were set while a location was still shown. */
const edited = new WeakMap<Location, URLSearchParams>()

/**
 * Returns the URL's search parameters and their setter. Unlike the router's, the setter starts from what was set last and
 * not from the last render: of two filters that change before the next render, or after a pause, none is lost.
 */
export function useSearchParams() {
  const location = useLocation()
  const navigate = useNavigate()
  const latest = useRef({ location, navigate })
  useLayoutEffect(() => {
    latest.current = { location, navigate }
  })
  const params = useMemo(() => new URLSearchParams(location.search), [location.search])
  const setParams = useCallback((edit: Edit, options?: NavigateOptions) => {
    const { location, navigate } = latest.current
    const next = edit(edited.get(location) ?? new URLSearchParams(location.search))
    edited.set(location, next)
    void navigate(`?${next}`, options)
  }, [])
  return [params, setParams] as const
}

/** Returns a search parameter that is one of `values`; undefined when it is missing or something else. */
export function paramOf<T extends string>(
  params: URLSearchParams,
  name: string,
  values: readonly T[],
): T | undefined {
  return values.find((value) => value === params.get(name))
}

/** Returns a copy of the search parameters with `name` set to `value`, or removed when `value` is empty. */
export function withParam(params: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(params)
  if (value === '') next.delete(name)
  else next.set(name, value)
  return next
}

export const noParams: Edit = () => new URLSearchParams()
