import { errorMessage } from '#web/lib/api.ts'
import { showMessage } from '#web/ui/dialogs.tsx'

/** Returns the result of a request. When it fails, shows why under `title`, and returns undefined. */
export async function showFailure<Result>(
  title: string,
  request: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await request
  } catch (error) {
    await showMessage({ title, text: errorMessage(error), tone: 'error' })
    return undefined
  }
}
