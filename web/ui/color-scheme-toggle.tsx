import { t } from '@lingui/core/macro'
import { useMantineColorScheme } from '@mantine/core'
import { IconButton } from '#web/ui/button.tsx'
import { IconMoon, IconSun } from '#web/ui/icons.ts'

/** Renders a button that switches between light and dark. Until it is used, the page follows the system. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const toggle = () => {
    const dark = document.documentElement.dataset.mantineColorScheme === 'dark'
    setColorScheme(dark ? 'light' : 'dark')
  }
  return (
    <IconButton label={t`Switch between light and dark`} onClick={toggle}>
      <IconMoon size={20} className="dark:hidden" aria-hidden />
      <IconSun size={20} className="hidden dark:block" aria-hidden />
    </IconButton>
  )
}
