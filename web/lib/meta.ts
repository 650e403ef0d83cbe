import { BUILD_NAME, BUILD_ORIGIN } from '#contract/site.ts'
import { siteInfo } from '#web/content/site-info.en.ts'

/** The origin of this page's URL; in the build, the one that the server replaces. */
export const pageOrigin = globalThis.location?.origin ?? BUILD_ORIGIN

/** The name of this marketplace as the page has it (`web/root.tsx`); in the build, the one that the server replaces. */
export const pageName = globalThis.document
  ? (document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? siteInfo.name)
  : BUILD_NAME

/** Returns the title, description and social preview of a public page. `title` excludes the site's name. */
export function pageMeta({ title, description }: { title?: string; description: string }) {
  const name = title ? `${title} · ${pageName}` : `${pageName}: ${siteInfo.tagline}`
  return [
    { title: name },
    { name: 'description', content: description },
    { property: 'og:title', content: name },
    { property: 'og:description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:image', content: `${pageOrigin}/social.png` },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}
