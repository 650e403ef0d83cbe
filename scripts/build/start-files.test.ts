import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startInSlices } from './start-files.ts'

test('a module script becomes the call of a function that imports its scripts first', () => {
  const module = `import * as route0 from "/assets/root.js";
window.routes={root:route0};import{r as e,t}from"/assets/base.js";t(e);`
  const start = startInSlices(module, ['/assets/base.js', '/assets/root.js'])
  assert.ok(
    start.startsWith('(async()=>{for(const url of ["/assets/base.js","/assets/root.js"]){await import(url);'),
    start,
  )
  const end =
    'const route0=await import("/assets/root.js");\nwindow.routes={root:route0};' +
    'const{r:e,t}=await import("/assets/base.js");t(e);})()'
  assert.ok(start.endsWith(end), start)
})

test('a module script that imports otherwise fails the build', () => {
  assert.throws(
    () => startInSlices('import value from "/assets/value.js";', []),
    /imports its scripts otherwise/,
  )
})
