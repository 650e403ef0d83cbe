/** The paths of a screen, as a regular expression, and the files that it needs besides those of the shell. */
export type Screen = { paths: string; files: string[] }

/** Returns the files of the screen at a path, or undefined when there is no screen. */
export function filesOfScreen(screens: readonly Screen[], pathname: string): string[] | undefined {
  return screens.find(({ paths }) => new RegExp(paths, 'i').test(pathname))?.files
}
