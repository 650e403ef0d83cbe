type Confirm = () => Promise<boolean>
let confirm: Confirm = async () => false

/**
 * Registers the function that asks the user before a form is sent again whose first attempt may have succeeded and can no longer be
 * repeated (docs/decisions/0075-unsent-work.md). It resolves to whether they want a second attempt.
 */
export function onSecondAttempt(handler: Confirm): void {
  confirm = handler
}

/** Returns whether the user wants a second attempt. */
export const confirmSecondAttempt = (): Promise<boolean> => confirm()
