/** The schema of the form to sign in. */
export { SignIn as default } from '#contract/auth.ts'
