import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import { posts } from '#web/features/blog/posts.en.ts'
import { formatNumber } from '#web/lib/format.ts'

/** Renders the cards of the blog's posts. */
export default function News() {
  return (
    <div className="grid gap-4 md:grid-cols-3">
      {posts.map((post, index) => (
        <article key={post.title} className="card relative flex flex-col overflow-hidden">
          <CoverIllustration kind={index} />
          <div className="flex flex-1 flex-col p-6">
            <p className="text-sm font-number text-brand">{post.tag}</p>
            <h3 className="mt-1 text-lg">
              <Link
                to={`/blog/${post.slug}`}
                className="text-inherit no-underline after:absolute after:inset-0 hover:underline"
              >
                {post.title}
              </Link>
            </h3>
            <p className="mt-2 text-sm text-dim">{post.text}</p>
            <p className="mt-auto pt-4 text-xs text-dim">{t`${{ date: post.date }} · ${{ minutes: formatNumber(post.minutes) }} min read`}</p>
          </div>
        </article>
      ))}
    </div>
  )
}

function CoverIllustration({ kind }: { kind: number }) {
  const ground = ['#12352a', '#0c6a4b', '#33270d'][kind] ?? '#12352a'
  return (
    <svg viewBox="0 0 360 150" className="w-full" aria-hidden="true">
      <rect width="360" height="150" fill={ground} />
      {kind === 0 && (
        <g>
          <rect x="120" y="28" width="120" height="122" rx="12" fill="#ecfaf4" />
          <path
            d="M140 56h56M140 76h80M140 96h68M140 116h40"
            stroke="#74d5ae"
            strokeWidth="8"
            strokeLinecap="round"
          />
          <circle cx="240" cy="36" r="20" fill="#f5a300" />
          <circle cx="240" cy="36" r="16" fill="#ffca4f" />
          <path d="m232 37 6 6 11-12" fill="none" stroke="#784900" strokeWidth="4" strokeLinecap="round" />
        </g>
      )}
      {kind === 1 && (
        <g>
          {[34, 52, 76, 104].map((height, bar) => (
            <rect
              key={height}
              x={96 + bar * 46}
              y={150 - height}
              width="30"
              height={height}
              rx="6"
              fill={bar === 3 ? '#ffca4f' : '#3fb98b'}
            />
          ))}
          <path
            d="M92 104 150 84l46-22 52-30"
            fill="none"
            stroke="#ecfaf4"
            strokeWidth="4"
            strokeLinecap="round"
          />
        </g>
      )}
      {kind === 2 && (
        <g>
          <rect x="120" y="66" width="120" height="84" rx="14" fill="#ffca4f" />
          <path d="M146 66V52a34 34 0 0 1 68 0v14" fill="none" stroke="#ffca4f" strokeWidth="12" />
          <circle cx="180" cy="102" r="12" fill="#784900" />
          <path d="M180 106v20" stroke="#784900" strokeWidth="8" strokeLinecap="round" />
        </g>
      )}
    </svg>
  )
}
