/** What people write and look for in the bench, in the words of its world (world/steps.ts). */
export const TEXT = 'Here is what I found, line by line, with a picture of the third one.'
export const VERBS =
  'Label Sort Transcribe Review Translate Check Describe Rate Record Photograph Find Compare Tag Count Summarise Test Draw Collect Verify Classify'.split(
    ' ',
  )
export const NOUNS =
  'photos receipts maps voices recipes invoices leaves signs menus letters birds shops cars faces songs poems forms labels tickets stamps shoes'.split(
    ' ',
  )
export const pick = (words: string[]) => words[Math.floor(Math.random() * words.length)] as string

export function newTask() {
  return {
    task_title: 'Label ten photos of leaves',
    task_detail: 'Look at each photo and say what it shows, in your own words. Take your time.',
    required_workers: 2,
    payable_amount: 3,
    completion_date: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10),
    submission_info: 'Ten lines of text',
  }
}
