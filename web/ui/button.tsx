import type { ComponentProps, ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'

type Appearance = {
  variant?: 'filled' | 'default' | 'light' | 'subtle'
  size?: 'xs' | 'md' | 'lg'
  icon?: ReactNode
}

/**
 * Renders a button with CSS only. Public pages, the layout of the dashboard, a user's home and a worker's tasks use it, so that they
 * load without the component library; other forms and screens use Mantine's Button, which looks the same.
 */
export function PlainButton({
  variant = 'filled',
  size = 'md',
  icon,
  busy = false,
  disabled = false,
  className = '',
  children,
  ...rest
}: ComponentProps<'button'> & Appearance & { busy?: boolean }) {
  return (
    <button
      type="button"
      className={`button ${className}`}
      data-variant={variant}
      data-size={size}
      data-busy={busy || undefined}
      disabled={busy || disabled}
      {...rest}
    >
      {icon}
      {children}
    </button>
  )
}

/** Renders a link in the style of a button. */
export function LinkButton({
  variant = 'filled',
  size = 'md',
  icon,
  className = '',
  children,
  ...rest
}: LinkProps & Appearance) {
  return (
    <Link className={`button ${className}`} data-variant={variant} data-size={size} {...rest}>
      {icon}
      {children}
    </Link>
  )
}

/** Renders a square button that contains only an icon; `label` is its accessible name. */
export function IconButton({
  label,
  className = '',
  ...rest
}: ComponentProps<'button'> & { label: string; 'data-variant'?: string }) {
  return (
    <button
      type="button"
      className={`button size-[42px] p-0 ${className}`}
      data-variant="default"
      aria-label={label}
      {...rest}
    />
  )
}
