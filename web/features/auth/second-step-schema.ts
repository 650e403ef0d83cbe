/** The schema of the form for the second step of a sign-in. */
export { EnterCode as default } from '#contract/second-factor.ts'
