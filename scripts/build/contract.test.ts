import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { endpointsOf, schemasOf, usedServerPart, withSchemaImports } from './contract.ts'

const path = join(process.cwd(), 'contract/auth.ts')
const source = readFileSync(path, 'utf8')

test('the web app gets endpoints without schemas', () => {
  const code = endpointsOf(source, path)
  assert.match(code, /export const signIn = \(\{\s*method: 'POST',\s*path: '\/auth\/sign-in',\s*access:/)
  assert.match(code, /errors: \[\s*'wrong_credentials'/)
  assert.match(code, /export const isReturnPath/)
  assert.doesNotMatch(code, /z\.(string|object)|export const (SignIn|NewPassword)|perNetwork|shapes\.ts/)
})

test('schemas are a module of their own, whose calls have no effect', () => {
  const code = schemasOf(source, path)
  assert.match(code, /export const SignIn = \/\* @__PURE__ \*\/ z\.object/)
  assert.match(code, /from ".*\/contract\/shapes\.ts\?schemas"/)
  assert.doesNotMatch(code, /export const (signIn|isReturnPath)/)
})

test('a module imports schemas and endpoints from where they are', () => {
  const code = withSchemaImports(
    "import { SignIn, signIn as send } from '#contract/auth.ts'",
    '/web/login.tsx',
  )
  assert.equal(code, `import { signIn as send } from "${path}"\nimport { SignIn } from "${path}?schemas"`)
})

test('a part of an endpoint that the web app does not get is found', () => {
  const named =
    "import { SignIn, signIn } from '#contract/auth.ts'; const a = [SignIn.shape, signIn.form.errors, signIn.path]"
  assert.equal(usedServerPart(named), undefined)
  const unnamed =
    "import { signUp } from '#contract/auth.ts'; const schema = z.pick(signUp.body, { email: true })"
  assert.equal(usedServerPart(unnamed), 'signUp.body')
})
