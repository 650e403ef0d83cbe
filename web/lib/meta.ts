import { fixed } from '#web/content/en.ts'

/** The title, description and social preview of a public page; `title` without the name of the marketplace. */
export function pageMeta({ title, description }: { title?: string; description: string }) {
  const name = title ? `${title} · ${fixed.name}` : `${fixed.name}: ${fixed.tagline}`
  return [
    { title: name },
    { name: 'description', content: description },
    { property: 'og:title', content: name },
    { property: 'og:description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: fixed.name },
    { property: 'og:image', content: '/social.png' },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}
