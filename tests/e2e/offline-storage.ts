import type { Locator, Page } from '@playwright/test'
import { expect, ready } from './fixtures.ts'

/**
 * Visits the page again under its service worker, and waits until that keeps all that the page has loaded: up to `last`, where what is
 * below the fold is loaded when the browser is idle.
 */
export async function secondVisit(page: Page, last?: Locator): Promise<void> {
  await expect.poll(() => isControlled(page)).toBe(true)
  await page.reload()
  await ready(page)
  if (last) await expect(last).toBeVisible()
  await expect.poll(() => areFilesKept(page)).toBe(true)
}

function isControlled(page: Page): Promise<boolean> {
  return page.evaluate(() => navigator.serviceWorker.controller?.state === 'activated')
}

function areFilesKept(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const loaded = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
    const kept = await Promise.all(loaded.map(({ name }) => caches.match(name)))
    return loaded.length > 0 && !kept.includes(undefined)
  })
}

/** The replies that are saved for the next page, as text. */
export function savedReplies(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts: string[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(new Error(name))
      })
      for (const store of db.objectStoreNames) {
        const rows = await new Promise<unknown[]>((resolve, reject) => {
          const request = db.transaction(store).objectStore(store).getAll()
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(new Error(name))
        })
        texts.push(JSON.stringify(rows))
      }
      db.close()
    }
    return texts.join('\n')
  })
}
