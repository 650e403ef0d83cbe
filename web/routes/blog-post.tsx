import { t } from '@lingui/core/macro'
import '#web/features/site-pages/page-text.css'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Escrow } from '#web/features/blog/escrow.tsx'
import { FirstWithdrawal } from '#web/features/blog/first-withdrawal.tsx'
import { posts } from '#web/features/blog/posts.en.ts'
import { WriteATask } from '#web/features/blog/write-a-task.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { pageMeta } from '#web/lib/meta.ts'
import type { Route } from './+types/blog-post'
import NotFound, { meta as notFoundMeta } from './not-found.tsx'

type Slug = (typeof posts)[number]['slug']
const TEXTS: Record<Slug, () => ReactNode> = {
  'write-a-task': WriteATask,
  'first-withdrawal': FirstWithdrawal,
  escrow: Escrow,
}

const postOf = (slug: string | undefined) => posts.find((post) => post.slug === slug)

export function meta({ params }: Route.MetaArgs) {
  const post = postOf(params.slug)
  return post ? pageMeta({ title: post.title, description: post.text }) : notFoundMeta()
}

/** Renders a post of the blog. */
export default function BlogPost({ params }: Route.ComponentProps) {
  const post = postOf(params.slug)
  if (post === undefined) return <NotFound />
  const Text = TEXTS[post.slug]
  return (
    <div className="page max-w-3xl py-10 lg:py-14">
      <article>
        <p className="font-number text-brand">{post.tag}</p>
        <h1 className="mt-1 text-title">{post.title}</h1>
        <p className="mt-2 mb-8 text-sm text-dim">{t`${{ date: post.date }} · ${{ minutes: formatNumber(post.minutes) }} min read`}</p>
        <div className="page-text">
          <Text />
        </div>
      </article>
      <nav aria-label={t`More posts`} className="mt-12 border-t border-line pt-6">
        <p className="mb-2 font-number">{t`More posts`}</p>
        <ul className="space-y-2">
          {posts
            .filter(({ slug }) => slug !== post.slug)
            .map(({ slug, title }) => (
              <li key={slug}>
                <Link className="link" to={`/blog/${slug}`}>
                  {title}
                </Link>
              </li>
            ))}
        </ul>
      </nav>
    </div>
  )
}
